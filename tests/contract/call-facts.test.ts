import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limitBody } from '@/appliance/http/body'
import { callFactsText } from '@/server/door/call-facts'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'
import { readText } from './_tree'

test('what browsers and the server in front know of calls is what these say: each build writes it anew', () => {
  expect(readText('model/call-facts.json')).toBe(callFactsText)
})

let front: Server
beforeAll(done => {
  front = createServer((asked, reply) => {
    if (limitBody(asked, reply)) reply.end()
  }).listen(0, '127.0.0.1', done)
})
afterAll(() => front.closeAllConnections())
afterAll(done => void front.close(done))

/** How a body of so many bytes is received that is announced and not sent. */
const announced = (path: string, bytes: number) =>
  new Promise<number | undefined>((done, failed) => {
    const { port } = front.address() as AddressInfo
    const headers = { 'content-length': bytes }
    const asked = request({ port, host: '127.0.0.1', method: 'POST', path: `/app/${path}`, headers }, reply => {
      done(reply.statusCode)
      asked.destroy()
    })
    asked.once('error', failed).flushHeaders()
  })

test('the server in front takes of each call as much as it says, and 1 MB of the others', async () => {
  const uploads = (calls as readonly AnyCall[]).filter(call => call.uploadBytes !== undefined)
  expect(uploads.map(call => call.path).toSorted()).toEqual([
    'backups/upload',
    'feedback/attach',
    'guests/files/upload',
    'wizard/restore/upload',
  ])
  for (const { path, uploadBytes = 0 } of [...uploads, { path: 'devices/list', uploadBytes: 1024 * 1024 }]) {
    expect([path, await announced(`${path}?name=x`, uploadBytes)]).toEqual([path, 200])
    expect([path, await announced(path, uploadBytes + 1)]).toEqual([path, 413])
  }
})
