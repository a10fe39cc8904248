// Reading BER, and identifiers (RFC 1157, RFC 3416). Written for the poller: a response is decoded in one pass, and
// an object identifier below one that was asked for costs only its last parts.

/** Application and context tags of SNMP values (RFC 2578 section 7, RFC 3416 section 3). */
export const tag = {
  integer: 2,
  octets: 4,
  null: 5,
  oid: 6,
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

export const pdu = {
  ...{ get: 0xa0, getNext: 0xa1, response: 0xa2, set: 0xa3, trap: 0xa4 },
  ...{ getBulk: 0xa5, inform: 0xa6, trap2: 0xa7, report: 0xa8 },
} as const

/** Numbers for the integer types, bytes for octet strings, dotted text for identifiers and addresses, null for none. */
export type Value = number | string | Buffer | null

/** `base` is the position of the asked identifier this one lies under, and `oid` the rest; −1: `oid` is the whole. */
export type VarBind = { base: number; oid: string; type: number; value: Value }

export type Oid = { text: string; bytes: Buffer }

/** A message that breaks the rules of BER or of SNMP. */
export class BerError extends Error {}

const known = new Map<string, Oid>()

/** Text and encoded form of an identifier; kept, because columns are asked for again and again. */
export function oid(text: string): Oid {
  const seen = known.get(text)
  if (seen) return seen
  const made = { text, bytes: encodeOid(text) }
  if (known.size < 4096) known.set(text, made)
  return made
}

export function encodeOid(text: string): Buffer {
  const parts = text.split('.').map(Number)
  const [first = 0, second = 0, ...rest] = parts
  const out: number[] = []
  for (const part of [first * 40 + second, ...rest]) pushBase128(out, part)
  return Buffer.from(out)
}

/** What lies below `base` at this index; the poll's hot path, so a plain number is written in place. */
export function below(base: Oid, index: string): Oid {
  const text = `${base.text}.${index}`
  const number = index.includes('.') ? -1 : Number(index)
  if (number < 0 || number >= 1 << 28) {
    // An index is no whole identifier: its first two numbers are not folded into one byte. "0.0." folds to nothing.
    return { text, bytes: Buffer.concat([base.bytes, encodeOid(`0.0.${index}`).subarray(1)]) }
  }
  const size = number < 128 ? 1 : number < 1 << 14 ? 2 : number < 1 << 21 ? 3 : 4
  const bytes = Buffer.allocUnsafe(base.bytes.length + size)
  bytes.set(base.bytes, 0)
  for (let i = size - 1, rest = number; i >= 0; i--, rest >>= 7)
    bytes[base.bytes.length + i] = (rest & 127) | (i === size - 1 ? 0 : 128)
  return { text, bytes }
}

function pushBase128(out: number[], value: number) {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  for (let place = size - 1; place >= 0; place--) out.push((Math.floor(value / 128 ** place) % 128) + (place ? 128 : 0))
}

/** A place in a message. `open` reads a header and leaves `at` on the content. */
export class Reader {
  at = 0
  end: number
  private readonly data: Buffer
  constructor(data: Buffer, at = 0, end = data.length) {
    this.data = data
    this.at = at
    this.end = end
  }

  /** Type of the next element; afterwards `at` is its content and the returned `stop` of `length()` its end. */
  open(type?: number): number {
    const data = this.data
    if (this.at + 2 > this.end) throw new BerError('truncated')
    const found = data[this.at++] as number
    if (type !== undefined && found !== type) throw new BerError(`expected type ${type}, found ${found}`)
    let length = data[this.at++] as number
    if (length > 127) {
      const count = length - 128
      if (count === 0 || count > 4 || this.at + count > this.end) throw new BerError('bad length')
      length = 0
      for (let i = 0; i < count; i++) length = length * 256 + (data[this.at++] as number)
    }
    if (this.at + length > this.end) throw new BerError('content ends outside the message')
    this.stop = this.at + length
    return found
  }
  stop = 0

  integer(type: number = tag.integer): number {
    this.open(type)
    const value = readSigned(this.data, this.at, this.stop)
    this.at = this.stop
    return value
  }

  bytes(type: number = tag.octets): Buffer {
    this.open(type)
    const value = this.data.subarray(this.at, this.stop)
    this.at = this.stop
    return value
  }
}

function readSigned(data: Buffer, at: number, stop: number): number {
  if (at === stop) throw new BerError('empty integer')
  let value = data[at] as number
  if (value > 127) value -= 256
  for (let i = at + 1; i < stop; i++) value = value * 256 + (data[i] as number)
  return value
}

// Agents are known to leave out the leading zero of large unsigned values, so the sign bit means nothing here.
function readUnsigned(data: Buffer, at: number, stop: number): number {
  if (stop - at > 9) throw new BerError('integer too long')
  let value = 0
  for (let i = at; i < stop; i++) value = value * 256 + (data[i] as number)
  return value
}

// The first number holds two: 40 times the first plus the second (X.690 section 8.19.4).
const firstTwo = (part: number) => (part < 40 ? `0.${part}` : part < 80 ? `1.${part - 40}` : `2.${part - 80}`)

/** Dotted text of an encoded identifier, or of its rest when it starts in the middle (`head` false). */
export function readOid(data: Buffer, at: number, stop: number, head: boolean): string {
  if (stop > at && (data[stop - 1] as number) > 127) throw new BerError('unfinished identifier')
  let text = ''
  let part = 0
  for (let i = at; i < stop; i++) {
    const byte = data[i] as number
    part = part * 128 + (byte & 127)
    if (byte > 127) continue
    if (part > 0xffffffff) throw new BerError('bad identifier')
    if (text !== '') text += `.${part}`
    else text = head ? firstTwo(part) : String(part)
    part = 0
  }
  return text
}

function startsWith(data: Buffer, at: number, stop: number, prefix: Buffer): boolean {
  const size = prefix.length
  if (stop - at <= size) return false
  for (let i = size - 1; i >= 0; i--) if (data[at + i] !== prefix[i]) return false
  return true
}

// net-snmp wraps a float in Opaque: 9f 78 04 and four bytes, a double 9f 79 08 and eight.
function readOpaque(bytes: Buffer): Value {
  if (bytes[0] !== 0x9f) return bytes
  if (bytes[1] === 0x78 && bytes[2] === 4 && bytes.length === 7) return bytes.readFloatBE(3)
  if (bytes[1] === 0x79 && bytes[2] === 8 && bytes.length === 11) return bytes.readDoubleBE(3)
  return bytes
}

function readValue(data: Buffer, type: number, at: number, stop: number): Value {
  switch (type) {
    case tag.integer:
      return readSigned(data, at, stop)
    case tag.counter32:
    case tag.gauge32:
    case tag.timeTicks:
    case tag.counter64:
      return readUnsigned(data, at, stop)
    case tag.octets:
      return data.subarray(at, stop)
    case tag.oid:
      return readOid(data, at, stop, true)
    case tag.ipAddress:
      return stop - at === 4 ? `${data[at]}.${data[at + 1]}.${data[at + 2]}.${data[at + 3]}` : data.subarray(at, stop)
    case tag.opaque:
      return readOpaque(data.subarray(at, stop))
    default:
      return null
  }
}

export type Response = { type: number; id: number; status: number; index: number; community: Buffer; bindings: number }

/** What pairs a message with its request: request-id, or msgID in SNMPv3. Throws BerError. */
export function messageId(data: Buffer): number {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  const version = reader.integer()
  if (version < 0 || version > 3 || version === 2) throw new BerError('other version')
  if (version !== 3) reader.bytes()
  reader.open()
  reader.end = reader.stop
  return reader.integer()
}

/** The head of an SNMPv1 or v2c message; `bindings` is where the variable bindings start. Throws BerError. */
export function readHead(data: Buffer): Response {
  const reader = new Reader(data)
  reader.open(0x30)
  reader.end = reader.stop
  const version = reader.integer()
  if (version > 1 || version < 0) throw new BerError('other version')
  const community = reader.bytes()
  const type = reader.open()
  if (type !== pdu.response) throw new BerError(`not a response: ${type}`)
  reader.end = reader.stop
  return {
    type,
    community,
    id: reader.integer(),
    status: reader.integer(),
    index: reader.integer(),
    bindings: reader.at,
  }
}

/** The variable bindings from `from` on; `asked` are the identifiers of the request, row by row in a GETBULK's reply. */
export function readBindings(data: Buffer, from: number, asked: Oid[]): VarBind[] {
  const reader = new Reader(data, from)
  reader.open(0x30)
  const end = reader.stop
  const out: VarBind[] = []
  const count = asked.length
  while (reader.at < end) {
    reader.open(0x30)
    const next = reader.stop
    reader.open(tag.oid)
    const at = reader.at
    const stop = reader.stop
    if (stop > next) throw new BerError('identifier ends outside its binding')
    const base = count ? out.length % count : -1
    const prefix = base < 0 ? undefined : asked[base]
    const below = prefix !== undefined && startsWith(data, at, stop, prefix.bytes)
    const name = below ? readOid(data, at + prefix.bytes.length, stop, false) : readOid(data, at, stop, true)
    reader.at = stop
    const type = reader.open()
    if (reader.stop > next) throw new BerError('value ends outside its binding')
    out.push({ base: below ? base : -1, oid: name, type, value: readValue(data, type, reader.at, reader.stop) })
    reader.at = next
  }
  return out
}
