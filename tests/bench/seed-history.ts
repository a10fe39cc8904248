import { openHistoryFile } from '@/server/history/file'
import { emptySums, encodeSums } from '@/server/history/sums'
import { bucketOf, tiers } from '@/server/history/tiers'

/** A day and two hours of it: the longest range that its finest tier answers. */
const seconds = 26 * 3600
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

/**
 * Writes the last day of `devices` devices (numbers from 1) and of their network into a history file, as a manager that
 * polled them for a day has it: no tier holds more rows than it keeps.
 */
export function seedHistory(file: string, devices: number, network: number, interfaces: number): void {
  const history = openHistoryFile(file, what => console.error(what))
  const now = Math.floor(Date.now() / 1000)
  for (const [tier, { seconds: step, rows }] of tiers.entries()) {
    const variants = Array.from({ length: kinds }, (_, kind) => rowOf(step, interfaces, kind))
    const of = Array.from(
      { length: devices },
      (_, i) => [{ of: 'device', id: i + 1 } as const, variants[i % kinds] as Buffer] as const,
    )
    const all = [...of, [{ of: 'network', id: network } as const, variants[0] as Buffer] as const]
    const newest = bucketOf(now * 1000, step) - step
    const oldest = Math.max(newest - seconds, newest - Math.floor(rows / devices) * step)
    for (let bucket = Math.ceil(oldest / step) * step; bucket <= newest; bucket += step) history.put(tier, bucket, all)
  }
  history.close()
}
