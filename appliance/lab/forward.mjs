#!/usr/bin/env node
// forward.mjs LISTENPORT TARGETHOST TARGETPORT: hands TCP connections to 127.0.0.1:LISTENPORT on to a target,
// so that the manager in the lab can be opened from this machine as on localhost.
import net from 'node:net'
import { pathToFileURL } from 'node:url'

/** Resolves with the listening server (port 0: any free one); a target that refuses closes the connection. */
export function forward(listenPort, host, port) {
  const server = net.createServer({ allowHalfOpen: true }, near => {
    const far = net.connect({ host, port, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroySoon())
    }
  })
  return new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(listenPort, '127.0.0.1', () => done(server))
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [listenPort, host, port] = process.argv.slice(2)
  if (!port) {
    console.error('usage: forward.mjs LISTENPORT TARGETHOST TARGETPORT')
    process.exit(64)
  }
  forward(Number(listenPort), host, Number(port)).catch(error => {
    console.error(error.message)
    process.exit(1)
  })
}
