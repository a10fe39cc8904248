import { IncomingMessage, type ServerResponse } from 'node:http'
import facts from '@/model/call-facts.json'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'

/** A stalled or trickling body holds a connection: it must be whole within this time. */
const bodyMs = 30_000
const uploadMs = 600_000

/** Where more than usual may be sent, and how many bytes. */
const uploads = new Map(Object.entries(facts.uploadBytes).map(([path, bytes]) => [`/app/${path}`, bytes]))

const limitOf = (url = '') => uploads.get(url.split('?')[0] ?? '') ?? limits.bodyBytes

/** Answers a refusal and closes: what is still being sent is thrown away for a moment, so that the reply is read. */
export function refuse(request: IncomingMessage, reply: ServerResponse, status: number, retCode: number): void {
  if (!reply.headersSent) {
    reply.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    })
    reply.end(JSON.stringify({ retCode, data: {}, type: 'error' }))
  }
  request.resume()
  setTimeout(() => request.socket.destroy(), 5000).unref()
}

/**
 * Holds a body to its limit by its declared length (then nothing of it is read; returns false) and, for chunked ones,
 * by counting as it comes in.
 */
export function limitBody(request: IncomingMessage, reply: ServerResponse, limit = limitOf(request.url)): boolean {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    refuse(request, reply, 413, codes.bodyTooLarge)
    return false
  }
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return true
  const timer = setTimeout(
    () => refuse(request, reply, 408, codes.bodyTooLarge),
    limit > limits.bodyBytes ? uploadMs : bodyMs,
  )
  timer.unref()
  let size = 0
  // The parser hands each piece to push(): counting there starts no reading by itself.
  request.push = function (this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding) {
    if (chunk === null) clearTimeout(timer)
    else if (Buffer.isBuffer(chunk)) size += chunk.length
    if (size <= limit) return IncomingMessage.prototype.push.call(this, chunk, encoding)
    clearTimeout(timer)
    refuse(request, reply, 413, codes.bodyTooLarge)
    return false
  }
  request.once('close', () => clearTimeout(timer))
  // Refused unread, a body would stand in the way of the connection's next request, and hold what came of it.
  reply.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) request.unpipe().resume()
  })
  return true
}
