'use client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { BusEvent } from '@/server/kernel/bus'
import type { Topic } from '@/server/kernel/call'
import { type Listener, type Stream, type StreamState, startStream } from './stream'

let stream: Stream | undefined
const theStream = () => {
  stream ??= startStream()
  return stream
}

/** Adds to a set until the function returned is called. */
function joined<T>(set: Set<T>, one: T): () => void {
  set.add(one)
  return () => set.delete(one)
}

const onServer: StreamState = { live: false, since: 0 }

const never = () => () => undefined

/**
 * Whether live updates arrive, and since when that is so (unix ms). Not `wanted`: the stream is left alone, as on pages
 * before the sign-in, which may not have it.
 */
export function useStream(wanted = true): StreamState {
  return useSyncExternalStore(
    wanted ? watcher => joined(theStream().watchers, watcher) : never,
    () => (wanted ? theStream().state : onServer),
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
    const off = joined<Listener>(theStream().listeners, event => {
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
