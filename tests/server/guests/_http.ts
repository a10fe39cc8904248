// A server of another company on loopback, which answers as the test says and keeps what it was asked.
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
export type Reply = { status: number; body: string | object; headers?: Record<string, string> }

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

export async function httpServer(answer: (asked: Asked) => Reply) {
  const asked: Asked[] = []
  const server = createServer(async (request, reply) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await read(request) }
    asked.push(one)
    const { status, body, headers: more } = answer(one)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    reply.writeHead(status, { 'content-type': 'application/json', ...more }).end(text)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<unknown>(done => server.close(done)),
  }
}
