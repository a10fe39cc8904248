import { pause } from './buckets'
import type { HistoryFile } from './file'
import type { ForgottenSeries } from './file-clients'
import { measured } from './series'
import { withoutStations } from './station-rows'
import { type StationBook, stationTiers } from './stations'
import { tiers } from './tiers'

// Rows of what was forgotten lie in thousands of buckets: they are dropped one bucket after the other, beside the polls, and
// after a restart it goes on.

/** What may be forgotten: a device with its ways to the internet, a network with its clients, or a client. */
export type Forgotten = { of: 'device' | 'network'; id: number } | { of: 'client'; network: number; mac: string }

/** Series that are looked for in each bucket. */
const atOnce = 200

async function dropSamples(file: HistoryFile, forgotten: readonly ForgottenSeries[]): Promise<void> {
  for (const of of measured) {
    const ids = forgotten.flatMap(one => (one.of === of ? one.id : []))
    if (ids.length === 0) continue
    // The finer first: what is gone there is rolled up no more.
    for (const tier of tiers.keys())
      for (let at = file.next(tier, of, -1); at !== undefined; at = file.next(tier, of, at)) {
        file.drop(tier, of, at, ids)
        await pause()
      }
  }
}

/** Of a network all that access points told of its clients, or what they told of these. */
async function dropStations(file: HistoryFile, network: number, macs?: readonly string[]): Promise<void> {
  for (const tier of stationTiers.keys())
    for (let row = file.nextStations(tier, network, -1); row; row = file.nextStations(tier, network, row.ts)) {
      const left = macs && withoutStations(row.data, macs)
      if (!left) file.dropStations(tier, network, row.ts)
      else if (left.length < row.data.length) file.putStations(tier, network, row.ts, left)
      await pause()
    }
}

/** Drops what is left of all that was forgotten; yields between buckets. */
export async function dropForgotten(file: HistoryFile, stations: Pick<StationBook, 'forget'>): Promise<void> {
  for (let some = file.forgotten(atOnce); some.length > 0; some = file.forgotten(atOnce)) {
    await dropSamples(file, some)
    for (const { of, id } of some) if (of === 'network') await dropStations(file, id)
    for (const network of new Set(some.flatMap(one => one.network ?? []))) {
      const macs = some.flatMap(one => (one.network === network ? (one.mac ?? []) : []))
      // A bucket that the process before began was read again since.
      for (const mac of macs) stations.forget(network, mac)
      await dropStations(file, network, macs)
    }
    for (const one of some) file.endForgetting(one)
  }
}
