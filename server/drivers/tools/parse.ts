import { isIP } from 'node:net'
import { diagnosisLimits, type Echoes, type Hop, type Neighbour } from '@/model/troubleshooting/request'

// What ping, traceroute, ip and the programs that ask for names print: iputils and busybox, traceroute of Debian and busybox.

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
const round = (ms: number) => Math.round(ms * 1000) / 1000

/** Figures of so many pings sent and the times of the answers, in their order. */
export function echoesOf(sent: number, times: readonly number[]): Echoes {
  if (times.length === 0) return { sent, received: 0 }
  const steps = times.slice(1).map((ms, at) => Math.abs(ms - (times[at] ?? ms)))
  return {
    ...{ sent, received: times.length },
    ...{ minMs: round(Math.min(...times)), avgMs: round(mean(times)), maxMs: round(Math.max(...times)) },
    ...(steps.length > 0 && { jitterMs: round(mean(steps)) }),
  }
}

const sequence = (line: string) => {
  const found = /\b(?:icmp_)?seq[= ](\d+)/.exec(line)?.[1]
  return found === undefined ? undefined : Number(found)
}
const milliseconds = (line: string) => {
  const found = /\btime[=<]\s*([\d.]+)\s*ms/.exec(line)?.[1]
  return found === undefined ? undefined : Number(found)
}

/**
 * Reads a ping line by line. iputils counts from 1 and busybox from 0, so what was sent is told by the first number seen;
 * the summary, where there is one, knows it for sure. An answer that comes twice counts once.
 */
export function pingReader() {
  const answered = new Map<number, number>()
  let first: number | undefined
  let last = -1
  let summed: number | undefined
  return {
    take(line: string): void {
      const transmitted = /^(\d+) packets transmitted/.exec(line)?.[1]
      if (transmitted !== undefined) summed = Number(transmitted)
      const number = sequence(line)
      if (number === undefined) return
      first ??= Math.min(number, 1)
      last = Math.max(last, number)
      const ms = milliseconds(line)
      if (ms !== undefined && !answered.has(number)) answered.set(number, ms)
    },
    /** So far. */
    figures: (): Echoes =>
      echoesOf(
        summed ?? (first === undefined ? 0 : last - first + 1),
        [...answered].sort(([a], [b]) => a - b).map(([, ms]) => ms),
      ),
  }
}

/** The address that a ping goes to, by its first line: `PING gw.lan (192.168.1.1) 56(84) bytes of data.` */
export const pingTarget = (text: string): string | undefined => {
  const found = /^PING \S+ \(([0-9a-f.:]+)\)/im.exec(text)?.[1]
  return found !== undefined && isIP(found) !== 0 ? found : undefined
}

/** Who answered a ping whose life ended on the way, or the end of it. */
export function stepOf(text: string): { address?: string; ms?: number; reached: boolean; stopped: boolean } {
  const line = text.split('\n').find(one => /bytes from|^From /.test(one)) ?? ''
  const address = /(?:bytes from|^From) ([0-9a-f.:]+?):?(?:\s|$)/i.exec(line)?.[1]
  const ms = milliseconds(line)
  return {
    ...(address !== undefined && isIP(address) !== 0 && { address }),
    ...(ms !== undefined && { ms }),
    reached: line.includes('bytes from'),
    stopped: /^From /.test(line) && !/time to live exceeded|hop limit/i.test(line),
  }
}

/** A line of traceroute: ` 2  10.0.0.1  0.345 ms`, ` 3  *`; undefined where it is none. */
export function hopOf(line: string): Hop | undefined {
  const [, number, rest = ''] = /^\s*(\d{1,2})\s+(.+)$/.exec(line) ?? []
  if (number === undefined) return undefined
  const address = rest.split(/\s+/).find(word => isIP(word) !== 0)
  const times = [...rest.matchAll(/([\d.]+) ms/g)].map(found => Number(found[1]))
  if (address === undefined && !rest.includes('*')) return undefined
  const sent = times.length + rest.split('*').length - 1
  return { hop: Number(number), ...(address !== undefined && { address }), ...echoesOf(sent, times) }
}

const isMac = (word: string | undefined) => word !== undefined && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(word)

function neighbourOf(line: string): Neighbour | undefined {
  const words = line.trim().split(/\s+/)
  const [address = ''] = words
  if (isIP(address) === 0) return undefined
  const after = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const state = words.at(-1) ?? ''
  // /proc/net/arp: address, hardware type, flags, MAC, mask, interface.
  if (/^0x/.test(words[1] ?? '')) {
    const known = words[2] !== '0x0' && isMac(words[3])
    return {
      address,
      ...(known && { mac: words[3] as string }),
      ...(words[5] !== undefined && { interface: words[5] }),
    }
  }
  const mac = after('lladdr')
  const dev = after('dev')
  return {
    address,
    ...(isMac(mac) && { mac: mac as string }),
    ...(dev !== undefined && { interface: dev }),
    ...(/^[A-Z]+$/.test(state) && { state }),
  }
}

/** What `ip neigh` or /proc/net/arp say, at most so many as are kept. */
export const neighboursOf = (text: string): Neighbour[] =>
  text
    .split('\n')
    .flatMap(line => neighbourOf(line) ?? [])
    .slice(0, diagnosisLimits.neighbours)

const record = /^\S+\s+\d+\s+IN\s+[A-Z]+\s+(.+)$/

/** Answers of `dig +noall +answer`, without dots at the end of names. */
export const digAnswers = (text: string): string[] =>
  text.split('\n').flatMap(line => record.exec(line)?.[1]?.replace(/\.$/, '') ?? [])

/** Answers of nslookup, of bind and of busybox: what stands below the server that answered. */
export function nslookupAnswers(text: string): string[] {
  const below = text.split('\n').slice(1)
  const from = below.findIndex(line => line.trim() === '')
  const found = below.slice(Math.max(0, from)).flatMap(line => {
    const told =
      /^Address(?: \d+)?:\s*(\S+)/.exec(line) ??
      /\b(?:mail exchanger|nameserver|canonical name|name|text) = (.+)$/.exec(line) ??
      /\bname = (.+)$/.exec(line)
    return told?.[1]?.trim().replace(/\.$/, '') ?? []
  })
  return [...new Set(found)]
}

/** Addresses, or a name, of `getent`. */
export const getentAnswers = (text: string, reverse: boolean): string[] => [
  ...new Set(
    text.split('\n').flatMap(line => {
      const [address = '', name = ''] = line.trim().split(/\s+/)
      const told = reverse ? name : address
      return isIP(address) !== 0 && told ? [told] : []
    }),
  ),
]
