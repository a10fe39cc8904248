import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/**
 * A socket whose datagrams go to one address and port; the caller closes it. Rejects where no route leads there: Node hands
 * that to the callback of `connect`, and a socket that is not connected throws at `send`, where nobody catches it. What the
 * network says later (a closed port) is for whoever listens to `error`, and ends nothing by itself.
 */
export function connectDatagrams(address: string, port: number): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  socket.on('error', () => undefined)
  return new Promise((done, failed) => {
    socket.connect(port, address, (error?: Error) => {
      if (!error) return done(socket)
      socket.close()
      failed(error)
    })
  })
}
