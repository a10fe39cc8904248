import { uncompress } from 'snappyjs'
import type { Group } from '@/server/insight/metrics/families'
import { type Described, requestsOf } from '@/server/insight/metrics/remote-write'

/** The fields of a message whose lengths and numbers are small: [number, bytes or value]. */
function fieldsOf(message: Buffer): [number, Buffer][] {
  const found: [number, Buffer][] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] ?? 0
      value += (byte % 128) * shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = varint()
    const start = key % 8 === 1 ? at : undefined
    if (key % 8 === 0) varint()
    else {
      const length = start === undefined ? varint() : 8
      found.push([Math.floor(key / 8), message.subarray(at, at + length)])
      at += length
    }
  }
  return found
}

const parts = (message: Buffer, number: number) =>
  fieldsOf(message).flatMap(([is, body]) => (is === number ? [body] : []))
/** Each series of the requests: its labels and its value's bits. */
async function written(groups: Group[], described: Described) {
  async function* all() {
    yield* groups
  }
  const series: [string, string][] = []
  for await (const { body } of requestsOf(all(), 1_800_000_000_000, described))
    for (const one of parts(Buffer.from(uncompress(body)), 1)) {
      const labels = parts(one, 1).map(label =>
        fieldsOf(label)
          .map(([, text]) => text.toString())
          .join('='),
      )
      const [sample = Buffer.of()] = parts(one, 2)
      const [value = Buffer.of()] = parts(sample, 1)
      series.push([labels.join(' '), value.readBigUInt64LE().toString(16)])
    }
  return series
}

const one = '3ff0000000000000'
/** As Prometheus defines StaleNaN. */
const ended = '7ff0000000000002'
const info = (...rows: string[][]): Group => ({
  family: 'lanward_device_info',
  names: ['device', 'name'],
  rows,
  values: rows.map(() => 1),
})
const up: Group = { family: 'lanward_device_up', names: ['device'], rows: [['1']], values: [1] }
const labels = (name: string, device = '1') => `__name__=lanward_device_info device=${device} name=${name}`

test('what is described by other labels than before is ended at once, once, and nothing else is', async () => {
  const described: Described = new Set()
  expect(await written([up, info(['1', 'gw'], ['2', 'Küche'])], described)).toEqual([
    ['__name__=lanward_device_up device=1', one],
    [labels('gw'), one],
    [labels('Küche', '2'), one],
  ])
  expect(await written([info(['1', 'gateway'])], described)).toEqual([
    [labels('gateway'), one],
    [labels('gw'), ended],
    [labels('Küche', '2'), ended],
  ])
  expect(await written([info(['1', 'gateway'])], described)).toEqual([[labels('gateway'), one]])
})
