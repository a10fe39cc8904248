import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { limits } from '@/model/limits'
import type { TlsPair } from '@/server/kernel/certificates/served'
import { limitBody } from './body'
import { clientOf } from './client'
import { prepareHeaders, setPolicy } from './headers'
import { acceptedHost } from './hosts'
import { inTurns } from './turns'

// The guests' own door: plain http, as their devices look for it, TLS on the same port for those that were told of the
// portal by its name, and one page behind it.

/** No script runs here, whatever stands in the page. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * A page for each network of guests, by the number of its settings, its pictures by theirs, what the house's own page
 * consists of, and what phones ask by themselves (RFC 8908); written as it is: nothing encoded, no part that begins with a dot.
 */
const isPortal = (url = '') =>
  /^\/portal\/[0-9a-f-]{36}(\/api|\/file\/[0-9a-f-]{36}|(\/page)(\/[\w-][\w.-]*)+)?(\?|$)/.test(url)
const methods: readonly (string | undefined)[] = ['GET', 'HEAD', 'POST']

function refuse(request: IncomingMessage, reply: ServerResponse, status: number, text: string): void {
  reply.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  reply.end(`${text}\n`)
  request.resume()
}

/** What stands before Next on the portal's listener: nothing of the console is behind it. */
export function portalFront(next: RequestListener, names: readonly string[]): RequestListener {
  const turns = inTurns((request, reply) => {
    if (limitBody(request, reply, limits.portalBodyBytes)) next(request, reply)
  })
  return (request, reply) => {
    // An address here says whose device it is: no proxy's word is taken for it.
    prepareHeaders(request, reply, clientOf(request, request.socket instanceof tls.TLSSocket, []), { dev: false })
    setPolicy(reply, policy)
    for (const name of Object.keys(request.headers)) if (/^(next-|rsc$)/.test(name)) delete request.headers[name]
    // The page's handler answers to nobody without it, and clients cannot set it.
    request.headers['x-lanward-portal'] = '1'
    if (!acceptedHost(request.headers.host, names))
      return refuse(request, reply, 421, 'This name is not one of this manager.')
    if (!methods.includes(request.method)) return refuse(request, reply, 405, 'This page is read, and its form sent.')
    if (!isPortal(request.url))
      return refuse(
        request,
        reply,
        404,
        'Open any page that begins with http:// to come to the sign-in of this network.',
      )
    return turns(request, reply)
  }
}

/** Behind a gateway that translates addresses all its guests are one: more connections, each held for a moment. */
export const portalConnections = { perAddress: 1500, perSegment: 2000, inAll: 3000, forLoopback: 100 }
export const portalTimes = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 3000,
  connectionsCheckingInterval: 2000,
}

/** A browser says hello at once. */
const helloMs = 10_000
/** The first byte of TLS (RFC 8446 section 5.1: a handshake); no request of http begins with it. */
const handshake = 22

/**
 * Lets the portal speak TLS on its own port, too: one port is open to guests, whatever certificate there is. Call it before
 * anything else listens for the server's connections. Returns what holds the certificate; it listens nowhere itself.
 */
export function alsoByTls(portal: Server, files: TlsPair): tls.Server {
  const [answer] = portal.listeners('connection') as ((socket: Socket) => void)[]
  portal.removeAllListeners('connection')
  const answered = (socket: Socket) => answer?.call(portal, socket)
  const secure = tls.createServer({ ...files, handshakeTimeout: helloMs, ALPNProtocols: ['http/1.1'] })
  secure.on('secureConnection', answered)
  secure.on('tlsClientError', (_, socket) => socket.destroy())
  portal.on('connection', (socket: Socket) => {
    const end = () => void socket.destroy()
    const timer = setTimeout(end, helloMs)
    socket.on('error', end)
    socket.once('close', () => clearTimeout(timer))
    socket.once('data', (first: Buffer) => {
      clearTimeout(timer)
      socket.pause()
      socket.unshift(first)
      if (first[0] === handshake) return void secure.emit('connection', socket)
      socket.off('error', end)
      answered(socket)
      process.nextTick(() => socket.resume())
    })
  })
  return secure
}

const againMs = 30_000

/** Listens, now or as soon as the port is free: the console does not wait for it. `failed` hears each time why not. */
export function listenAtLast(server: Server, listen: () => Promise<void>, failed: (error: unknown) => void): void {
  let ended = false
  server.once('close', () => {
    ended = true
  })
  const attempt = () =>
    void listen().catch(error => {
      failed(error)
      if (!ended) setTimeout(attempt, againMs).unref()
    })
  attempt()
}
