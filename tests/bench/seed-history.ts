import { statSync } from 'node:fs'
import { clientSeries, newClientBook } from '@/server/history/client-numbers'
import { openHistoryFile } from '@/server/history/file'
import type { SampleRow } from '@/server/history/file-samples'
import { packStations } from '@/server/history/station-rows'
import { stationTiers } from '@/server/history/stations'
import { emptySums, encodeSums } from '@/server/history/sums'
import { bucketOf, tiers } from '@/server/history/tiers'

/** A day and two hours: the longest range that the finest tier answers. */
const dayAndMore = 26 * 3600
/** Rows differ in this many ways: enough that an order by traffic is one. */
const kinds = 97

/** What a device of `interfaces` did in a bucket of `step` seconds, one poll a minute; `kind` makes it more or less. */
function rowOf(step: number, interfaces: number, kind: number): Buffer {
  const polls = step / 60
  const carried = (kind + 1) * 1e6 * polls
  const sums = {
    ...emptySums(interfaces),
    ...{ polls, answered: polls, seconds: step, inOctets: carried, outOctets: carried / 3 },
    ...{ cpu: 20 * polls, cpuReadings: polls, memory: 50 * polls, memoryReadings: polls },
    ...{ clients: 12 * polls, clientReadings: polls },
  }
  sums.known.fill(step)
  sums.octets.fill(carried / interfaces)
  return encodeSums(sums)
}

/** What a client did in it. */
function clientRow(step: number, kind: number): Buffer {
  const polls = step / 60
  const octets = { inOctets: (kind + 1) * 1e4 * polls, outOctets: (kind + 1) * 1e5 * polls }
  return encodeSums({ ...emptySums(), polls, answered: polls, seconds: step, ...octets })
}

const device = (id: number) => ({ of: 'device', id }) as const

/** A private MAC address of its own for each. */
export const macOfClient = (i: number): string =>
  `02:00:${i
    .toString(16)
    .padStart(8, '0')
    .replace(/..(?!$)/g, '$&:')}`

/** Signal and octets of clients, as access points and ports tell them. */
export function seedStations(file: string, network: number, macs: readonly string[], now: number): void {
  const history = openHistoryFile(file, what => console.error(what))
  for (const [tier, { seconds: step, keepSeconds }] of stationTiers.entries()) {
    const sums = { signal: -55, heard: 1, down: step * 1e4, up: step * 1e3 }
    const data = packStations(new Map(macs.map(mac => [mac, sums])))
    const newest = bucketOf(now * 1000, step) - step
    for (let bucket = newest; bucket > newest - keepSeconds; bucket -= step)
      history.putStations(tier, network, bucket, data)
  }
  history.close()
}

export type SeedOptions = {
  devices: number
  network: number
  interfaces: number
  clients?: number
  /** How long it goes back; each tier as far as it is kept. */
  seconds?: number
}

/**
 * Writes the last day, or longer, of `devices` devices (numbers from 1), of their network and of its clients into a history
 * file, as a manager that polled them so long has it: no tier holds more rows than it keeps. Returns how many it wrote, and how large
 * the file was by them.
 */
export function seedHistory(
  file: string,
  { devices, network, interfaces, clients = 0, seconds = dayAndMore }: SeedOptions,
) {
  const history = openHistoryFile(file, what => console.error(what))
  const now = Math.floor(Date.now() / 1000)
  const book = newClientBook(history, () => undefined)
  const ids = Array.from(
    { length: clients },
    (_, i) => clientSeries(book, network, macOfClient(i), now * 1000)?.id ?? 0,
  )
  let written = 0
  for (const [tier, { seconds: step, keepSeconds, rows }] of tiers.entries()) {
    const variants = Array.from({ length: kinds }, (_, kind) => rowOf(step, interfaces, kind))
    const ofClients = Array.from({ length: kinds }, (_, kind) => clientRow(step, kind))
    const all: SampleRow[] = [
      ...Array.from({ length: devices }, (_, i) => [device(i + 1), variants[i % kinds] as Buffer] as const),
      [{ of: 'network', id: network }, variants[0] as Buffer],
      ...ids.map((id, i) => [{ of: 'client', id } as const, ofClients[i % kinds] as Buffer] as const),
    ]
    const newest = bucketOf(now * 1000, step) - step
    const kept = Math.min(seconds, keepSeconds, Math.floor(rows / devices) * step)
    const oldest = newest - kept
    for (let bucket = Math.ceil(oldest / step) * step; bucket <= newest; bucket += step) {
      history.put(tier, bucket, all)
      written += all.length
    }
  }
  history.close()
  const bytes = statSync(file).size
  const macs = Array.from({ length: clients }, (_, i) => macOfClient(i))
  if (clients > 0) seedStations(file, network, macs, now)
  return { samples: written, bytes }
}
