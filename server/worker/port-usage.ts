import type { Host, Observation } from '@/server/drivers/observation'
import type { CounterStore } from '@/server/history/counters'
import type { Octets } from '@/server/history/station-counters'
import type { Rate } from '@/server/history/stations'

// What a wired client moved: nobody counts by MAC address on a wire, a port counts all that passes it. So it is known of a
// client that is the only one on its port, and of that port alone.

/** A port with one MAC behind it, and what it carried since that was last seen; NaN: somebody does not know. */
type Alone = { mac: string; at: number; down: number; up: number }
/** By interface key. */
export type AlonePorts = Map<string, Alone>
type Counting = { counters: Pick<CounterStore, 'keys' | 'deltas'>; alone?: AlonePorts }
/** What a client's port carried while it was the only one there, from one forwarding table to the next. */
export type PortUse = Required<Octets> & { port: string; mac: string; seconds: number }

/** Ports of a forwarding table with one MAC alone behind them, in however many VLANs. */
function aloneOn(hosts: readonly Host[]): Map<string, string> {
  const found = new Map<string, string | undefined>()
  for (const { source, port, mac } of hosts) {
    if (source === 'arp' || port === undefined) continue
    found.set(port, found.has(port) && found.get(port) !== mac ? undefined : mac)
  }
  return new Map([...found].flatMap(([port, mac]) => (mac === undefined ? [] : [[port, mac] as const])))
}

const placesOf = new WeakMap<readonly string[], ReadonlyMap<string, number>>()
/** Devices alike share their lists of keys. */
function placeOf(keys: readonly string[], port: string): number {
  const places = placesOf.get(keys) ?? new Map(keys.map((key, index) => [key, index]))
  placesOf.set(keys, places)
  return places.get(port) ?? -1
}

/** Adds what passed since the last reading. What a port takes in is what its client sent. */
function addPassed({ counters: { keys, deltas } }: Counting, alone: AlonePorts, known: boolean): void {
  for (const [port, one] of alone) {
    const cell = placeOf(keys, port) * 2
    one.up += known ? (deltas[cell] ?? Number.NaN) : Number.NaN
    one.down += known ? (deltas[cell + 1] ?? Number.NaN) : Number.NaN
  }
}

/**
 * Takes a reading in, after its counters. `fresh`: the device started anew. Answers what is known once its forwarding table
 * was read again, and shows the same client alone there as before.
 */
export function takePortUse(entry: Counting, seen: Observation, fresh: boolean): PortUse[] {
  const before = entry.alone
  if (before && seen.interfaces) addPassed(entry, before, !fresh)
  if (!seen.hosts) return []
  const now = aloneOn(seen.hosts)
  entry.alone = new Map(Array.from(now, ([port, mac]) => [port, { mac, at: seen.takenAt, down: 0, up: 0 }]))
  return [...(before ?? [])].flatMap(([port, { mac, at, down, up }]) => {
    const seconds = (seen.takenAt - at) / 1000
    const isKnown = now.get(port) === mac && seconds > 0 && !Number.isNaN(down) && !Number.isNaN(up)
    return isKnown ? [{ port, mac, seconds, down, up }] : []
  })
}

/** The rates of ports with one client, by interface key. */
export const portRates = (uses: readonly PortUse[]): ReadonlyMap<string, Rate> =>
  new Map(
    uses.map(({ port, seconds, down, up }) => [port, { downBps: (down * 8) / seconds, upBps: (up * 8) / seconds }]),
  )
