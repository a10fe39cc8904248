import type { Server, Socket } from 'node:net'
import tls from 'node:tls'

const everyMs = 20_000
/** What the slowest line takes between two looks: a modem takes more. */
const leastBytes = 20 * 1024
/** So many looks in a row it may take less. */
const patience = 3

export type Look = { waiting: number; sent: number; slow: number }

/** How the reader of a connection fares: `slow` looks in a row something waited for it, and it took hardly any of it. */
export function look(before: Look | undefined, socket: Pick<Socket, 'writableLength' | 'bytesWritten'>): Look {
  const waiting = socket.writableLength
  const sent = socket.bytesWritten - waiting
  const slow = before !== undefined && before.waiting > 0 && waiting > 0 && sent - before.sent < leastBytes
  return { waiting, sent, slow: slow ? before.slow + 1 : 0 }
}

/** Ends connections that ask for something and do not read it: each would hold a file or a stream for ever. */
export function endIdleReaders(server: Server, every = everyMs): void {
  const looks = new Map<Socket, Look>()
  server.on(server instanceof tls.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    looks.set(socket, look(undefined, socket))
    socket.once('close', () => looks.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, before] of looks) {
      const now = look(before, socket)
      looks.set(socket, now)
      if (now.slow >= patience) socket.destroy()
    }
  }, every)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
