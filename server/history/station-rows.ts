// What every client of a network did in one bucket of time, packed into one row: of tens of thousands of clients a row
// each would be hundreds of megabytes a day. Pure.

/**
 * Sums of one client over a bucket: `heard` readings told its signal, `signal` is their sum in dBm; octets to and from it
 * are NaN where nobody told any.
 */
export type StationSums = { signal: number; heard: number; down: number; up: number }

/** Six of the MAC address, one of the signal (0: unknown), four each of the octets. */
const width = 6 + 1 + 4 + 4
const bytesOf = (mac: string) => Buffer.from(mac.replaceAll(':', ''), 'hex')
const macOf = (bytes: Buffer) => bytes.toString('hex').replace(/..(?!$)/g, '$&:')

/** Sorted by MAC address, so that one is found without reading the others. */
export function packStations(rows: ReadonlyMap<string, StationSums>): Buffer {
  const macs = [...rows.keys()].sort()
  const data = Buffer.alloc(macs.length * width)
  for (const [at, mac] of macs.entries()) {
    const { signal, heard, down, up } = rows.get(mac) as StationSums
    bytesOf(mac).copy(data, at * width)
    data.writeInt8(heard > 0 ? Math.max(-127, Math.min(-1, Math.round(signal / heard))) : 0, at * width + 6)
    data.writeFloatLE(down, at * width + 7)
    data.writeFloatLE(up, at * width + 11)
  }
  return data
}

function sumsAt(data: Buffer, place: number): StationSums {
  const signal = data.readInt8(place + 6)
  return {
    ...{ signal, heard: signal === 0 ? 0 : 1 },
    ...{ down: data.readFloatLE(place + 7), up: data.readFloatLE(place + 11) },
  }
}

export function unpackStations(data: Buffer): Map<string, StationSums> {
  const rows = new Map<string, StationSums>()
  for (let place = 0; place + width <= data.length; place += width)
    rows.set(macOf(data.subarray(place, place + 6)), sumsAt(data, place))
  return rows
}

/** A MAC address as a number: tens of thousands are looked up for each of many rows. */
export function macNumber(mac: string): number {
  let number = 0
  for (let at = 0; at < mac.length; at += 3) number = number * 256 + digit(mac, at) * 16 + digit(mac, at + 1)
  return number
}
/** Of lower-case hexadecimal. */
const digit = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code > 96 ? code - 87 : code - 48
}

/** The octets of all, by `macNumber`. */
export function* sumsByNumber(data: Buffer): Iterable<readonly [number, { down: number; up: number }]> {
  for (let place = 0; place + width <= data.length; place += width)
    yield [data.readUIntBE(place, 6), { down: data.readFloatLE(place + 7), up: data.readFloatLE(place + 11) }] as const
}

/** Where a client's begin; undefined where it was not on the air. */
function placeOf(data: Buffer, mac: string): number | undefined {
  const wanted = bytesOf(mac)
  let [from, until] = [0, Math.floor(data.length / width)]
  while (from < until) {
    const middle = (from + until) >> 1
    const order = wanted.compare(data, middle * width, middle * width + 6)
    if (order === 0) return middle * width
    if (order < 0) until = middle
    else from = middle + 1
  }
  return undefined
}

/** One client's; undefined where it was not on the air. */
export function findStation(data: Buffer, mac: string): StationSums | undefined {
  const place = placeOf(data, mac)
  return place === undefined ? undefined : sumsAt(data, place)
}

/** All but these. */
export function withoutStations(data: Buffer, macs: readonly string[]): Buffer {
  const gone = macs.flatMap(mac => placeOf(data, mac) ?? []).sort((a, b) => a - b)
  const begins = [0, ...gone.map(place => place + width)]
  return Buffer.concat(begins.map((from, at) => data.subarray(from, gone[at])))
}
