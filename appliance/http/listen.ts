import type { Server } from 'node:net'

/** Listens, on every address when `bind` is `::` (and on IPv4 alone where the machine has no IPv6). Rejects as the socket does. */
export function listen(server: Server, port: number, bind: string): Promise<void> {
  return new Promise((done, failed) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (bind === '::' && error.code === 'EAFNOSUPPORT') listen(server, port, '0.0.0.0').then(done, failed)
      else failed(error)
    }
    server.once('error', onError)
    server.listen({ port, host: bind }, () => {
      server.off('error', onError)
      done()
    })
  })
}

const againMs = 30_000

/** Listens, now or as soon as the port is free: nobody waits for it. `failed` hears each time why not. */
export function listenAtLast(server: Server, attempt: () => Promise<void>, failed: (error: unknown) => void): void {
  let ended = false
  server.once('close', () => {
    ended = true
  })
  const again = () =>
    void attempt().catch(error => {
      failed(error)
      if (!ended) setTimeout(again, againMs).unref()
    })
  again()
}
