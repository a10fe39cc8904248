import { diagnosisLimits } from '@/model/troubleshooting/request'
import { type Packet, pcapOf } from '@/server/drivers/tools/packets'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

// The packets of the newest captures, by the diagnosis that they belong to: in memory alone. They hold what people send, so
// they are in no file and in no backup; each is bounded by its request.

type Capture = { link: number; records: Uint8Array[] }
const captures = part('captures', () => new Map<string, Capture>())

export function keepPacket(runtime: Runtime, id: string, { link, record }: Packet): void {
  const kept = captures.of(runtime)
  const found = kept.get(id)
  if (found) {
    found.records.push(record)
    return
  }
  kept.set(id, { link, records: [record] })
  const [oldest] = kept.keys()
  if (kept.size > diagnosisLimits.captures && oldest !== undefined) kept.delete(oldest)
}

/** A pcap file; undefined where none is kept. */
export function captureFile(runtime: Runtime, id: string): Buffer | undefined {
  const found = captures.of(runtime).get(id)
  return found && pcapOf(found.link, found.records)
}

export function dropCaptures(runtime: Runtime, ids: readonly string[]): void {
  for (const id of ids) captures.of(runtime).delete(id)
}
