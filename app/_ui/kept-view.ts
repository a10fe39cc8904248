'use client'
import { useSyncExternalStore } from 'react'

/** How a page was left: the query of its address, and how far down it was scrolled, px. */
export type KeptView = { query: string; top: number }
type Kept = { account: string; views: Record<string, KeptView> }

/** Of this tab of the browser: two tabs may look at one page differently. */
const place = 'lanward.views'
const listeners = new Set<() => void>()
let kept: Kept | undefined

function read(): Kept {
  try {
    const stored = JSON.parse(sessionStorage.getItem(place) ?? '') as Partial<Kept>
    return { account: stored.account ?? '', views: stored.views ?? {} }
  } catch {
    return { account: '', views: {} }
  }
}
const now = (): Kept => {
  kept ??= read()
  return kept
}

function store(next: Kept): void {
  kept = next
  sessionStorage.setItem(place, JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Whose views these are: what another account of this tab has left is forgotten. */
export function keepViewsOf(account: string): void {
  if (now().account !== account) store({ account, views: {} })
}

export function keepView(path: string, view: KeptView): void {
  const { account, views } = now()
  const last = views[path]
  if (last?.query !== view.query || last.top !== view.top) store({ account, views: { ...views, [path]: view } })
}

export const keptView = (path: string): KeptView | undefined =>
  typeof window === 'undefined' ? undefined : now().views[path]

/** A page's address as it was left. */
export function keptAddress(path: string): string {
  const query = keptView(path)?.query
  return query ? `${path}?${query}` : path
}

const tabOf = (query: string) => new URLSearchParams(query).get('tab')

/** The way back to a list, `?tab=` included where it has one: as it was left, if it was left on that tab. */
export function wayBack(address: string): string {
  const [path = '', query = ''] = address.split('?')
  return tabOf(keptView(path)?.query ?? '') === tabOf(query) ? keptAddress(path) : address
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `keptAddress`, drawn anew when it changes; what the server draws leads to the page itself. */
export const useKeptAddress = (path: string): string =>
  useSyncExternalStore(
    listen,
    () => keptAddress(path),
    () => path,
  )
