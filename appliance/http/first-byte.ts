import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import type { TlsPair } from '@/server/kernel/certificates/served'

/** A browser says hello at once. */
const helloMs = 10_000
/** The first byte of TLS (RFC 8446 section 5.1: a handshake); no request of http begins with it. */
const handshake = 22

/**
 * Lets the portal speak TLS on its own port, too: one port is open to guests, whatever certificate there is. Call it before
 * anything else listens for the server's connections. Returns what holds the certificate; it listens nowhere itself.
 */
export function alsoByTls(portal: Server, files: TlsPair): tls.Server {
  const [answer] = portal.listeners('connection') as ((socket: Socket) => void)[]
  portal.removeAllListeners('connection')
  const answered = (socket: Socket) => answer?.call(portal, socket)
  const secure = tls.createServer({ ...files, handshakeTimeout: helloMs, ALPNProtocols: ['http/1.1'] })
  secure.on('secureConnection', answered)
  secure.on('tlsClientError', (_, socket) => socket.destroy())
  portal.on('connection', (socket: Socket) => {
    const end = () => void socket.destroy()
    const timer = setTimeout(end, helloMs)
    socket.on('error', end)
    socket.once('close', () => clearTimeout(timer))
    socket.once('data', (first: Buffer) => {
      clearTimeout(timer)
      socket.pause()
      socket.unshift(first)
      if (first[0] === handshake) return void secure.emit('connection', socket)
      socket.off('error', end)
      answered(socket)
      process.nextTick(() => socket.resume())
    })
  })
  return secure
}
