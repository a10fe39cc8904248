import { createSocket, type Socket as Datagrams, type RemoteInfo } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { lineSplitter } from './line-splitter'
import { plainAddress, type SocketState, type TlsPair } from './protocol'

/** Bytes of a line that are read; of a longer one the rest is left out. */
const lineBytes = 65_536
/** As much as the system lets: what waits there while lines are written is not lost. */
const bufferBytes = 8 * 1024 * 1024
const mostConnections = 512
const mostOfOne = 16
/** A connection that says nothing for so long, ms: its device is gone. */
const idleMs = 6 * 3_600_000
const againMs = 5000
const handshakeMs = 10_000

export type Taker = (bytes: Buffer, address: string) => void
/** Who sent a datagram, and how they are answered. */
export type From = { address: string; port: number; answer(bytes: Buffer): void }
export type DatagramTaker = (bytes: Buffer, from: From) => void
export type Listener = { state(): SocketState; close(): void }
export type StreamListener = Listener & {
  /** While held nothing is read: senders wait, and nothing of theirs is lost. */
  hold(on: boolean): void
}

const codeOf = (error: Error) => (error as { code?: string }).code ?? error.message

/** Opens again and again until it is closed, as a port that another holds gets free. `open` calls one of the two. */
function opening(open: (listening: () => void, failed: (error: Error) => void) => () => void): Listener {
  let state: SocketState = { error: 'starting' }
  let end: () => void = () => undefined
  let again: NodeJS.Timeout | undefined
  let closed = false
  const start = () => {
    let failed = false
    end = open(
      () => {
        if (!closed) state = 'listening'
      },
      error => {
        if (closed || failed) return
        failed = true
        state = { error: codeOf(error) }
        end()
        again = setTimeout(start, againMs).unref()
      },
    )
  }
  start()
  return {
    state: () => state,
    close() {
      closed = true
      clearTimeout(again)
      end()
    },
  }
}

/** For IPv6 and, over the same socket, IPv4; a system without IPv6 has the second alone. */
function boundDatagrams(port: number, take: DatagramTaker, listening: () => void, failed: (error: Error) => void) {
  let socket: Datagrams
  const bind = (type: 'udp6' | 'udp4') => {
    socket = createSocket({ type, recvBufferSize: bufferBytes })
    const here = socket
    const answerTo = (bytes: Buffer, to: RemoteInfo) => {
      try {
        here.send(bytes, to.port, to.address, () => undefined)
      } catch {
        // Closed meanwhile.
      }
    }
    socket.on('message', (bytes, from) =>
      take(bytes, {
        ...{ address: plainAddress(from.address), port: from.port },
        answer: reply => answerTo(reply, from),
      }),
    )
    socket.once('listening', listening)
    socket.once('error', error => {
      socket.close()
      if (type === 'udp6' && codeOf(error) === 'EAFNOSUPPORT') return bind('udp4')
      failed(error)
    })
    socket.bind({ port, exclusive: true })
  }
  bind('udp6')
  return () => {
    try {
      socket.close()
    } catch {
      // Closed by its failure.
    }
  }
}

export const listenUdp = (port: number, take: DatagramTaker): Listener =>
  opening((listening, failed) => boundDatagrams(port, take, listening, failed))

export type Doors = {
  take: Taker
  /** Whether somebody's lines are kept: nobody else's are taken, so that their sender sees it. */
  admits(address: string): boolean
  refused(address: string): void
  /** A connection came to no TLS. */
  garbage(): void
}

const senderOf = (socket: { remoteAddress?: string }) => plainAddress(socket.remoteAddress ?? '')

/** Who is connected; `admit` ends whoever's lines nobody keeps, and what is too many, of one address or of all. */
function connectionBook({ admits, refused }: Pick<Doors, 'admits' | 'refused'>) {
  const open = new Map<Socket, string>()
  const admit = (socket: Socket): boolean => {
    const address = senderOf(socket)
    const own = [...open.values()].filter(one => one === address).length
    if (!admits(address) || open.size >= mostConnections || own >= mostOfOne) {
      refused(address)
      socket.destroy()
      return false
    }
    open.set(socket, address)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
    return true
  }
  return { open, admit }
}

/** Reads lines of each connection; while it is held, of none. */
function streamReader(take: Taker) {
  const reading = new Set<Socket>()
  let held = false
  const read = (socket: Socket): void => {
    const address = senderOf(socket)
    const lines = lineSplitter(line => take(line, address), lineBytes)
    reading.add(socket)
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('data', chunk => lines.push(chunk))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      reading.delete(socket)
      lines.end()
    })
    if (held) socket.pause()
  }
  const hold = (on: boolean): void => {
    held = on
    for (const socket of reading) {
      if (on) socket.pause()
      else socket.resume()
    }
  }
  return { reading, read, hold }
}

/** Over IPv6 and IPv4; a system without IPv6 has the second alone. */
function listenOn(server: Server, port: number, listening: () => void, failed: (error: Error) => void): void {
  const listen = (host: string) => server.listen({ port, host, exclusive: true })
  server.once('listening', listening)
  server.once('error', error => {
    if (codeOf(error) !== 'EAFNOSUPPORT') return failed(error)
    server.once('error', failed)
    listen('0.0.0.0')
  })
  listen('::')
}

/** Senders over TCP, or over TLS with `secure`. */
export function listenTcp(port: number, { take, garbage, ...who }: Doors, secure?: TlsPair): StreamListener {
  const { open, admit } = connectionBook(who)
  const { reading, read, hold } = streamReader(take)
  const serverOf = (): Server => {
    if (!secure) return createServer().on('connection', socket => admit(socket) && read(socket))
    return createTlsServer({ ...secure, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs })
      .on('connection', admit)
      .on('secureConnection', read)
      .on('tlsClientError', (_, socket) => {
        if (who.admits(senderOf(socket))) garbage()
        socket.destroy()
      })
  }
  const listener = opening((listening, failed) => {
    const server = serverOf()
    listenOn(server, port, listening, failed)
    return () => {
      server.close()
      for (const socket of [...reading, ...open.keys()]) socket.destroy()
    }
  })
  return { ...listener, hold }
}
