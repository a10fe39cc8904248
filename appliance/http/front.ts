import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { codes } from '@/model/codes'
import { limitBody, refuse } from './body'
import { type Client, clientOf } from './client'
import { prepareHeaders } from './headers'
import { acceptedHost, hostName, isLoopback } from './hosts'
import { refusedLine } from './target'
import { inTurns } from './turns'

export type FrontOptions = {
  /** Accepted Host names beside addresses, localhost, *.local and the machine's own. */
  names: readonly string[]
  httpsPort: number
  /** Addresses and segments of the proxies whose word about a client is taken. */
  trustedProxies: readonly string[]
  /** `console`: plain http shows the console too; `redirect`: only to this machine itself. */
  http: 'redirect' | 'console'
  dev: boolean
  /** Whether browsers may be told to insist on https: with a certificate that they trust by themselves. */
  strict?(): boolean
}

function misdirected(reply: ServerResponse): void {
  reply.writeHead(421, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  reply.end('This name is not one of this manager. Add it to LANWARD_NAMES, or use its address.\n')
}

function redirect(
  request: IncomingMessage,
  reply: ServerResponse,
  { host: sent, told }: Client,
  httpsPort: number,
): void {
  const name = hostName(sent) ?? 'localhost'
  const host = name.includes(':') ? `[${name}]` : name
  // Where a proxy stands before it, nobody else knows the manager's own port.
  const port = told || httpsPort === 443 ? '' : `:${httpsPort}`
  const path = request.url?.startsWith('/') ? request.url : '/'
  reply.writeHead(308, { location: `https://${host}${port}${path}`, connection: 'close' })
  reply.end()
}

/** What stands before Next on each listener: own headers, Host check, redirect to https, request line, turns, body limits. */
export function front(next: RequestListener, secure: boolean, options: FrontOptions): RequestListener {
  const turns = inTurns((request, reply) => {
    if (limitBody(request, reply)) next(request, reply)
  })
  return (request, reply) => {
    const client = clientOf(request, secure, options.trustedProxies)
    // Also the one that the proxy sent: the other may be a page's own word that it let pass.
    const hosts = [request.headers.host, client.host]
    prepareHeaders(request, reply, client, options)
    if (!hosts.every(host => acceptedHost(host, options.names))) return misdirected(reply)
    if (!client.secure && options.http === 'redirect' && !isLoopback(client.address))
      return redirect(request, reply, client, options.httpsPort)
    const refused = options.dev ? undefined : refusedLine(request.method, request.url)
    if (refused) return refuse(request, reply, refused, refused === 405 ? codes.methodNotAllowed : codes.invalidInput)
    return turns(request, reply)
  }
}

/** Listens, on every address when `bind` is `::` (and on IPv4 alone where the machine has no IPv6). Rejects as the socket does. */
export function listen(server: Server, port: number, bind: string): Promise<void> {
  return new Promise((done, failed) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (bind === '::' && error.code === 'EAFNOSUPPORT') listen(server, port, '0.0.0.0').then(done, failed)
      else failed(error)
    }
    server.once('error', onError)
    server.listen({ port, host: bind }, () => {
      server.off('error', onError)
      done()
    })
  })
}
