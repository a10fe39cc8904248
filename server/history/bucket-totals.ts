import { type Buckets, base, guarded, pause } from './buckets'
import type { HistoryFile } from './file'
import { totalOf } from './sums'

// What all devices of all networks carried in one bucket of time, packed: a list by traffic would else read each device's
// row with all its interfaces.

/** Columns of equal length: device, octets in and out, and the seconds for which they are known. */
export type BucketTotals = { devices: Int32Array; seconds: Float32Array; octets: Float64Array }

const widths = { octets: 16, seconds: 4, devices: 4 }
const width = widths.octets + widths.seconds + widths.devices

function columnsOf(block: ArrayBuffer): BucketTotals {
  const count = block.byteLength / width
  return {
    octets: new Float64Array(block, 0, count * 2),
    seconds: new Float32Array(block, count * widths.octets, count),
    devices: new Int32Array(block, count * (widths.octets + widths.seconds), count),
  }
}

const packed = ({ octets }: BucketTotals): Buffer => Buffer.from(octets.buffer)

/** As `packed` made it; the bytes are copied to where numbers may lie. */
function unpacked(data: Buffer): BucketTotals {
  const block = new ArrayBuffer(data.length)
  new Uint8Array(block).set(data)
  return columnsOf(block)
}

const rowsAtOnce = 2500

/** Of the rows as they are in the file; yields between slices. */
async function added(file: Pick<HistoryFile, 'rowsIn' | 'countIn'>, tier: number, at: number): Promise<BucketTotals> {
  const room = columnsOf(new ArrayBuffer(file.countIn(tier, 'device', at) * width))
  let count = 0
  for (let after = 0; ; ) {
    const rows = file.rowsIn(tier, at, { of: 'device', id: after }, rowsAtOnce)
    for (const { id, data } of rows) {
      after = id
      const total = totalOf(data)
      if (!total || count >= room.devices.length) continue
      room.devices[count] = id
      room.seconds[count] = total.seconds
      room.octets.set([total.inOctets, total.outOctets], count * 2)
      count++
    }
    if (rows.length < rowsAtOnce) break
    await pause()
  }
  const whole = columnsOf(new ArrayBuffer(count * width))
  whole.octets.set(room.octets.subarray(0, count * 2))
  whole.seconds.set(room.seconds.subarray(0, count))
  whole.devices.set(room.devices.subarray(0, count))
  return whole
}

type Kept = Pick<HistoryFile, 'rowsIn' | 'countIn' | 'totalsOf' | 'putTotals' | 'hasFormer'>

/** Of one bucket (`step` seconds from `at`). Once all of it was written, a while after its end, it is added up no more. */
export async function bucketTotals(
  { file, buckets }: { file: Kept; buckets: Buckets },
  { tier, at, step, now }: { tier: number; at: number; step: number; now: number },
): Promise<BucketTotals> {
  const known = file.totalsOf(tier, at)
  if (known) return unpacked(known)
  const made = await added(file, tier, at)
  if (at + step + base <= now && !buckets.failing && !file.hasFormer())
    guarded(buckets, () => file.putTotals(tier, at, packed(made)))
  return made
}
