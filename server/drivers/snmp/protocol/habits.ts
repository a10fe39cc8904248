import type { Oid } from './ber'
import type { Attempt } from './udp'

// Agents that stay silent instead of saying what they cannot do: what was learned of one holds as long as its channel, so
// that each thing is waited for in vain once.

/** What an agent was found to take. */
export type Habits = {
  /** Names that one request may hold. */
  names: number
  /** Identifiers whose question is never answered. */
  silent: Set<string>
  /** It was seen to drop a question while it answered another: what it drops is not waited for long. */
  drops: boolean
  /** How carefully tables are read: place in `steps` of ./walk. */
  care: number
  /** A question that was answered: asked again to tell a silent variable from a silent device. */
  proof?: { type: 'get' | 'getNext'; oid: Oid }
  /** Longest time to an answer lately, milliseconds. */
  slowest?: number
  /** When this was begun (performance.now): what an agent cannot do today is tried anew later. */
  since: number
}

const mostNames = 20
export const newHabits = (): Habits => ({
  names: mostNames,
  silent: new Set(),
  drops: false,
  care: 0,
  since: performance.now(),
})

const keptMs = 3_600_000

/** Forgets what is old: a lossy hour may have taught what is not so. */
export function renew(habits: Habits): void {
  const { proof, slowest } = habits
  if (performance.now() - habits.since > keptMs) Object.assign(habits, newHabits(), { proof, slowest })
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value))

const shared = (milliseconds: number): Attempt => ({ milliseconds, connected: false })

/**
 * Patient with slow agents, and bounded: an answer may take 7.2 s, since a late one to an earlier try counts too. Where an
 * agent is known to be quick the second try comes sooner, for links that lose packets.
 */
export function usual(habits: Habits): Attempt[] {
  if (habits.drops) return brief(habits, 3)
  const { slowest } = habits
  const first = slowest === undefined ? 1200 : between(500, 3 * slowest, 1200)
  return [shared(first), shared(1500), shared(2000), { milliseconds: 3700 - first, connected: true }]
}

/** So many tries of a question that may well be dropped, by the pace of the agent. */
export function brief({ slowest }: Habits, tries: number): Attempt[] {
  const wait = slowest === undefined ? 2500 : between(400, 3 * slowest, 2500)
  return Array.from({ length: tries }, (_, i) => shared(i === 2 ? 2 * wait : wait))
}

/** Takes the time of an answer that came to the first try; to a later one it says nothing. */
export function learnPace(habits: Habits, milliseconds: number, attempts: readonly Attempt[]): void {
  if (milliseconds < (attempts[0]?.milliseconds ?? 0))
    habits.slowest = Math.max(milliseconds, (habits.slowest ?? 0) * 0.95)
}
