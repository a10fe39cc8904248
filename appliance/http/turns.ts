import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { bucketOf } from '@/model/addresses'
import { codes } from '@/model/codes'
import { refuse } from './body'
import { hold } from './connections'
import { isLoopback } from './hosts'

const atOnce = {
  /** Of one address (or /64); the rest of its requests wait for their turn, and nobody else for them. */
  address: 32,
  /** This machine itself, or a proxy that stands for many people. */
  loopback: 256,
  /** The one that is answered, and one behind it: no browser sends more before it has read. */
  connection: 2,
}
/** Streams stand open and do nothing meanwhile; they are counted by session. */
const isStream = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] === '/app/events'

/** The client as the front judged it; where nothing judged, the peer. */
const addressOf = ({ headers, socket }: IncomingMessage): string =>
  String(headers['x-lanward-remote'] ?? socket.remoteAddress ?? '')

type Place = { running: number; waiting: (() => void)[] }

/** Lets so many requests of one address in at a time, so that a flood from one keeps only itself waiting. */
export function inTurns(next: RequestListener, most = atOnce): RequestListener {
  const places = new Map<string, Place>()

  const enter = (name: string, limit: number, go: () => void) => {
    const place = places.get(name) ?? { running: 0, waiting: [] }
    places.set(name, place)
    if (place.running >= limit) return void place.waiting.push(go)
    place.running += 1
    go()
  }
  const leave = (name: string) => {
    const place = places.get(name)
    if (!place) return
    const go = place.waiting.shift()
    if (go) return go()
    place.running -= 1
    if (place.running === 0) places.delete(name)
  }

  return (request, reply) => {
    const { socket } = request
    const { underWay, release } = hold(socket)
    reply.once('close', release)
    if (underWay > most.connection) return refuse(request, reply, 429, codes.rateLimited)
    if (isStream(request)) return next(request, reply)
    const address = addressOf(request)
    enter(bucketOf(address), isIP(address) && !isLoopback(address) ? most.address : most.loopback, () => {
      if (reply.destroyed || reply.writableEnded) return leave(bucketOf(address))
      reply.once('close', () => leave(bucketOf(address)))
      next(request, reply)
    })
  }
}
