'use client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { BusEvent } from '@/server/kernel/bus'
import type { Topic } from './news'

export type StreamState = { live: boolean; since: number }
type Message = { event: BusEvent } | { state: StreamState } | { ask: true } | { all: true }

const beatMs = 2000
const goneMs = 6000
const refusedMs = 30_000
const leaderKey = 'lanward.stream'

const own = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e9).toString(36)}`

/**
 * One stream for all tabs of a browser: a leader tab holds the connection (a browser allows six a host) and passes what
 * it hears on. The leader is agreed on in localStorage, because Web Locks are missing on plain http.
 */
function createStream() {
  const id = own()
  const listeners = new Set<(event: BusEvent | 'all') => void>()
  const watchers = new Set<() => void>()
  const channel = new BroadcastChannel('lanward.events')
  let source: EventSource | undefined
  let notBefore = 0
  let state: StreamState = { live: false, since: Date.now() }

  const hear = (event: BusEvent | 'all') => {
    for (const listener of listeners) listener(event)
  }
  const setState = (next: StreamState) => {
    if (next.live === state.live) return
    state = next
    for (const watcher of watchers) watcher()
  }
  const say = (message: Message) => channel.postMessage(message)
  const announce = (live: boolean) => {
    const next = { live, since: Date.now() }
    const back = live && !state.live
    setState(next)
    say({ state: next })
    // Whatever happened while the stream was down was missed.
    if (back) {
      hear('all')
      say({ all: true })
    }
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('event' in data) hear(data.event)
    else if ('all' in data) hear('all')
    else if ('state' in data) setState(data.state)
    else if (source) say({ state })
  }

  const open = () => {
    const next = new EventSource('/app/events')
    source = next
    next.onopen = () => announce(true)
    next.onmessage = ({ data }) => {
      const event = JSON.parse(data) as BusEvent
      hear(event)
      say({ event })
    }
    next.onerror = () => {
      announce(false)
      // Refused, not interrupted: the session may have ended. Asked again now and then.
      if (next.readyState === EventSource.CLOSED && source === next) {
        source = undefined
        notBefore = Date.now() + refusedMs
      }
    }
  }
  const resign = () => {
    source?.close()
    source = undefined
  }
  let away = false
  const leader = () => localStorage.getItem(leaderKey)?.split(' ') ?? []
  const beat = () => {
    if (away) return
    const [holder, at] = leader()
    const mine = holder === id
    const gone = Date.now() - Number(at ?? 0) > goneMs
    if (!mine && !gone) return resign()
    localStorage.setItem(leaderKey, `${id} ${Date.now()}`)
    if (mine && !source && Date.now() > notBefore) open()
  }
  // The second beat follows at once: the tab that wrote last leads.
  const claim = () => {
    beat()
    setTimeout(beat, 60)
  }
  claim()
  setInterval(beat, beatMs)
  window.addEventListener('pagehide', () => {
    away = true
    if (leader()[0] === id) localStorage.removeItem(leaderKey)
    resign()
  })
  window.addEventListener('pageshow', () => {
    away = false
    claim()
  })
  // The former page of this very tab may let go only after this one began.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === leaderKey && newValue === null) claim()
  })
  say({ ask: true })

  return {
    listen(listener: (event: BusEvent | 'all') => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch(watcher: () => void) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    state: () => state,
  }
}

let stream: ReturnType<typeof createStream> | undefined
const theStream = () => {
  stream ??= createStream()
  return stream
}
const onServer: StreamState = { live: false, since: 0 }

const never = () => () => undefined

/**
 * Whether live updates arrive, and since when that is so (unix ms). Not `wanted`: the stream is left alone, as on pages
 * before the sign-in, which may not have it.
 */
export function useStream(wanted = true): StreamState {
  return useSyncExternalStore(
    wanted ? watcher => theStream().watch(watcher) : never,
    () => (wanted ? theStream().state() : onServer),
    () => onServer,
  )
}

/** Runs `react` after something of these topics changed, at most five times a second. */
export function useLive(
  topics: readonly (Topic | BusEvent['topic'])[],
  react: (event: BusEvent | 'all') => void,
): void {
  const latest = useRef(react)
  useEffect(() => {
    latest.current = react
  })
  const wanted = topics.join(' ')
  useEffect(() => {
    if (!wanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const off = theStream().listen(event => {
      if (event !== 'all' && !wanted.split(' ').includes(event.topic)) return
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current(event)
      }, 200)
    })
    return () => {
      off()
      clearTimeout(timer)
    }
  }, [wanted])
}
