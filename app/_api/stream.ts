import type { BusEvent } from '@/server/kernel/bus'
import { doubtReach } from './reach'
import { beatMs, isMarkOf, leaderKey, leaderMark, roleAt } from './stream-leader'

export type StreamState = { live: boolean; since: number }
/** What the tabs of a browser say to each other. */
export type Message = { event: BusEvent } | { state: StreamState } | { ask: true } | { all: true }
export type Listener = (event: BusEvent | 'all') => void

/** One tab's part in the stream; `source`: its connection, which the leader alone has. */
export type Stream = {
  id: string
  listeners: Set<Listener>
  watchers: Set<() => void>
  channel: Pick<BroadcastChannel, 'postMessage'>
  state: StreamState
  source?: EventSource
  /** When the connection was made or last heard of (unix ms): the manager speaks every few seconds. */
  heardAt: number
  /** Not connected before this time (unix ms). */
  notBefore: number
  /** The page is left, and may come back. */
  away: boolean
}

const refusedMs = 30_000
/** A connection that says nothing for so long is dead, whatever the browser holds of it. */
const silentMs = 9000

const own = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e9).toString(36)}`

export const newStream = (channel: Stream['channel']): Stream => ({
  id: own(),
  listeners: new Set(),
  watchers: new Set(),
  channel,
  state: { live: false, since: Date.now() },
  heardAt: 0,
  notBefore: 0,
  away: false,
})

const say = ({ channel }: Stream, message: Message) => channel.postMessage(message)

function hear({ listeners }: Stream, event: BusEvent | 'all'): void {
  for (const listener of listeners) listener(event)
}

function setState(stream: Stream, next: StreamState): void {
  if (next.live === stream.state.live) return
  stream.state = next
  for (const watcher of stream.watchers) watcher()
}

/** The leader's connection came or went: told to its own page and to the other tabs. */
function announce(stream: Stream, live: boolean): void {
  const next = { live, since: Date.now() }
  const back = live && !stream.state.live
  setState(stream, next)
  say(stream, { state: next })
  // Whatever happened while the stream was down was missed.
  if (back) {
    hear(stream, 'all')
    say(stream, { all: true })
  }
}

/** Another tab said something. */
export function take(stream: Stream, message: Message): void {
  if ('event' in message) hear(stream, message.event)
  else if ('all' in message) hear(stream, 'all')
  else if ('state' in message) setState(stream, message.state)
  else if (stream.source) say(stream, { state: stream.state })
}

function open(stream: Stream): void {
  const next = new EventSource('/app/events')
  stream.source = next
  stream.heardAt = Date.now()
  next.onopen = () => announce(stream, true)
  next.addEventListener('beat', () => {
    stream.heardAt = Date.now()
  })
  next.onmessage = ({ data }) => {
    stream.heardAt = Date.now()
    const event = JSON.parse(data) as BusEvent
    hear(stream, event)
    say(stream, { event })
  }
  next.onerror = () => {
    announce(stream, false)
    void doubtReach()
    // Refused, not interrupted: the session may have ended. Asked again now and then.
    if (next.readyState === EventSource.CLOSED && stream.source === next) {
      stream.source = undefined
      stream.notBefore = Date.now() + refusedMs
    }
  }
}

function resign(stream: Stream): void {
  stream.source?.close()
  stream.source = undefined
}

/** Lets go of a connection that is dead; the next one is made at once. */
function cut(stream: Stream): void {
  resign(stream)
  announce(stream, false)
  void doubtReach()
}

/** Renews the mark of a leader, takes over from one that is gone, or gives way to another. */
export function beat(stream: Stream): void {
  if (stream.away) return
  const role = roleAt(localStorage.getItem(leaderKey), stream.id, Date.now())
  if (role === 'follow') {
    resign(stream)
    return
  }
  localStorage.setItem(leaderKey, leaderMark(stream.id, Date.now()))
  if (stream.source && Date.now() - stream.heardAt > silentMs) cut(stream)
  if (role === 'lead' && !stream.source && Date.now() > stream.notBefore) open(stream)
}

/** The second beat follows at once: the tab that wrote last leads. */
function claim(stream: Stream): void {
  beat(stream)
  setTimeout(() => beat(stream), 60)
}

function leave(stream: Stream): void {
  stream.away = true
  if (isMarkOf(localStorage.getItem(leaderKey), stream.id)) localStorage.removeItem(leaderKey)
  resign(stream)
}

function comeBack(stream: Stream): void {
  stream.away = false
  claim(stream)
}

/**
 * One stream for all tabs of a browser: a leader tab holds the connection (a browser allows six a host) and passes what
 * it hears on. The leader is agreed on in localStorage, because Web Locks are missing on plain http.
 */
export function startStream(): Stream {
  const channel = new BroadcastChannel('lanward.events')
  const stream = newStream(channel)
  channel.onmessage = ({ data }: MessageEvent<Message>) => take(stream, data)
  claim(stream)
  setInterval(() => beat(stream), beatMs)
  window.addEventListener('offline', () => stream.source && cut(stream))
  window.addEventListener('pagehide', () => leave(stream))
  window.addEventListener('pageshow', () => comeBack(stream))
  // The former page of this very tab may let go only after this one began.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === leaderKey && newValue === null) claim(stream)
  })
  say(stream, { ask: true })
  return stream
}
