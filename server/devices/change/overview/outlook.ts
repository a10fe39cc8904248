import { eq } from 'drizzle-orm'
import { networks } from '@/db/schema'
import type { Engine } from '../plan/plan'
import { type ChangedDevice, type Changes, changesOf } from './overview'

// What of a network's settings needs a person, from the last list of what waits: for pages that cannot wait for a list.

export type Outlook = {
  /** Settings that are not on every device they were given to. */
  leftOut: number
  /** Devices whose latest push did not end as asked, and those that were changed on themselves. */
  failed: Named[]
  drifted: Named[]
}
/** `since`: when its push ended, or its change was found (unix ms). */
type Named = { id: number; name: string; state: string; reason: string; since?: number | undefined }
/** `running`: it is being looked at; `again`: something changed meanwhile; `later`: the next look, after its pause. */
type Known = {
  turn: number
  at: number
  tookMs: number
  outlook?: Outlook
  running?: Promise<void>
  again: boolean
  later?: NodeJS.Timeout
}

const ended: readonly string[] = ['partial', 'reverted', 'failed', 'unknown']

function outlookOf({ devices, leftOut, readOnly }: Changes): Outlook {
  const lacking = new Set([...leftOut, ...readOnly].map(({ kind, name }) => `${kind} ${name}`))
  const named = (which: (one: ChangedDevice) => boolean, since: 'endedAt' | 'driftedSince'): Named[] =>
    devices
      .filter(which)
      .map(one => ({ id: one.deviceId, name: one.name, state: one.state, reason: one.reason, since: one[since] }))
  return {
    leftOut: lacking.size,
    failed: named(one => ended.includes(one.state), 'endedAt'),
    drifted: named(one => one.drifted, 'driftedSince'),
  }
}

const known = new WeakMap<Engine, Map<number, Known>>()
/** So long the first list is waited for. */
const patienceMs = 100
/** What no news told is found after so long. */
const oldMs = 60_000
/** Looking takes at most this share of the time, and an outlook is no older than `most` where something changed. */
const pauses = { share: 0.05, mostMs: 30_000 }
const pauseAfter = (tookMs: number): number => Math.min(pauses.mostMs, tookMs / pauses.share)

function knownOf(engine: Engine, network: number): Known {
  const all = known.get(engine) ?? new Map<number, Known>()
  known.set(engine, all)
  const held = all.get(network) ?? { turn: -1, at: 0, tookMs: 0, again: false }
  all.set(network, held)
  return held
}

async function look(engine: Engine, network: number, held: Known): Promise<void> {
  const [turn, begun, before] = [engine.syncCache.turn(), Date.now(), held.outlook]
  const outlook = outlookOf(await changesOf(engine, network))
  Object.assign(held, { turn, outlook, at: Date.now(), tookMs: Date.now() - begun })
  if (before && JSON.stringify(before) !== JSON.stringify(outlook)) tellPages(engine, network)
}

function tellPages({ runtime }: Engine, network: number): void {
  const place = runtime.db
    .select({ organization: networks.organization })
    .from(networks)
    .where(eq(networks.id, network))
    .get()
  if (place) runtime.bus.emit({ topic: 'push', network, ...place })
}

/** One look at a time, and a pause between two: of thousands of devices some change with every second. */
function lookBehind(engine: Engine, network: number, held: Known): Promise<void> {
  if (held.running) {
    held.again = true
    return held.running
  }
  const pause = held.outlook ? held.at + pauseAfter(held.tookMs) - Date.now() : 0
  if (pause > 0) {
    held.later ??= setTimeout(() => {
      held.later = undefined
      if (!engine.stopping.signal.aborted) void lookBehind(engine, network, held)
    }, pause).unref()
    return Promise.resolve()
  }
  held.running = look(engine, network, held)
    .catch(() => undefined)
    .finally(() => {
      held.running = undefined
      if (!held.again || engine.stopping.signal.aborted) return
      held.again = false
      void lookBehind(engine, network, held)
    })
  return held.running
}

/**
 * How a network's settings stand as far as it is known; undefined where that was never looked at and takes longer than
 * a moment. What is old is looked at again behind the answer, and pages are told where it says something else.
 */
export async function networkOutlook(engine: Engine, network: number): Promise<Outlook | undefined> {
  const held = knownOf(engine, network)
  const old = held.turn !== engine.syncCache.turn() || Date.now() - held.at > oldMs
  if (!old) return held.outlook
  const looked = lookBehind(engine, network, held)
  if (!held.outlook) await Promise.race([looked, new Promise(done => setTimeout(done, patienceMs).unref())])
  return held.outlook
}
