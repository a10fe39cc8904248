import type { IncomingMessage } from 'node:http'
import { addressOrSegmentProblem, isInSegment, normalSegment } from '@/model/addresses'
import { isLoopback } from './hosts'

// Who asks, judged once for all that stands behind: nothing of what a request says about its way is believed but what a
// trusted proxy says.

/** What proxies put on a request, in any spelling that is in use: its presence shows that it came by one. */
export const forwarding =
  /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip|x-original-.*)$/

export type Client = {
  /** Of the client; `via ADDRESS` where it came by that proxy and nobody who is trusted says from where. */
  address: string
  secure: boolean
  host: string | undefined
  /** A trusted proxy said so. */
  told: boolean
}

/** One hop as the proxy that took it describes it. */
type Hop = { address?: string; proto?: string; host?: string }

/** An address as it is written once: no port, brackets or zone, IPv4 without its IPv6 form; undefined for anything else. */
function plainAddress(text: string): string | undefined {
  const [, bracketed, four] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/.exec(text) ?? []
  const [address = ''] = (bracketed ?? four ?? text).split('%')
  if (address.includes('/') || addressOrSegmentProblem(address)) return undefined
  return normalSegment(address).replace(/\/\d+$/, '')
}

const listed = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)

/** Longer than any chain of proxies; what reads quotes takes the square of it. */
const mostForwarded = 2048
const pair = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;=]+))\s*$/

/** The hops of RFC 7239, the client's own first; one that cannot be read is a hop of which nothing is known. */
function forwardedHops(header: string | undefined): Hop[] {
  if (header && header.length > mostForwarded) return [{}]
  const elements = (header ?? '').match(/(?:"(?:[^"\\]|\\.)*"|[^,"]|")+/g) ?? []
  return elements
    .filter(element => element.trim())
    .map(element => {
      const parts = element.match(/(?:"(?:[^"\\]|\\.)*"|[^;"]|")+/g) ?? []
      const read = parts.map(part => pair.exec(part))
      if (read.includes(null)) return {}
      const known = new Map(read.map(one => [one?.[1]?.toLowerCase(), one?.[2]?.replace(/\\(.)/g, '$1') ?? one?.[3]]))
      return { address: known.get('for'), proto: known.get('proto'), host: known.get('host') }
    })
}

/** The hop that the nearest trusted proxies lead to: what stands before it may be anybody's word. */
function firstUntrusted(hops: readonly Hop[], isTrusted: (address: string) => boolean): Hop | undefined {
  const at = hops.findLastIndex(({ address }) => {
    const plain = plainAddress(address ?? '')
    return plain === undefined || !isTrusted(plain)
  })
  return hops[Math.max(at, 0)]
}

/** What a trusted proxy says: by X-Forwarded-*, or where it sends none of them by Forwarded. */
function toldBy({ headers }: IncomingMessage, isTrusted: (address: string) => boolean): Hop {
  const hops = listed(headers['x-forwarded-for']).map(address => ({ address }))
  const [one, other] = [firstUntrusted(hops, isTrusted), firstUntrusted(forwardedHops(headers.forwarded), isTrusted)]
  const [first, second] = [one, other].map(hop => plainAddress(hop?.address ?? ''))
  // Of two kinds of header a proxy writes one and may let the client's own other pass: only what both say is true of both.
  const agreed = one === undefined || other === undefined || first === second
  const address = agreed ? (first ?? second) : undefined
  if (one === undefined && other !== undefined) return { ...other, address }
  const [proto, host] = [headers['x-forwarded-proto'], headers['x-forwarded-host']].map(one => listed(one).at(-1))
  return { address, proto, host }
}

/**
 * Who asks over this connection. `trusted`: addresses and segments of proxies. Nothing that came by a proxy has a loopback
 * address: that is this machine itself, of which no setup code and no place in the whitelist is asked.
 */
export function clientOf(request: IncomingMessage, secure: boolean, trusted: readonly string[]): Client {
  const peer = request.socket.remoteAddress ?? ''
  const isTrusted = (address: string) => trusted.some(one => isInSegment(one, address))
  const direct = { address: peer, secure, host: request.headers.host, told: false }
  if (!Object.keys(request.headers).some(name => forwarding.test(name))) return direct
  const via = `via ${normalSegment(peer).replace(/\/\d+$/, '')}`
  if (!isTrusted(peer)) return isLoopback(peer) ? { ...direct, address: via } : direct
  const { address, proto, host } = toldBy(request, isTrusted)
  return {
    address: address === undefined || isLoopback(address) ? via : address,
    secure: proto?.toLowerCase() === 'https',
    host: host ?? direct.host,
    told: true,
  }
}
