// A web service on loopback that webhooks are told to, and what it was told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Post = { headers: IncomingMessage['headers']; path: string; body: string }
type Answer = (response: ServerResponse, n: number, request: IncomingMessage) => void

/** `answer` gets the response once the body is read; `n` counts from 1. */
export async function receiver(answer: Answer = response => response.end(), address = '127.0.0.1', port = 0) {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    posts.push({ headers: request.headers, path: request.url ?? '', body: Buffer.concat(parts).toString('utf8') })
    answer(response, posts.length, request)
  })
  await new Promise<void>(done => server.listen(port, address, done))
  const at = (server.address() as AddressInfo).port
  const close = () =>
    new Promise<void>(done => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { posts, port: at, url: `http://${address}:${at}/hook?x=1`, close }
}
