// An SNMPv1/v2c agent over a real UDP socket that answers from a recorded walk (snmpsim's `OID|tag|value` lines).
// It has its own BER on purpose: a mistake in the product's must not be repeated here and so go unseen.
import { execFileSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'

export type Entry = { oid: number[]; value: Buffer }

export function parseWalk(text: string): Entry[] {
  const entries: Entry[] = []
  for (const line of text.split('\n')) {
    const [name, tag, ...rest] = line.replace(/\r$/, '').split('|')
    if (!name || !tag || !/^[\d.]+$/.test(name)) continue
    const value = encodeValue(tag, rest.join('|'))
    const oid = name.split('.').map(Number)
    if (value) entries.push({ oid, value })
  }
  entries.sort((a, b) => compare(a.oid, b.oid))
  return entries.filter((entry, i) => i === 0 || compare(entry.oid, (entries[i - 1] as Entry).oid) !== 0)
}

/** A `.snmprec` or `.snmprec.bz2` file. */
export function readWalk(file: string): Entry[] {
  const text = file.endsWith('.bz2')
    ? execFileSync('bunzip2', ['-c', file], { maxBuffer: 1 << 28 }).toString('latin1')
    : readFileSync(file, 'latin1')
  return parseWalk(text)
}

export function compare(a: number[], b: number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  return a.length - b.length
}

// --- BER ---------------------------------------------------------------------------------------------------------

export function tlv(tag: number, content: Buffer): Buffer {
  const n = content.length
  const head = n < 128 ? [tag, n] : n < 256 ? [tag, 0x81, n] : [tag, 0x82, n >> 8, n & 255]
  return Buffer.concat([Buffer.from(head), content])
}

export function encodeName(oid: number[]): Buffer {
  const out: number[] = []
  for (const part of [(oid[0] ?? 0) * 40 + (oid[1] ?? 0), ...oid.slice(2)]) {
    const digits = [part % 128]
    for (let rest = Math.floor(part / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128)
    out.push(...digits)
  }
  return Buffer.from(out)
}

export function encodeNumber(tag: number, value: bigint): Buffer {
  const out: number[] = []
  let rest = value
  do {
    out.unshift(Number(rest & 255n))
    rest >>= 8n
  } while (!((rest === 0n && (out[0] as number) < 128) || (rest === -1n && (out[0] as number) > 127)))
  return tlv(tag, Buffer.from(out))
}

const numeric = new Set([2, 65, 66, 67, 70])

function encodeValue(tag: string, value: string): Buffer | undefined {
  const [kind = '', mode] = tag.split(':')
  const hex = kind.endsWith('x')
  const type = Number.parseInt(kind, 10)
  if (mode === 'numeric') return encodeNumber(type, BigInt(/initial=(\d+)/.exec(value)?.[1] ?? 0))
  const kept = /value=([^,]*)/.exec(value)?.[1]
  if (mode === 'writecache' && kept !== undefined) return encodeValue(kind, kept)
  if (mode || !Number.isInteger(type)) return undefined
  if (type === 5) return tlv(5, Buffer.alloc(0))
  const bytes = hex ? Buffer.from(value, 'hex') : Buffer.from(value, 'latin1')
  if (type === 6) return tlv(6, encodeName(value.split('.').map(Number)))
  if (type === 64 && !hex) return tlv(64, Buffer.from(value.split('.').map(Number)))
  if (numeric.has(type) && !hex) return encodeNumber(type, BigInt(value.trim() || 0))
  return tlv(type, bytes)
}

type Tlv = { tag: number; content: Buffer; end: number }
export function readTlv(data: Buffer, at: number): Tlv {
  const tag = data[at] as number
  let length = data[at + 1] as number
  let start = at + 2
  if (length > 127) {
    const count = length - 128
    length = data.readUIntBE(start, count)
    start += count
  }
  return { tag, content: data.subarray(start, start + length), end: start + length }
}

function children(data: Buffer): Tlv[] {
  const out: Tlv[] = []
  for (let at = 0; at < data.length; ) {
    const next = readTlv(data, at)
    out.push(next)
    at = next.end
  }
  return out
}

const toNumber = (content: Buffer) => content.reduce((sum, byte) => sum * 256 + byte, 0)

function decodeName(content: Buffer): number[] {
  const out = [Math.floor((content[0] ?? 0) / 40), (content[0] ?? 0) % 40]
  let part = 0
  for (const byte of content.subarray(1)) {
    part = part * 128 + (byte & 127)
    if (byte < 128) {
      out.push(part)
      part = 0
    }
  }
  return out
}

export type Question = {
  version: number
  community: Buffer
  type: number
  id: Buffer
  first: number
  second: number
  names: number[][]
}

export function parseQuestion(data: Buffer): Question {
  const [version, community, body] = children(readTlv(data, 0).content) as [Tlv, Tlv, Tlv]
  const [id, first, second, list] = children(body.content) as [Tlv, Tlv, Tlv, Tlv]
  const names = children(list.content).map(each => decodeName(readTlv(each.content, 0).content))
  const numbers = {
    version: toNumber(version.content),
    first: toNumber(first.content),
    second: toNumber(second.content),
  }
  return { ...numbers, community: community.content, type: body.tag, id: id.content, names }
}

export function answer(question: Question, status: number, index: number, bindings: Buffer[]): Buffer {
  const body = [
    tlv(2, question.id),
    encodeNumber(2, BigInt(status)),
    encodeNumber(2, BigInt(index)),
    tlv(0x30, Buffer.concat(bindings)),
  ]
  const parts = [encodeNumber(2, BigInt(question.version)), tlv(4, question.community), tlv(0xa2, Buffer.concat(body))]
  return tlv(0x30, Buffer.concat(parts))
}

// --- the agent ---------------------------------------------------------------------------------------------------

function firstAfter(entries: Entry[], oid: number[], orEqual: boolean): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compare((entries[middle] as Entry).oid, oid)
    if (order < 0 || (order === 0 && !orEqual)) low = middle + 1
    else high = middle
  }
  return low
}

const bind = (oid: number[], value: Buffer) => tlv(0x30, Buffer.concat([tlv(6, encodeName(oid)), value]))
const exception = (oid: number[], tag: number) => bind(oid, tlv(tag, Buffer.alloc(0)))

function single(entries: Entry[], question: Question): Buffer {
  const next = question.type === 0xa1
  const bindings: Buffer[] = []
  for (const [i, name] of question.names.entries()) {
    const entry = entries[firstAfter(entries, name, !next)]
    const found = entry && (next || compare(entry.oid, name) === 0) ? entry : undefined
    if (!found && question.version === 0)
      return answer(
        question,
        2,
        i + 1,
        question.names.map(each => exception(each, 5)),
      )
    bindings.push(found ? bind(found.oid, found.value) : exception(name, next ? 0x82 : 0x80))
  }
  return answer(question, 0, 0, bindings)
}

function bulk(entries: Entry[], question: Question, most: number): Buffer {
  const places = question.names.map(name => firstAfter(entries, name, false))
  const bindings: Buffer[] = []
  let size = 0
  for (let row = 0; row < Math.max(1, question.second) && size < most; row++)
    for (const [i, place] of places.entries()) {
      const entry = entries[place + row]
      const binding = entry ? bind(entry.oid, entry.value) : exception(question.names[i] as number[], 0x82)
      size += binding.length
      if (size > most && bindings.length > 0) break
      bindings.push(binding)
    }
  return answer(question, 0, 0, bindings)
}

export type Agent = {
  port: number
  requests: number
  onFrom?: (port: number) => void
  /** A request came that gets no answer. */
  onSilence?: () => void
  close(): Promise<void>
}
export type AgentOptions = {
  community?: string
  mostBytes?: number
  address?: string
  /** No answer to a request for anything below this identifier. */
  silentBelow?: string
  /** No answer at all after so many. */
  silentAfter?: number
}

/** Listens on an ephemeral port of the loopback. Another community gets no answer, as from a real agent. */
export async function startAgent(entries: Entry[], options: AgentOptions = {}): Promise<Agent> {
  const { community = 'public', mostBytes = 1400, address = '127.0.0.1' } = options
  const silent = options.silentBelow?.split('.').map(Number)
  let left = options.silentAfter ?? Number.POSITIVE_INFINITY
  return serve(address, data => {
    // Version 3 is another format: an agent without it stays silent.
    if (toNumber((children(readTlv(data, 0).content)[0] as Tlv).content) > 1) return undefined
    const question = parseQuestion(data)
    const choked = silent && question.names.some(name => silent.every((part, i) => name[i] === part))
    if (choked || --left < 0) return undefined
    if (question.community.toString() !== community) return undefined
    return respond(entries, question, mostBytes)
  })
}

/** What an agent of these entries answers. */
export const respond = (entries: Entry[], question: Question, mostBytes = 1400): Buffer =>
  question.type === 0xa5 ? bulk(entries, question, mostBytes) : single(entries, question)

/** Writes what a SetRequest says over entries that are there, and answers it; notWritable (17) where one is not, and nothing is written. */
export function takeSet(entries: Entry[], data: Buffer): Buffer {
  const question = parseQuestion(data)
  const body = children(readTlv(data, 0).content)[2] as Tlv
  const list = children((children(body.content)[3] as Tlv).content)
  const values = list.map(({ content }) => content.subarray(readTlv(content, 0).end))
  const places = question.names.map(name => entries.find(entry => compare(entry.oid, name) === 0))
  const missing = places.indexOf(undefined)
  for (const [at, place] of places.entries()) if (place && missing < 0) place.value = Buffer.from(values[at] as Buffer)
  const bindings = question.names.map((name, at) => bind(name, values[at] as Buffer))
  return answer(question, missing < 0 ? 0 : 17, missing + 1, bindings)
}

/** A socket that answers each packet by what `reply` makes of it. */
export async function serve(
  address: string,
  reply: (data: Buffer) => Buffer | undefined | Promise<Buffer | undefined>,
): Promise<Agent> {
  const socket: Socket = createSocket('udp4')
  await new Promise<void>(done => socket.bind(0, address, done))
  const agent: Agent = {
    port: socket.address().port,
    requests: 0,
    close: () => new Promise<void>(done => socket.close(() => done())),
  }
  let open = true
  socket.on('close', () => {
    open = false
  })
  socket.on('message', async (data, from) => {
    agent.requests++
    agent.onFrom?.(from.port)
    const out = await reply(data)
    if (out && open) socket.send(out, from.port, from.address)
    else agent.onSilence?.()
  })
  return agent
}
