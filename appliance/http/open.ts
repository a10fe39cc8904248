import http from 'node:http'
import https from 'node:https'
import type { TlsPair } from '@/server/kernel/certificates/served'
import { limitConnections } from './connections'
import type { Door } from './doors'
import { alsoByTls } from './first-byte'
import { type FrontOptions, front } from './front'
import { listen, listenAtLast } from './listen'
import { endIdleReaders } from './readers'

const handshakeTimeout = 10_000
const connectionsCheckingInterval = 2000

export type Opened = {
  door: Door
  server: http.Server | https.Server
  /** Resolves when it listens; for a door that is optional at once, and `failed` hears each time why it does not yet. */
  listen(bind: string, failed: (error: unknown) => void): Promise<void>
  renew(files: TlsPair): void
}

/** A row as a server, with what stands before `next` on it. It does not listen yet. */
export function openDoor(door: Door, next: http.RequestListener, files: TlsPair, options: FrontOptions): Opened {
  const answer = front(next, door, options)
  const times = { ...door.times, connectionsCheckingInterval }
  const { cert, key } = files
  const byTls = door.tls === 'only' ? https.createServer({ cert, key, ...times, handshakeTimeout }, answer) : undefined
  const server = byTls ?? http.createServer(times, answer)
  const secure = door.tls === 'both' ? alsoByTls(server, files) : byTls
  limitConnections(server, door.connections)
  for (const one of new Set([server, secure ?? server])) endIdleReaders(one)
  const attempt = (bind: string) => listen(server, door.port, bind)
  return {
    door,
    server,
    async listen(bind, failed) {
      if (door.optional) listenAtLast(server, () => attempt(bind), failed)
      else await attempt(bind)
    },
    renew: pair => secure?.setSecureContext(pair),
  }
}
