import { randomBytes } from 'node:crypto'
import { limits } from '@/model/limits'
import { part } from '@/server/kernel/part'
import { sha256 } from '@/server/kernel/secrets'

/** Who the provider says somebody is. */
export type Proven = {
  nameId: string
  nameIdFormat: string
  sessionIndex: string
  attributes: ReadonlyMap<string, readonly string[]>
}
export type SamlAttempt = {
  organization: number
  /** Of the request, which the answer has to name. */
  id: string
  /** SHA-256 of the secret in the browser's cookie. */
  browser: string
  /** Page to open afterwards, as asked for. */
  to: string
  at: number
  answered: boolean
  /** How many answers were looked at. */
  seen: number
  ticket?: string
  proven?: Proven
}

const lifeMs = limits.samlMinutes * 60_000
const mostOpen = 5000

/** Sign-ins that are at the provider, or came back. They live ten minutes, in memory alone; each takes one answer. */
export function createSamlAttempts() {
  const open = new Map<string, SamlAttempt>()
  const living = (entry: SamlAttempt | undefined, now: number) =>
    entry && entry.at + lifeMs >= now ? entry : undefined
  return {
    /** `relay` comes back with the answer, `secret` stays in the browser. */
    begin(organization: number, to: string, now: number): { relay: string; id: string; secret: string } {
      for (const [relay, entry] of open) if (entry.at + lifeMs < now || open.size >= mostOpen) open.delete(relay)
      const [relay, secret] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
      const id = `_${randomBytes(20).toString('hex')}`
      open.set(relay, { organization, id, browser: sha256(secret), to, at: now, answered: false, seen: 0 })
      return { relay, id, secret }
    },
    find: (relay: string, now: number): SamlAttempt | undefined => living(open.get(relay), now),
    /** A ticket for what was proven; it is worth something with the secret alone. */
    answered(entry: SamlAttempt, proven: Proven): string {
      const ticket = randomBytes(24).toString('base64url')
      entry.answered = true
      entry.ticket = sha256(ticket)
      entry.proven = proven
      return ticket
    },
    /** Ends a ticket. */
    take(ticket: string, secret: string | undefined, now: number) {
      const digest = sha256(ticket)
      const entry = living(
        [...open.values()].find(one => one.ticket === digest),
        now,
      )
      const proven = entry?.proven
      if (!entry || !proven || entry.browser !== sha256(secret ?? '')) return undefined
      entry.proven = undefined
      return { organization: entry.organization, proven }
    },
  }
}

export const samlAttempts = part('samlTries', createSamlAttempts)
