import { compress } from 'snappyjs'
import type { Group } from './families'

// Prometheus' remote write 1.0: a protobuf of three nested messages, compressed by Snappy's block format.
//   WriteRequest { repeated TimeSeries timeseries = 1 }
//   TimeSeries   { repeated Label labels = 1; repeated Sample samples = 2 }
//   Label        { string name = 1; string value = 2 }
//   Sample       { double value = 1; int64 timestamp = 2 }

export const writeHeaders = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
} as const

/** So many series stand in one request: a store takes a few megabytes at a time. */
const seriesAtOnce = 5000

/** Lengths here are below 2^28; a timestamp in milliseconds needs 42 bits, which no bit operator has. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return bytes
}

const lengthDelimited = 2
const field = (number: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | lengthDelimited, ...varint(body.length)]), body])

const labelOf = (name: string, value: string): Buffer =>
  field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]))

/** Sorted by name, as a store demands; a label without a value is the same as none. */
const labelsOf = (pairs: readonly (readonly [string, string])[]): Buffer =>
  Buffer.concat(
    pairs
      .filter(([, value]) => value !== '')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => labelOf(name, value)),
  )

function sampleOf(value: number, at: number): Buffer {
  const double = Buffer.alloc(9)
  double[0] = (1 << 3) | 1
  double.writeDoubleLE(value, 1)
  return field(2, Buffer.concat([double, Buffer.from([2 << 3, ...varint(at)])]))
}

function* seriesOf({ family, names, rows, values }: Group, at: number): Generator<Buffer> {
  for (const [index, row] of rows.entries()) {
    const value = values[index] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const pairs = names.map((name, place) => [name, row[place] ?? ''] as const)
    yield field(1, Buffer.concat([labelsOf([['__name__', family], ...pairs]), sampleOf(value, at)]))
  }
}

export type Request = { body: Uint8Array; series: number }

/** Requests with one sample of each series, all of the same time (unix ms). */
export async function* requestsOf(groups: AsyncIterable<Group>, at: number): AsyncGenerator<Request> {
  let waiting: Buffer[] = []
  const request = (): Request => ({ body: compress(Buffer.concat(waiting)), series: waiting.length })
  for await (const group of groups)
    for (const series of seriesOf(group, at)) {
      waiting.push(series)
      if (waiting.length < seriesAtOnce) continue
      yield request()
      waiting = []
    }
  if (waiting.length > 0) yield request()
}
