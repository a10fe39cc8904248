import type { Server, Socket } from 'node:net'

/** A browser takes six, a stream and a few downloads; a script of many hands still finds room. */
const perAddress = 256
const inAll = 4000

/** Bounds how many connections are held at once, of one address and in all: idle ones cost whoever opens them nothing. */
export function limitConnections(server: Server): void {
  const open = new Map<string, number>()
  server.maxConnections = inAll
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > perAddress) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
