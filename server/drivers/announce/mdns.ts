import { type Announcement, announcementLimits, plainText } from './announcement'

// Multicast DNS (RFC 6762) and DNS-SD (RFC 6763): one question for many services, and what answers say of their sender.
// Answers are hostile input: every name, record and packet is bounded, and a name may only point backwards.

const pointer = 12
const type = { a: 1, ptr: 12, txt: 16, srv: 33 } as const
const mostNameBytes = 255
const mostQuestions = 64

/** What things in a LAN offer, by what they are. */
const asked = [
  ...['ipp', 'printer', 'pdl-datastream', 'scanner', 'uscan'],
  ...['googlecast', 'airplay', 'raop', 'spotify-connect', 'sonos', 'hap', 'axis-video', 'rtsp'],
  ...['workstation', 'smb', 'afpovertcp', 'adisk', 'nfs', 'rfb', 'companion-link', 'apple-mobdev2', 'sip'],
  ...['device-info', 'http', 'ssh'],
]

function encodedName(name: string): Buffer {
  const labels = name.split('.').map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

/** One packet that asks who offers any of these; answers come to the socket that asked (RFC 6762, 6.7). */
export function mdnsQuestion(): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(asked.length, 4)
  const questions = asked.map(service =>
    Buffer.concat([
      encodedName(`_${service}._${service === 'sip' ? 'udp' : 'tcp'}.local`),
      Buffer.from([0, pointer, 0, 1]),
    ]),
  )
  return Buffer.concat([head, ...questions])
}

/** Labels of the name at `at`, and where what follows it begins. Throws for one that ends nowhere. */
function readName(packet: Buffer, at: number): { labels: string[]; end: number } {
  const labels: string[] = []
  let bytes = 0
  let end: number | undefined
  let floor = at
  for (let place = at; ; ) {
    const length = packet.readUInt8(place)
    if (length === 0) return { labels, end: end ?? place + 1 }
    if (length >= 0xc0) {
      const to = packet.readUInt16BE(place) & 0x3fff
      // Only backwards, and each time farther: a loop cannot be.
      if (to >= floor) throw new Error('a name points forwards')
      end ??= place + 2
      floor = place = to
      continue
    }
    bytes += length + 1
    if (length > 63 || bytes > mostNameBytes || place + 1 + length > packet.length)
      throw new Error('a name is too long')
    labels.push(packet.toString('utf8', place + 1, place + 1 + length))
    place += 1 + length
  }
}

type DnsRecord = { type: number; name: string[]; from: number; to: number }

function* recordsOf(packet: Buffer): Generator<DnsRecord> {
  const questions = packet.readUInt16BE(4)
  const records = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10)
  if (questions > mostQuestions) throw new Error('too many questions')
  let at = 12
  for (let n = 0; n < questions; n++) at = readName(packet, at).end + 4
  for (let n = 0; n < Math.min(records, announcementLimits.records); n++) {
    const { labels, end } = readName(packet, at)
    const from = end + 10
    const to = from + packet.readUInt16BE(end + 8)
    if (to > packet.length) throw new Error('a record is too long')
    yield { type: packet.readUInt16BE(end), name: labels, from, to }
    at = to
  }
}

/** `_ipp._tcp.local` at the end of a name is the service `ipp`; undefined for any other. */
function serviceOf(labels: readonly string[]): string | undefined {
  const [service = '', transport, local] = labels.slice(-3)
  const named = /^_[\w-]{1,30}$/.test(service) && /^_(tcp|udp)$/i.test(transport ?? '') && /^local$/i.test(local ?? '')
  return named ? service.slice(1).toLowerCase() : undefined
}

/** `key=value` strings (RFC 6763, 6.3). */
function textsOf(packet: Buffer, { from, to }: DnsRecord): Map<string, string> {
  const texts = new Map<string, string>()
  for (let at = from; at < to && texts.size < announcementLimits.services; ) {
    const length = packet.readUInt8(at)
    const [key = '', ...value] = packet.toString('utf8', at + 1, Math.min(at + 1 + length, to)).split('=')
    if (key && !texts.has(key.toLowerCase())) texts.set(key.toLowerCase(), value.join('='))
    at += 1 + length
  }
  return texts
}

/** `AABBCCDDEEFF@Hall` of a speaker and `desk [aa:bb:…]` of a workstation are Hall and desk. */
const withoutMac = (name: string | undefined) => name?.replace(/^[\dA-F]{12}@/i, '').replace(/ \[[\da-f:]{17}\]$/i, '')

type Said = { services: Set<string>; instance?: string; host?: string; texts: Map<string, string> }

function take(said: Said, packet: Buffer, record: DnsRecord): void {
  const service = serviceOf(record.name)
  if (service && said.services.size < announcementLimits.services) said.services.add(service)
  if (record.type === type.ptr && service) {
    const { labels } = readName(packet, record.from)
    if (labels.length > 3 && serviceOf(labels)) said.instance ??= labels.slice(0, -3).join('.')
  }
  if (record.type === type.srv) said.host ??= readName(packet, record.from + 6).labels[0]
  if (record.type === type.a) said.host ??= record.name[0]
  if (record.type === type.txt) said.texts = new Map([...textsOf(packet, record), ...said.texts])
}

const isAnswer = (packet: Buffer) =>
  packet.length >= 12 && packet.length <= announcementLimits.packetBytes && (packet.readUInt8(2) & 0x80) !== 0

/** What an answer says of its sender; undefined for what is no answer, or breaks the protocol. */
export function readMdns(packet: Buffer): Announcement | undefined {
  if (!isAnswer(packet)) return undefined
  const said: Said = { services: new Set(), texts: new Map() }
  try {
    for (const record of recordsOf(packet)) take(said, packet, record)
  } catch {
    return undefined
  }
  const { texts } = said
  const name = plainText(texts.get('fn')) ?? plainText(withoutMac(said.instance)) ?? plainText(said.host)
  const model = plainText(texts.get('ty') ?? texts.get('md') ?? texts.get('model'))
  return { services: [...said.services], ...(name && { name }), ...(model && { model }) }
}
