import { isIP } from 'node:net'
import type { SyslogLine } from './syslog-line'

// What a gateway says of its clients' traffic: names that they look up, as its DNS server logs them (dnsmasq with
// `log-queries=extra`), and connections that its firewall translates (netfilter's LOG format). All of it is hostile input:
// a client chooses the name, and who sends in a gateway's name chooses everything.

/** A name that a client asked the gateway for. */
export type LookedUp = { client: string; port: number; name: string; type: string }
/** One of the two lines of a connection: as it came, or as it left. */
export type ConnectionHalf = {
  side: 'in' | 'out'
  /** The sender as this side sees it. */
  source: string
  sourcePort?: number
  target: string
  targetPort?: number
  protocol: string
  /** What tells the packet from others, the same on both sides; absent where nothing does. */
  packet?: string
}

const nameCharacters = 255

const resolver = /^dnsmasq(?:\[\d{1,10}\])?$/
/** Number of the question, and who asked it; after a head of RFC 5424 the resolver leaves a blank. */
const asked = /^ ?\d{1,10} ([\d.:a-f]{2,45})(?:%[^\s/]{1,32})?\/(\d{1,5}) /i
const query = /^query\[([\w=-]{1,32})\] (.*) from ([\d.:a-f]{2,45})(?:%\S{1,32})?$/i
const loopback = /^127\.|^::1$/

const port = (text: string | undefined): number | undefined => {
  const value = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN
  return value <= 65_535 ? value : undefined
}

/**
 * A line of the resolver's log of questions: what was looked up, or `other` for what came of it (forwarded, answered, from
 * the cache) and what the gateway asks for itself. undefined: it is no such line.
 */
export function readLookup({ tag, text }: Pick<SyslogLine, 'tag' | 'text'>): LookedUp | 'other' | undefined {
  if (!tag.startsWith('dnsmasq') || !resolver.test(tag)) return undefined
  const found = asked.exec(text)
  const [head = '', address = '', from = ''] = found ?? []
  if (!found || isIP(address) === 0) return undefined
  const [, type = '', name = '', teller = ''] = query.exec(text.slice(head.length)) ?? []
  const client = address.toLowerCase()
  const own = port(from)
  if (type === '' || own === undefined || teller.toLowerCase() !== client || loopback.test(client)) return 'other'
  return {
    client,
    port: own,
    name: name.slice(0, nameCharacters).toWellFormed().toLowerCase(),
    type: type.toUpperCase(),
  }
}

/** The kernel may tell its own clock before. */
const marked = /^ ?(?:\[ *\d{1,12}\.\d{1,9}\] ?)?lanward-nat-(in|out) /
const fields = new Set(['SRC', 'DST', 'ID', 'PROTO', 'SPT', 'DPT', 'SEQ'])
const protocols = /^[\w-]{1,16}$/
const mostWords = 64

const isNumber = (text = ''): boolean => /^[1-9]\d{0,9}$/.test(text)

/** The number of the IP packet, and of TCP its sequence number. Systems may number neither. */
function packetOf(said: ReadonlyMap<string, string>, protocol: string): string | undefined {
  const numbers = ['ID', ...(protocol === 'TCP' ? ['SEQ'] : [])].map(key => said.get(key))
  return numbers.some(isNumber) ? numbers.map(one => (isNumber(one) ? one : '')).join(' ') : undefined
}

/** A line of a translated connection; `other`: it bears the mark and cannot be read. undefined: it is no such line. */
export function readConnection({ tag, text }: Pick<SyslogLine, 'tag' | 'text'>): ConnectionHalf | 'other' | undefined {
  if (tag !== 'kernel') return undefined
  const side = marked.exec(text)?.[1] as 'in' | 'out' | undefined
  if (!side) return undefined
  const said = new Map<string, string>()
  // ICMP tells a number of its own as ID, and errors the packet that they are about: the first of each counts.
  for (const word of text.split(' ', mostWords)) {
    const [key = '', value] = word.split('=', 2)
    if (value !== undefined && fields.has(key) && !said.has(key)) said.set(key, value)
  }
  const [source = '', target = '', protocol = ''] = ['SRC', 'DST', 'PROTO'].map(key => said.get(key))
  if (isIP(source) === 0 || isIP(target) === 0 || !protocols.test(protocol)) return 'other'
  const packet = packetOf(said, protocol)
  const [sourcePort, targetPort] = [port(said.get('SPT')), port(said.get('DPT'))]
  return {
    ...{ side, source: source.toLowerCase(), target: target.toLowerCase(), protocol: protocol.toUpperCase() },
    ...(sourcePort !== undefined && { sourcePort }),
    ...(targetPort !== undefined && { targetPort }),
    ...(packet !== undefined && { packet }),
  }
}
