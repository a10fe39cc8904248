import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import tls from 'node:tls'
import { codes } from '@/model/codes'
import { limitBody, refuse } from './body'
import { type Client, clientOf } from './client'
import type { Door, Refusal } from './doors'
import { prepareHeaders, setPolicy } from './headers'
import { acceptedHost, hostName, isLoopback } from './hosts'
import { inTurns } from './turns'

export type FrontOptions = {
  dev: boolean
  /** Whether browsers may be told to insist on https: with a certificate that they trust by themselves. */
  strict?(): boolean
}

function answer(request: IncomingMessage, reply: ServerResponse, refusal: Refusal): void {
  if ('code' in refusal) {
    refuse(request, reply, refusal.status, codes[refusal.code])
    return
  }
  reply.writeHead(refusal.status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  reply.end(`${refusal.text}\n`)
  request.resume()
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

const bySecure: Record<Door['tls'], (request: IncomingMessage) => boolean> = {
  only: () => true,
  none: () => false,
  both: ({ socket }) => socket instanceof tls.TLSSocket,
}

/** What goes no further than the door; undefined for what is handed on. */
function refusalOf({ paths, methods, elsewhere }: Door, { url = '', method = '' }: IncomingMessage) {
  if (!paths(url)) return elsewhere.path
  return methods(url).includes(method) ? undefined : elsewhere.method
}

/** What stands before Next on a listener: own headers, Host check, redirect to https, request line, turns, body limits. */
export function front(next: RequestListener, door: Door, { dev, strict }: FrontOptions): RequestListener {
  const turns = inTurns((request, reply) => {
    if (limitBody(request, reply, door.bodyBytes)) next(request, reply)
  })
  return (request, reply) => {
    const client = clientOf(request, bySecure[door.tls](request), door.proxies)
    // Also the one that the proxy sent: the other may be a page's own word that it let pass.
    const hosts = [request.headers.host, client.host]
    prepareHeaders(request, reply, client, { dev, ...(door.tls === 'only' && strict && { strict }) })
    if (door.policy !== undefined) setPolicy(reply, door.policy)
    for (const name of Object.keys(request.headers)) if (door.drops?.test(name)) delete request.headers[name]
    Object.assign(request.headers, door.tells)
    if (!hosts.every(host => acceptedHost(host, door.hosts))) return answer(request, reply, door.elsewhere.host)
    if (!client.secure && door.leadsTo !== undefined && !isLoopback(client.address))
      return redirect(request, reply, client, door.leadsTo)
    const refusal = dev && !door.optional ? undefined : refusalOf(door, request)
    return refusal ? answer(request, reply, refusal) : turns(request, reply)
  }
}
