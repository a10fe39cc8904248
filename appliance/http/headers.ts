import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Client, forwarding } from './client'

/** Headers that say who asks: only this server may set them, so that no client can lie about its address. */
const reserved = /^(x-lanward-(remote|portal)|x-nonce|content-security-policy.*|x-middleware-.*)$/

/**
 * The page's policy. Scripts run by nonce alone; style attributes are allowed because charts and React set them.
 * Development needs eval for source maps and a socket for reloads.
 */
export function contentSecurityPolicy(nonce: string, dev: boolean): string {
  const directives = {
    'default-src': "'self'",
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'media-src': "'self' data:",
    'connect-src': dev ? "'self' ws: wss:" : "'self'",
    'worker-src': "'self' blob:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const fixed = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * The policy of a reply that has none of its own. Put on at the last moment: Next lets none of a reply's headers replace
 * one that is there, and a stored file or a house's own page is kept in by a stricter one.
 */
export function setPolicy(reply: ServerResponse, policy: string): void {
  const writeHead = reply.writeHead.bind(reply) as (...given: unknown[]) => ServerResponse
  reply.writeHead = (...given: unknown[]) => {
    if (!reply.hasHeader('content-security-policy')) reply.setHeader('content-security-policy', policy)
    return writeHead(...given)
  }
}

/** Replaces what a client says about itself by what is known of it, and puts this request's nonce on it and its reply. */
export function prepareHeaders(
  request: IncomingMessage,
  reply: ServerResponse,
  { address, secure, host, told }: Client,
  { dev, strict }: { dev: boolean; strict?(): boolean },
): void {
  for (const name of Object.keys(request.headers))
    if (reserved.test(name) || forwarding.test(name)) delete request.headers[name]
  const policy = contentSecurityPolicy(randomBytes(16).toString('base64'), dev)
  Object.assign(request.headers, {
    'content-security-policy': policy,
    'x-lanward-remote': address,
    'x-forwarded-for': address,
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-forwarded-host': host,
    host,
  })
  setPolicy(reply, policy)
  for (const [name, value] of Object.entries(fixed)) reply.setHeader(name, value)
  // A browser that was told so once lets nobody through any more who says that the certificate is wrong.
  // What one is to insist on is the certificate of the proxy, if there is one.
  if (secure && !told && strict?.()) reply.setHeader('strict-transport-security', 'max-age=31536000')
}
