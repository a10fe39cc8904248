import type { Credential } from '@/server/drivers/driver'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

// How often logins that are tried in turn may be refused. Devices lock an account or an address after some refusals: three
// in many minutes is the fewest that is common (PAM's faillock, sshguard; fail2ban has five). A person who gives one login
// alone means that one, so it is always tried, and counts.

/** Refusals of one device in `minutes` after which nothing more is tried in turn; `passwords` are among `ssh`. */
export const tryLimits = { passwords: 2, ssh: 4, snmp: 4, minutes: 30 } as const

type Counted = keyof Omit<typeof tryLimits, 'minutes'>
type Refusal = { at: number; counts: readonly Counted[] }

/** By address and port. */
const refusals = part('refusedLogins', () => new Map<string, Refusal[]>())

const windowMs = tryLimits.minutes * 60_000

export function countsAs(credential: Credential): readonly Counted[] {
  if (credential.type !== 'ssh') return ['snmp']
  return credential.password === undefined ? ['ssh'] : ['ssh', 'passwords']
}

const recent = (held: readonly Refusal[] | undefined, now: number) =>
  (held ?? []).filter(({ at }) => now - at < windowMs)

/** May this login be tried on that device, one of several? */
export function mayTry(runtime: Runtime, place: string, credential: Credential, now = Date.now()): boolean {
  const held = recent(refusals.of(runtime).get(place), now)
  return countsAs(credential).every(
    counted => held.filter(({ counts }) => counts.includes(counted)).length < tryLimits[counted],
  )
}

/** A device refused a login. */
export function countRefusal(runtime: Runtime, place: string, credential: Credential, now = Date.now()): void {
  const all = refusals.of(runtime)
  for (const [other, held] of all) if (recent(held, now).length === 0) all.delete(other)
  all.set(place, [...recent(all.get(place), now), { at: now, counts: countsAs(credential) }])
}
