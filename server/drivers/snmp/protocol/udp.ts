import { createSocket, type Socket } from 'node:dgram'
import { DeviceError, type Reason } from '../../driver'
import { messageId } from './ber'

// All community devices share a few UDP sockets: a socket for each of 2,000 devices costs more than the devices' answers.
// An unconnected socket never learns that a port is closed, so the last try of a request goes over a connected one.

export type Peer = { address: string; port: number; family: 4 | 6 }

type Pending = {
  peer: Peer
  resolve(answer: Buffer): void
  accepts?: (answer: Buffer) => boolean
  /** Something came from there that was no SNMP message. */
  malformed: boolean
}

const socketsPerFamily = 4
const shared = new Map<string, Socket>()
const pending = new Map<number, Pending>()

let nextId = Math.floor(Math.random() * 0x3fffffff)
/** Request ids count up from a random start, so a reply to an older request never matches a newer one. */
export function freshId(): number {
  do nextId = nextId >= 0x7ffffff0 ? 1 : nextId + 1
  while (pending.has(nextId))
  return nextId
}

const options = (family: 4 | 6) => ({
  type: `udp${family}` as const,
  // The address is a literal already; the default goes through the resolver at every packet.
  lookup: (host: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
    done(null, host, family),
})

function sharedSocket(peer: Peer): Socket {
  const tail = peer.address.charCodeAt(peer.address.length - 1) % socketsPerFamily
  const key = `${peer.family}-${tail}`
  const open = shared.get(key)
  if (open) return open
  const socket = createSocket({ ...options(peer.family), recvBufferSize: 4 << 20 })
  socket.on('message', (data, from) => receive(data, from.address, from.port))
  // A send reports its own error; what is left is the socket itself being unusable.
  socket.on('error', () => {
    shared.delete(key)
    socket.close()
  })
  socket.unref()
  shared.set(key, socket)
  return socket
}

const isFrom = (peer: Peer, address: string, port: number) => peer.port === port && peer.address === address

function receive(data: Buffer, address: string, port: number) {
  let id: number
  try {
    id = messageId(data)
  } catch {
    for (const each of pending.values()) if (isFrom(each.peer, address, port)) each.malformed = true
    return
  }
  const asked = pending.get(id)
  if (asked && isFrom(asked.peer, address, port) && (asked.accepts?.(data) ?? true)) asked.resolve(data)
}

const sendReasons: Record<string, Reason> = {
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
  EHOSTDOWN: 'noRoute',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'refused',
  EACCES: 'noRoute',
  EINVAL: 'noRoute',
}

export function socketError(error: unknown): DeviceError {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new DeviceError(sendReasons[code] ?? 'internal', code || String(error), { cause: error })
}

export type Attempt = { milliseconds: number; connected: boolean }

/**
 * Sends `packet` until an answer with its request id comes from the peer it went to; one that is not `accepts` is none.
 * A late answer to an earlier try counts. Rejects with `timeout`, `refused`, `noRoute`, or `malformed` when only unreadable
 * packets came.
 */
export function ask(
  peer: Peer,
  id: number,
  packet: Buffer,
  attempts: readonly Attempt[],
  accepts?: Pending['accepts'],
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let own: Connected | undefined
    const mine: Pending = { peer, malformed: false, accepts, resolve: answer => settle(() => resolve(answer)) }
    function settle(how: () => void) {
      clearTimeout(timer)
      if (pending.get(id) === mine) pending.delete(id)
      own?.close()
      how()
    }
    const fail = (error: unknown) => settle(() => reject(socketError(error)))
    const silence = () =>
      mine.malformed ? new DeviceError('malformed', 'no readable SNMP message') : new DeviceError('timeout')
    function attempt(place: number) {
      const next = attempts[place]
      if (!next) return settle(() => reject(silence()))
      timer = setTimeout(() => attempt(place + 1), next.milliseconds)
      if (!next.connected) return sendShared(peer, packet, fail)
      // Over the socket of the tries before, where late answers to them arrive.
      own ??= connected(peer, fail)
      own.send(packet)
    }
    pending.set(id, mine)
    attempt(0)
  })
}

/**
 * Runs a socket's callback: what it throws ends the work that the packet is of, where it would otherwise be nobody's.
 */
function guarded(work: () => void, fail: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    fail(error)
  }
}

function sendShared(peer: Peer, packet: Buffer, fail: (error: unknown) => void): void {
  sharedSocket(peer).send(packet, peer.port, peer.address, error => error && fail(error))
}

type Connected = { send(packet: Buffer): void; close(): void }

function connected(peer: Peer, fail: (error: unknown) => void): Connected {
  const socket = createSocket(options(peer.family))
  let open = true
  const waiting: Buffer[] = []
  let ready = false
  const send = (packet: Buffer) => guarded(() => socket.send(packet, error => error && open && fail(error)), fail)
  socket.on('message', data => guarded(() => receive(data, peer.address, peer.port), fail))
  socket.on('error', error => open && fail(error))
  // Without a route the callback gets the error that 'error' is not told of; a send then would throw where nobody catches.
  socket.connect(peer.port, peer.address, (error?: Error) => {
    if (!open) return
    if (error) return fail(error)
    ready = true
    for (const packet of waiting) send(packet)
  })
  return {
    send: packet => void (ready ? send(packet) : waiting.push(packet)),
    close() {
      if (open) socket.close()
      open = false
    },
  }
}
