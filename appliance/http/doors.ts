import { pagePolicy } from '@/model/guests/page-policy'
import { limits } from '@/model/limits'
import type { Config } from '@/server/kernel/config'
import type { Most } from './connections'
import { isPath, posted } from './target'

// The listeners in front of Next, one row each: what it speaks, who may ask it, and what there is behind it.

/** What is answered to a request that goes no further: words for people, or a number of model/codes.ts for programs. */
export type Refusal = { status: number; text: string } | { status: number; code: 'invalidInput' | 'methodNotAllowed' }

export type Door = {
  name: string
  port: number
  /** `both`: TLS and plain http on one port, told apart by the first byte. */
  tls: 'only' | 'none' | 'both'
  /** Names by which it is asked, beside addresses, localhost, *.local and the machine's own. */
  hosts: readonly string[]
  /** Addresses and segments of the proxies whose word about a client is taken. */
  proxies: readonly string[]
  /** Where people who ask in clear from another machine are led: the port of https. */
  leadsTo?: number
  /** Whether there is something at a path, and by which methods. */
  paths(url: string): boolean
  methods(url: string): readonly string[]
  /** What is told by another name, where there is nothing, and by another method. */
  elsewhere: { host: Refusal; path: Refusal; method: Refusal }
  /** Of replies that bring none of their own; absent: the console's, with a nonce for each request. */
  policy?: string
  /** What its pages are told, and no client can say. */
  tells: Readonly<Record<string, string>>
  /** Headers of a request that nobody behind it may see. */
  drops?: RegExp
  /** Of a request; absent: what the call takes that is asked. */
  bodyBytes?: number
  connections: Most
  times: { headersTimeout: number; requestTimeout: number; keepAliveTimeout: number }
  /** The others do not wait until its port is free. */
  optional: boolean
}

const consoleTimes = { headersTimeout: 10_000, requestTimeout: 660_000, keepAliveTimeout: 65_000 }
/** A browser takes six, a stream and a few downloads; a script of many hands still finds room. */
export const consoleConnections: Most = { perAddress: 256, perSegment: 1024, inAll: 4000, forLoopback: 100 }
/** Behind a gateway that translates addresses all its guests are one: more connections, each held for a moment. */
const portalConnections: Most = { perAddress: 1500, perSegment: 2000, inAll: 3000, forLoopback: 100 }

/**
 * A page for each network of guests, by the number of its settings, its pictures by theirs, what the house's own page
 * consists of, and what phones ask by themselves (RFC 8908); written as it is: nothing encoded, no part that begins with a dot.
 */
const portalPath = /^\/portal\/[0-9a-f-]{36}(\/api|\/file\/[0-9a-f-]{36}|(\/page)(\/[\w-][\w.-]*)+)?(\?|$)/
const otherName = 'This name is not one of this manager.'
const nothingThere = 'Open any page that begins with http:// to come to the sign-in of this network.'

type Asked = Pick<Config, 'httpPort' | 'httpsPort' | 'portalPort' | 'names' | 'trustedProxies' | 'http'>

export function doorsOf({ httpPort, httpsPort, portalPort, names: hosts, trustedProxies, http }: Asked): Door[] {
  /** Pages are only read: Next's decoder of posted actions has nothing to do here. */
  const behind: Omit<Door, 'name' | 'port' | 'tls'> = {
    hosts,
    proxies: trustedProxies,
    ...(http === 'redirect' && { leadsTo: httpsPort }),
    paths: isPath,
    methods: url => (posted(url) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']),
    elsewhere: {
      host: { status: 421, text: `${otherName} Add it to LANWARD_NAMES, or use its address.` },
      path: { status: 400, code: 'invalidInput' },
      method: { status: 405, code: 'methodNotAllowed' },
    },
    tells: {},
    connections: consoleConnections,
    times: consoleTimes,
    optional: false,
  }
  const portal: Door = {
    name: "the guests' portal",
    port: portalPort,
    tls: 'both',
    hosts,
    // An address here says whose device it is: no proxy's word is taken for it.
    proxies: [],
    paths: url => portalPath.test(url),
    methods: () => ['GET', 'HEAD', 'POST'],
    elsewhere: {
      host: { status: 421, text: otherName },
      path: { status: 404, text: nothingThere },
      method: { status: 405, text: 'This page is read, and its form sent.' },
    },
    // No script runs here, whatever stands in the page.
    policy: pagePolicy(),
    // The page's handler answers to nobody without it.
    tells: { 'x-lanward-portal': '1' },
    drops: /^(next-|rsc$)/,
    bodyBytes: limits.portalBodyBytes,
    connections: portalConnections,
    times: { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 3000 },
    optional: true,
  }
  return [
    { name: 'http', port: httpPort, tls: 'none', ...behind },
    { name: 'https', port: httpsPort, tls: 'only', ...behind },
    ...(portalPort === 0 ? [] : [portal]),
  ]
}
