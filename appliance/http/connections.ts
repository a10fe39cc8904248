import type { Server, Socket } from 'node:net'
import { bucketOf } from '@/model/addresses'

/** A browser takes six, a stream and a few downloads; a script of many hands still finds room. */
const perAddress = 256
/** All of an IPv6 LAN may have one; whoever floods takes any address of it. */
const perSegment = 1024
const inAll = 4000

/** Bounds how many connections are held at once, of one address, one /64 and in all: idle ones cost whoever opens them nothing. */
export function limitConnections(server: Server): void {
  const open = new Map<string, number>()
  server.maxConnections = inAll
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const counted = new Map([
      [bucketOf(address), perSegment],
      [address, perAddress],
    ])
    const add = (one: string, change: number) => {
      const now = (open.get(one) ?? 0) + change
      if (now > 0) open.set(one, now)
      else open.delete(one)
    }
    if ([...counted].some(([one, most]) => (open.get(one) ?? 0) >= most)) return void socket.destroy()
    for (const one of counted.keys()) add(one, 1)
    socket.once('close', () => {
      for (const one of counted.keys()) add(one, -1)
    })
  })
}
