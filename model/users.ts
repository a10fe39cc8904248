import * as z from 'zod'
import { type Authorities, mayGive } from './authority'
import { limits } from './limits'
import { isUserName } from './password'
import { oneLine } from './rules'

/** Rule A6: the name to sign in with, small letters whatever was typed. */
export const accountName = z
  .string()
  .max(limits.textCharacters, 'tooLong')
  .trim()
  .toLowerCase()
  .min(1, 'required')
  .max(limits.accountCharacters, 'tooLong')
  .regex(/^[a-z0-9]+$/, 'alphanumeric')

/** Rule A7: what a person is called. */
export const userName = z
  .string()
  .trim()
  .min(1, 'required')
  .max(limits.accountCharacters, 'tooLong')
  .regex(oneLine, 'controlCharacters')
  .refine(isUserName, 'userNameKind')

/** Rule A14. */
export const company = z.string().trim().max(limits.companyCharacters, 'tooLong').regex(oneLine, 'controlCharacters')

/** Rule A15: where somebody or their organization is, as one writes it on a letter. */
export const postalAddress = z
  .string()
  .trim()
  .max(limits.addressCharacters, 'tooLong')
  .regex(oneLine, 'controlCharacters')

/** What somebody is to whoever runs the networks (specification section 1); '' where nobody said. It gives no rights. */
export const accountTypes = [
  'enterprise',
  'serviceProvider',
  'channelReseller',
  'systemIntegrator',
  'personal',
] as const
export const accountType = z.enum(['', ...accountTypes])
export type AccountType = z.output<typeof accountType>

type Networks = 'all' | ReadonlySet<number>
type Somebody = { id: number; role: string; authorities: Authorities; networks: Networks }
/** `createdBy`: the account that made this one; `underDefault`: that is the super administrator. */
type Person = Somebody & { createdBy: number; underDefault: boolean }

/** Does `inner` lead nowhere but where `outer` leads? */
export const within = (outer: Networks, inner: Networks): boolean =>
  outer === 'all' || (inner !== 'all' && [...inner].every(id => outer.has(id)))

/** Who knows of whom: everybody of a person who enters every network, else those who enter one's own networks alone. */
export function seesPerson(viewer: Somebody, person: Person): boolean {
  if (viewer.networks === 'all' || person.id === viewer.id || person.createdBy === viewer.id) return true
  return person.networks !== 'all' && person.networks.size > 0 && within(viewer.networks, person.networks)
}

export type WhyNot = 'self' | 'superAdministrator' | 'underDefault' | 'roleAbove' | 'networks'

/**
 * Why `actor` may not change, disable or delete `person`; undefined where they may (specification section 6). Oneself is
 * changed on one's own page; nobody changes the super administrator; what that one made is nobody else's to change.
 */
export function whyNotChange(actor: Somebody, person: Person): WhyNot | undefined {
  if (person.id === actor.id) return 'self'
  if (person.role === 'superAdministrator') return 'superAdministrator'
  if (person.underDefault && actor.role !== 'superAdministrator') return 'underDefault'
  if (!mayGive(actor, { id: person.role, authorities: person.authorities })) return 'roleAbove'
  return within(actor.networks, person.networks) ? undefined : 'networks'
}
