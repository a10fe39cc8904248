// What one device did in one bucket of time, as sums: two buckets make a coarser one by adding them, and a bucket
// half written before a restart is finished by adding the rest. Averages are made only when somebody reads.

export type Sums = {
  polls: number
  answered: number
  /** Seconds for which the device's own octets are known. */
  seconds: number
  inOctets: number
  outOctets: number
  /** Sums of percentages and counts, each with the number of readings in it. */
  cpu: number
  cpuReadings: number
  memory: number
  memoryReadings: number
  clients: number
  clientReadings: number
  /** By interface slot: seconds known, and octets in, out, in, out … */
  known: Float32Array
  octets: Float64Array
}

const version = 1
/** What comes before a row's interfaces. */
export const headBytes = 48
const head = headBytes
const entry = 12

/** Both in one block: a block of each one's own costs as much again as what is in it. */
function roomFor(slots: number): Pick<Sums, 'known' | 'octets'> {
  const block = new ArrayBuffer(slots * 20)
  return { octets: new Float64Array(block, 0, slots * 2), known: new Float32Array(block, slots * 16, slots) }
}

export const emptySums = (slots = 0): Sums => ({
  polls: 0,
  answered: 0,
  seconds: 0,
  inOctets: 0,
  outOctets: 0,
  cpu: 0,
  cpuReadings: 0,
  memory: 0,
  memoryReadings: 0,
  clients: 0,
  clientReadings: 0,
  ...roomFor(slots),
})

/** Makes room for interfaces up to `slots`. */
export function widen(sums: Sums, slots: number): void {
  if (sums.known.length >= slots) return
  const { known, octets } = roomFor(slots)
  known.set(sums.known)
  octets.set(sums.octets)
  Object.assign(sums, { known, octets })
}

const numbers = [
  'polls',
  'answered',
  'seconds',
  'inOctets',
  'outOctets',
  'cpu',
  'cpuReadings',
  'memory',
  'memoryReadings',
  'clients',
  'clientReadings',
] as const

export function addSums(into: Sums, other: Sums): Sums {
  for (const field of numbers) into[field] += other[field]
  widen(into, other.known.length)
  other.known.forEach((seconds, slot) => {
    into.known[slot] = (into.known[slot] ?? 0) + seconds
  })
  other.octets.forEach((octets, cell) => {
    into.octets[cell] = (into.octets[cell] ?? 0) + octets
  })
  return into
}

const short = (value: number) => Math.min(0xffff, Math.max(0, Math.round(value)))

/** A row's bytes: 48 of head, 12 for each interface that was read at all. */
export function encodeSums(sums: Sums): Buffer {
  let entries = 0
  for (const seconds of sums.known) if (seconds > 0) entries++
  const data = Buffer.allocUnsafe(head + entries * entry)
  data.writeUInt8(version, 0)
  data.writeUInt8(0, 1)
  data.writeUInt16LE(entries, 2)
  data.writeUInt16LE(short(sums.polls), 4)
  data.writeUInt16LE(short(sums.answered), 6)
  data.writeFloatLE(sums.seconds, 8)
  data.writeFloatLE(sums.cpu, 12)
  data.writeUInt16LE(short(sums.cpuReadings), 16)
  data.writeUInt16LE(short(sums.memoryReadings), 18)
  data.writeFloatLE(sums.memory, 20)
  data.writeFloatLE(sums.clients, 24)
  data.writeUInt16LE(short(sums.clientReadings), 28)
  data.writeUInt16LE(0, 30)
  data.writeDoubleLE(sums.inOctets, 32)
  data.writeDoubleLE(sums.outOctets, 40)
  let at = head
  for (let slot = 0; slot < sums.known.length; slot++) {
    const seconds = sums.known[slot] ?? 0
    if (!(seconds > 0)) continue
    data.writeUInt16LE(slot, at)
    data.writeUInt16LE(short(seconds), at + 2)
    data.writeFloatLE(sums.octets[slot * 2] ?? 0, at + 4)
    data.writeFloatLE(sums.octets[slot * 2 + 1] ?? 0, at + 8)
    at += entry
  }
  return data
}

/** Reads a row back; undefined when it is of another version or cut short. `slots`: interfaces too. */
export function decodeSums(data: Buffer, slots = true): Sums | undefined {
  if (data.length < head || data.readUInt8(0) !== version) return undefined
  const entries = slots ? data.readUInt16LE(2) : 0
  if (data.length < head + entries * entry) return undefined
  const last = entries ? data.readUInt16LE(head + (entries - 1) * entry) + 1 : 0
  const sums = emptySums(last)
  sums.polls = data.readUInt16LE(4)
  sums.answered = data.readUInt16LE(6)
  sums.seconds = data.readFloatLE(8)
  sums.cpu = data.readFloatLE(12)
  sums.cpuReadings = data.readUInt16LE(16)
  sums.memoryReadings = data.readUInt16LE(18)
  sums.memory = data.readFloatLE(20)
  sums.clients = data.readFloatLE(24)
  sums.clientReadings = data.readUInt16LE(28)
  sums.inOctets = data.readDoubleLE(32)
  sums.outOctets = data.readDoubleLE(40)
  for (let index = 0, at = head; index < entries; index++, at += entry) {
    const slot = data.readUInt16LE(at)
    sums.known[slot] = data.readUInt16LE(at + 2)
    sums.octets[slot * 2] = data.readFloatLE(at + 4)
    sums.octets[slot * 2 + 1] = data.readFloatLE(at + 8)
  }
  return sums
}

/** The octets of a row without its interfaces. */
export function totalOf(data: Buffer): { inOctets: number; outOctets: number; seconds: number } | undefined {
  if (data.length < head || data.readUInt8(0) !== version) return undefined
  return { seconds: data.readFloatLE(8), inOctets: data.readDoubleLE(32), outOctets: data.readDoubleLE(40) }
}
