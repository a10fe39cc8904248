import type { Authority } from '@/model/authority'
import type { BusEvent } from '@/server/kernel/bus'
import type { Actor } from '@/server/kernel/call'
import { readCookie } from '@/server/kernel/cookies'
import { part } from '@/server/kernel/part'
import { remoteAddress } from '@/server/kernel/remote'
import { type Runtime, runtime as started } from '@/server/kernel/runtime'
import { mayReceive } from '@/server/people/access/access'
import { findSession, isOpen, sessionCookie } from '@/server/people/accounts/sessions'

/** Whether its session still holds. */
const heartbeatMs = 20_000
/** By its silence a browser knows that the connection is dead, which it would not be told otherwise. */
const beatMs = 3000
/** News that may wait for one reader. */
const mostUnread = 1000

/** Streams of one session at a time: a browser's tabs share one. And of all sessions of an account. */
const most = { session: 16, account: 64 }

/** Who reads the lists that a topic is about; other topics are for everybody who may look there. */
const readers: Partial<Record<BusEvent['topic'], Authority>> = {
  users: 'organization_users',
  webhooks: 'organization_api',
  backups: 'organization_manager',
  mail: 'organization_mail',
  vouchers: 'vouchers',
  logs: 'logs',
}

/** For the manager itself. */
const managersOwn: ReadonlySet<BusEvent['topic']> = new Set(['networkMoved', 'networkGone', 'vouchersChanged'])

/** Whose session ended is nobody else's to know; who sees people is told that there is news of them. */
function ofOthers(actor: Actor, event: BusEvent): BusEvent | undefined {
  if (managersOwn.has(event.topic)) return undefined
  const reader = readers[event.topic]
  if (reader && !actor.authorities.has(reader)) return undefined
  if (event.topic !== 'sessions' || event.id === undefined || event.id === actor.id) return event
  return actor.authorities.has('organization_users') ? { topic: 'users' } : undefined
}

type Stream = ReadableStreamDefaultController<Uint8Array>
/** All streams of one session from one address, and the person as the session was last seen: what one hears all hear. */
type Listener = {
  runtime: Runtime
  cookie: string | undefined
  address: string
  actor: Actor
  streams: Set<Stream>
  /** That the line works. */
  sign: NodeJS.Timeout
  /** That the session goes on. */
  beat: NodeJS.Timeout
}
type Listeners = { held: Map<string, Listener>; off?: () => void }
const listenersPart = part<Listeners>('listeners', () => ({ held: new Map() }))

const encoder = new TextEncoder()
const keyOf = (actor: Actor, address: string) => `${actor.session} ${address}`
const lineOf = (event: BusEvent) => encoder.encode(`data: ${JSON.stringify({ topic: event.topic, id: event.id })}\n\n`)
const openLine = encoder.encode(': open\n\n')
const beatLine = encoder.encode('event: beat\ndata:\n\n')

/** Takes one stream off, or the listener with its last. */
function drop(listener: Listener, stream: Stream): void {
  listener.streams.delete(stream)
  if (listener.streams.size > 0) return
  for (const timer of [listener.sign, listener.beat]) clearInterval(timer)
  const listeners = listenersPart.of(listener.runtime)
  listeners.held.delete(keyOf(listener.actor, listener.address))
  if (listeners.held.size > 0) return
  listeners.off?.()
  listeners.off = undefined
}

function cut(listener: Listener, stream: Stream, why: unknown): void {
  if (!listener.streams.has(stream)) return
  drop(listener, stream)
  stream.error(why)
}

/** A browser that sleeps reads nothing: what it missed it fetches when it comes back. */
function send(listener: Listener, line: Uint8Array): void {
  for (const stream of [...listener.streams])
    if ((stream.desiredSize ?? 0) < -mostUnread) cut(listener, stream, new Error('the reader is too slow'))
    else stream.enqueue(line)
}

/** Its session is over: that is the last it is told. */
function signOut(listener: Listener): void {
  const last = lineOf({ topic: 'signedOut' })
  for (const stream of [...listener.streams]) {
    drop(listener, stream)
    stream.enqueue(last)
    stream.close()
  }
}

/** Decided and written once for all streams of a session, however many they are. */
function pass(listener: Listener, event: BusEvent): void {
  const { runtime, actor, address } = listener
  if (!mayReceive(runtime.db, actor, event)) return
  const heard = ofOthers(actor, event)
  if (!heard) return
  if (heard.topic === 'sessions' && !isOpen(runtime, actor, address)) signOut(listener)
  else send(listener, lineOf(heard))
}

async function keepAlive(listener: Listener): Promise<void> {
  const found = await findSession(listener.runtime, listener.cookie, false, listener.address)
  if (listener.streams.size === 0) return
  if (!found) {
    signOut(listener)
    return
  }
  listener.actor = found.actor
}

function newListener(about: Omit<Listener, 'streams' | 'sign' | 'beat'>): Listener {
  const listener: Listener = {
    ...about,
    streams: new Set(),
    sign: setInterval(() => send(listener, beatLine), beatMs),
    // It fails where the manager is about to stop, and has closed its database.
    beat: setInterval(
      () =>
        void keepAlive(listener).catch(error => {
          for (const stream of [...listener.streams]) cut(listener, stream, error)
        }),
      heartbeatMs,
    ),
  }
  return listener
}

/** The listener of a session, made with its first stream; undefined where it, or its account, has as many as may be. */
function listenerOf(about: Omit<Listener, 'streams' | 'sign' | 'beat'>): Listener | undefined {
  const listeners = listenersPart.of(about.runtime)
  const key = keyOf(about.actor, about.address)
  const held = listeners.held.get(key)
  const ofAccount = [...listeners.held.values()].filter(one => one.actor.id === about.actor.id)
  const count = (list: readonly Listener[]) => list.reduce((sum, one) => sum + one.streams.size, 0)
  const ofSession = ofAccount.filter(one => one.actor.session === about.actor.session)
  if (count(ofSession) >= most.session || count(ofAccount) >= most.account) return undefined
  listeners.off ??= about.runtime.bus.on(event => {
    for (const listener of [...listeners.held.values()]) pass(listener, event)
  })
  const listener = held ?? newListener(about)
  listeners.held.set(key, listener)
  return listener
}

/** The live stream of a browser: `data: {topic, id}` lines of what changed where its person may look, a `beat` every 3 s. */
export async function GET(request: Request) {
  const runtime = started()
  const cookie = readCookie(
    request.headers.get('cookie'),
    sessionCookie(request.headers.get('x-forwarded-proto') === 'https'),
  )
  const address = remoteAddress(request.headers)
  const session = await findSession(runtime, cookie, false, address)
  if (!session) return new Response(null, { status: 401 })
  const listener = listenerOf({ runtime, cookie, address, actor: session.actor })
  if (!listener) return new Response(null, { status: 429, headers: { 'retry-after': '30' } })
  let leave = (): void => undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      leave = () => drop(listener, controller)
      listener.streams.add(controller)
      controller.enqueue(openLine)
      request.signal.addEventListener('abort', leave)
    },
    cancel: () => leave(),
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
