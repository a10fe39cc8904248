import type { Server, Socket } from 'node:net'
import { bucketOf } from '@/model/addresses'
import { isLoopback } from './hosts'

export type Most = {
  perAddress: number
  /** All of an IPv6 LAN may have one; whoever floods takes any address of it. */
  perSegment: number
  inAll: number
  /** Of these, for this machine itself: the command line, health checks, a proxy. */
  forLoopback: number
}

/** Whose connection it is, also of one that TLS wraps into another object. */
const keyOf = ({ remoteAddress = '', remotePort = 0, localPort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localPort}`

/** Requests under way by connection: what is not among them is idle. */
const busy = new Map<string, number>()

/** Counts a request of this connection until the returned function is called. */
export function hold(socket: Socket): { underWay: number; release(): void } {
  const key = keyOf(socket)
  const underWay = (busy.get(key) ?? 0) + 1
  busy.set(key, underWay)
  let held = true
  return {
    underWay,
    release() {
      if (!held) return
      held = false
      const left = (busy.get(key) ?? 1) - 1
      if (left > 0) busy.set(key, left)
      else busy.delete(key)
    },
  }
}

/** The oldest connection of a place on which nothing is asked. */
const idleOf = (sockets: ReadonlySet<Socket>): Socket | undefined =>
  [...sockets].find(socket => !busy.has(keyOf(socket)))

/** Who holds most may lose one that does nothing, so that somebody else finds room. */
function makeRoom(places: ReadonlyMap<string, Set<Socket>>): boolean {
  const most = [...places.values()].toSorted((a, b) => b.size - a.size)
  for (const sockets of most.slice(0, 16)) {
    const idle = idleOf(sockets)
    if (!idle) continue
    sockets.delete(idle)
    idle.destroy()
    return true
  }
  return false
}

/**
 * Bounds how many connections are held at once, of one address, one /64 and in all: idle ones cost whoever opens them
 * nothing. When all are taken, the oldest idle one of whoever holds most goes.
 */
export function limitConnections(server: Server, most: Most): void {
  const places = new Map<string, Set<Socket>>()
  let open = 0
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const counted = new Map([
      [bucketOf(address), most.perSegment],
      [address, most.perAddress],
    ])
    if ([...counted].some(([one, limit]) => (places.get(one)?.size ?? 0) >= limit)) return void socket.destroy()
    const room = isLoopback(address) ? most.inAll : most.inAll - most.forLoopback
    if (open >= room && !makeRoom(places)) return void socket.destroy()
    open += 1
    for (const one of counted.keys()) places.set(one, (places.get(one) ?? new Set()).add(socket))
    socket.once('close', () => {
      open -= 1
      for (const one of counted.keys()) {
        places.get(one)?.delete(socket)
        if (places.get(one)?.size === 0) places.delete(one)
      }
    })
  })
}
