import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accountNetworks } from '@/db/schema'
import { whyNotChange } from '@/model/users'
import type { OrganizationContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
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
  for (const { id } of before.filter(person => !after.includes(person)))
    tx.delete(accountNetworks)
      .where(and(eq(accountNetworks.account, id), eq(accountNetworks.network, network)))
      .run()
  for (const { id } of after.filter(person => !before.includes(person)))
    tx.insert(accountNetworks).values({ account: id, network }).run()
  return [names(before), names(after)]
}
