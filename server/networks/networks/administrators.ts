import type { Db } from '@/db/client'
import { whyNotChange } from '@/model/users'
import type { OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { enterNetwork, leaveNetwork } from '@/server/people/access/access'
import { type Person, peopleSeen } from '@/server/people/accounts/people'

// Who works in a network beside those who enter all of them: people whose networks are given one by one.

type Context = Pick<OrganizationContext, 'runtime' | 'actor'>

/** Those whom the asker may give networks and take them from. */
const assignable = ({ runtime, actor }: Context): Person[] =>
  peopleSeen(runtime.db, actor).filter(person => person.networks !== 'all' && !whyNotChange(actor, person))

const entersIt = (network: number) => (person: Person) => person.networks !== 'all' && person.networks.has(network)

/** Ids of the people who work in a network, as far as the asker knows of them. */
export const administratorsOf = ({ runtime, actor }: Context, network: number): number[] =>
  peopleSeen(runtime.db, actor)
    .filter(entersIt(network))
    .map(person => person.id)

/** Refuses people whom the asker may not give this to, at their field. */
export function checkAdministrators(context: Context, wanted: readonly number[]): void {
  if (!context.actor.authorities.has('organization_users_edit')) fail('noAuthority')
  const known = new Set(assignable(context).map(person => person.id))
  if (wanted.some(id => !known.has(id))) failFields({ administrators: 'notAllowed' })
}

/** Makes these the people who work in the network; those whom the asker may not change stay. Returns names before and after. */
export function setAdministrators(
  context: Context,
  tx: Db,
  network: number,
  wanted: readonly number[],
): [string, string] {
  const people = assignable(context)
  const names = (list: readonly Person[]) => list.map(person => person.account).join(', ')
  const before = people.filter(entersIt(network))
  const after = people.filter(person => wanted.includes(person.id))
  const only = (some: readonly Person[], others: readonly Person[]) =>
    some.filter(person => !others.includes(person)).map(person => person.id)
  leaveNetwork(tx, network, only(before, after))
  enterNetwork(tx, network, only(after, before))
  return [names(before), names(after)]
}
