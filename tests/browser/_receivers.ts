import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server on loopback that takes every letter; `close` ends it. */
export async function mailServer(): Promise<{ port: number; letters: string[]; close(): Promise<void> }> {
  const letters: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', part => parts.push(part))
      stream.on('end', () => {
        letters.push(Buffer.concat(parts).toString('utf8'))
        done()
      })
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await new Promise<void>(done => listening.once('listening', () => done()))
  const { port } = listening.address() as AddressInfo
  return { port, letters, close: () => new Promise(done => server.close(() => done())) }
}
