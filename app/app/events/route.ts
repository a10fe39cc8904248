import type { BusEvent } from '@/server/kernel/bus'
import type { Actor } from '@/server/kernel/call'
import { readCookie } from '@/server/kernel/cookies'
import { remoteAddress } from '@/server/kernel/remote'
import { type Runtime, runtime as started } from '@/server/kernel/runtime'
import { mayReceive } from '@/server/people/access/access'
import { findSession, isOpen, sessionCookie } from '@/server/people/accounts/sessions'

const heartbeatMs = 20_000
/** News that may wait for one reader. */
const mostUnread = 1000

/** Whose session ended is nobody else's to know; who sees people is told that there is news of them. */
function ofOthers(actor: Actor, event: BusEvent): BusEvent | undefined {
  if (event.topic === 'networkMoved') return undefined
  if (event.topic !== 'sessions' || event.id === undefined || event.id === actor.id) return event
  return actor.authorities.has('organization_users') ? { topic: 'users' } : undefined
}

/** A browser that listens, and the person who does as its session was last seen. */
type Listener = {
  runtime: Runtime
  cookie: string | undefined
  address: string
  actor: Actor
  controller: ReadableStreamDefaultController<Uint8Array>
  open: boolean
  /** What keeps it going. */
  stops: (() => void)[]
}

const encoder = new TextEncoder()
const send = ({ controller }: Listener, text: string) => controller.enqueue(encoder.encode(text))
const tell = (listener: Listener, event: BusEvent) =>
  send(listener, `data: ${JSON.stringify({ topic: event.topic, id: event.id })}\n\n`)

function end(listener: Listener): void {
  listener.open = false
  for (const stop of listener.stops) stop()
}

/** Its session is over: that is the last it is told. */
function signOut(listener: Listener): void {
  end(listener)
  tell(listener, { topic: 'signedOut' })
  listener.controller.close()
}

function cut(listener: Listener, why: unknown): void {
  if (!listener.open) return
  end(listener)
  listener.controller.error(why)
}

function pass(listener: Listener, event: BusEvent): void {
  const { runtime, actor, address, controller } = listener
  if (!mayReceive(runtime.db, actor, event)) return
  const heard = ofOthers(actor, event)
  if (!heard) return
  // A browser that sleeps reads nothing: what it missed it fetches when it comes back.
  if ((controller.desiredSize ?? 0) < -mostUnread) cut(listener, new Error('the reader is too slow'))
  else if (heard.topic === 'sessions' && !isOpen(runtime, actor, address)) signOut(listener)
  else tell(listener, heard)
}

async function keepAlive(listener: Listener): Promise<void> {
  const found = await findSession(listener.runtime, listener.cookie, false, listener.address)
  if (!listener.open) return
  if (!found) {
    signOut(listener)
    return
  }
  listener.actor = found.actor
  send(listener, ': alive\n\n')
}

function listen(listener: Listener): void {
  send(listener, ': open\n\n')
  const off = listener.runtime.bus.on(event => pass(listener, event))
  // It fails where the manager is about to stop, and has closed its database.
  const beat = setInterval(() => void keepAlive(listener).catch(error => cut(listener, error)), heartbeatMs)
  listener.stops.push(() => clearInterval(beat), off)
}

/** The live stream of a browser: `data: {topic, id}` lines of what changed where its person may look, a comment every 20 s. */
export async function GET(request: Request) {
  const runtime = started()
  const cookie = readCookie(
    request.headers.get('cookie'),
    sessionCookie(request.headers.get('x-forwarded-proto') === 'https'),
  )
  const address = remoteAddress(request.headers)
  const session = await findSession(runtime, cookie, false, address)
  if (!session) return new Response(null, { status: 401 })
  let listener: Listener | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const one = { runtime, cookie, address, actor: session.actor, controller, open: true, stops: [] }
      listener = one
      listen(one)
      request.signal.addEventListener('abort', () => end(one))
    },
    cancel: () => listener && end(listener),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
export const dynamic = 'force-dynamic'
