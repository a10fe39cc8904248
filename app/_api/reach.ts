'use client'
import { useSyncExternalStore } from 'react'

/** `lostAt`: since when the manager does not answer (unix ms), 0 while it does. `opening`: path and query of the screen asked for. */
type Reach = { lostAt: number; opening: string | null }

const reachable: Reach = { lostAt: 0, opening: null }
let reach = reachable
const watchers = new Set<() => void>()

function set(part: Partial<Reach>): void {
  reach = { ...reach, ...part }
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Whether the manager answers, for who draws it. */
export const useReach = (): Reach =>
  useSyncExternalStore(
    watch,
    () => reach,
    () => reachable,
  )

const patienceMs = 5000
const everyMs = 1500

const answers = () =>
  fetch('/app/health', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    response => response.ok,
    () => false,
  )

/** Until the next look; at once when the browser has a network again. */
const pause = () =>
  new Promise<void>(wake => {
    const timer = setTimeout(done, everyMs)
    function done() {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      wake()
    }
    window.addEventListener('online', done)
  })

async function look(): Promise<void> {
  if (typeof window === 'undefined') return
  while (!navigator.onLine || !(await answers())) {
    if (reach.lostAt === 0) set({ lostAt: Date.now() })
    await pause()
  }
  if (reach.lostAt !== 0) set({ lostAt: 0 })
}

let looking: Promise<void> | undefined

/** Something did not arrive: says so where the manager is out of reach, and resolves when it answers. */
export function doubtReach(): Promise<void> {
  looking ??= look().finally(() => {
    looking = undefined
  })
  return looking
}

type Fetch = typeof fetch

const placeOf = ({ pathname, searchParams }: URL) => {
  const query = new URLSearchParams(searchParams)
  query.delete('_rsc')
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

/** The screen that the router asks for; undefined for what else is fetched, and for the one that is shown. */
function screenOf(...[input, init]: Parameters<Fetch>): string | undefined {
  if (!new Headers(init?.headers).has('rsc')) return undefined
  const here = new URL(window.location.href)
  const place = placeOf(new URL(input instanceof Request ? input.url : input, here))
  return place === placeOf(here) ? undefined : place
}

async function untilAnswered(plain: Fetch, ...args: Parameters<Fetch>): Promise<Response> {
  for (;;) {
    try {
      return await plain(...args)
    } catch (error) {
      if (args[1]?.signal?.aborted) throw error
      await doubtReach()
    }
  }
}

/** A screen came, whichever it was. */
export const screenCame = () => reach.opening !== null && set({ opening: null })

/**
 * Has screens wait while the manager is out of reach: the router would leave for the browser's own error page, and with
 * it everything that is shown. Returns how to take it back.
 */
export function holdScreens(): () => void {
  const own = window.fetch
  const plain = own.bind(window)
  const lost = () => void doubtReach()
  window.fetch = async (...args) => {
    const screen = screenOf(...args)
    if (screen === undefined) return plain(...args)
    set({ opening: screen })
    try {
      return await untilAnswered(plain, ...args)
    } catch (error) {
      if (reach.opening === screen) set({ opening: null })
      throw error
    }
  }
  window.addEventListener('offline', lost)
  return () => {
    window.fetch = own
    window.removeEventListener('offline', lost)
  }
}
