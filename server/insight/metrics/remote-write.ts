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

function sampleOf(double: Buffer, at: number): Buffer {
  return field(2, Buffer.concat([Buffer.from([(1 << 3) | 1]), double, Buffer.from([2 << 3, ...varint(at)])]))
}

function doubleOf(value: number): Buffer {
  const double = Buffer.alloc(8)
  double.writeDoubleLE(value)
  return double
}

/** The one not-a-number by which a store knows that a series has ended; by its bits, which no number type promises to keep. */
const ended = Buffer.from([2, 0, 0, 0, 0, 0, 0xf0, 0x7f])

/** Labels of the series that describe something (`…_info`), as they were written last. */
export type Described = Set<string>
const describes = (family: string): boolean => family.endsWith('_info')

function* seriesOf({ family, names, rows, values }: Group, at: number, now: Described): Generator<Buffer> {
  for (const [index, row] of rows.entries()) {
    const value = values[index] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const pairs = names.map((name, place) => [name, row[place] ?? ''] as const)
    const labels = labelsOf([['__name__', family], ...pairs])
    if (describes(family)) now.add(labels.toString('latin1'))
    yield field(1, Buffer.concat([labels, sampleOf(doubleOf(value), at)]))
  }
}

/** A store believes a series for five minutes: two that describe one device would make every join with them fail. */
function* endedSeries(before: Described, now: Described, at: number): Generator<Buffer> {
  for (const labels of before)
    if (!now.has(labels)) yield field(1, Buffer.concat([Buffer.from(labels, 'latin1'), sampleOf(ended, at)]))
}

export type Request = { body: Uint8Array; series: number }

async function* everySeries(groups: AsyncIterable<Group>, at: number, described: Described): AsyncGenerator<Buffer> {
  const now: Described = new Set()
  for await (const group of groups) yield* seriesOf(group, at, now)
  yield* endedSeries(described, now, at)
  described.clear()
  for (const labels of now) described.add(labels)
}

/**
 * Requests with one sample of each series, all of the same time (unix ms). `described` is what the requests before these
 * described, and then what these do: what is described otherwise now is ended (remote write's stale marker).
 */
export async function* requestsOf(
  groups: AsyncIterable<Group>,
  at: number,
  described: Described,
): AsyncGenerator<Request> {
  let waiting: Buffer[] = []
  const request = (): Request => ({ body: compress(Buffer.concat(waiting)), series: waiting.length })
  for await (const series of everySeries(groups, at, described)) {
    waiting.push(series)
    if (waiting.length < seriesAtOnce) continue
    yield request()
    waiting = []
  }
  if (waiting.length > 0) yield request()
}
