'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { type KeptView, keepView, keepViewsOf, keptView } from '@/app/_ui/kept-view'
import type { MenuItem } from '@/server/people/access/menu'
import { isKept } from './menu-tree'

const patienceMs = 4000
const acts = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Scrolls there once the page is long enough, unless somebody does something meanwhile. Returns what ends the waiting. */
function scrollBack(top: number): () => void {
  const ended = new AbortController()
  const until = performance.now() + patienceMs
  const step = () => {
    if (ended.signal.aborted) return
    const most = document.documentElement.scrollHeight - window.innerHeight
    if (most < top && performance.now() < until) return void requestAnimationFrame(step)
    ended.abort()
    window.scrollTo({ top, behavior: 'instant' })
  }
  for (const act of acts) window.addEventListener(act, () => ended.abort(), { signal: ended.signal, passive: true })
  requestAnimationFrame(step)
  return () => ended.abort()
}

/** What of an address comes back: not a notice about how one got there. */
function queryOf(search: URLSearchParams): string {
  const query = new URLSearchParams(search)
  query.delete('denied')
  return query.toString()
}

type Shown = { path: string; view: KeptView; keeps: boolean }
const keep = (shown: Shown | undefined) => shown?.keeps && keepView(shown.path, shown.view)

/**
 * Remembers how each page of the menu is left, and scrolls there when one comes back to it (specification 1-console.md,
 * pages kept alive).
 */
export function KeepViews({ account, menus }: { account: string; menus: readonly MenuItem[] }) {
  const path = usePathname()
  const query = queryOf(useSearchParams())
  const shown = useRef<Shown>(undefined)
  const keeps = isKept(menus, path, query)
  useLayoutEffect(() => keepViewsOf(account), [account])
  // Before the browser tells of the scrolling that the new page brings: that is none of the former page.
  useLayoutEffect(() => {
    const last = shown.current
    if (last?.path === path) {
      shown.current = { path, view: { query, top: last.view.top }, keeps }
      return void keep(shown.current)
    }
    keep(last)
    const before = keeps ? keptView(path) : undefined
    shown.current = { path, view: { query, top: 0 }, keeps }
    keep(shown.current)
    if (before?.query === query && before.top > 0) return scrollBack(before.top)
  }, [path, query, keeps])
  useEffect(() => {
    const scrolled = () => {
      if (shown.current) shown.current.view = { ...shown.current.view, top: Math.round(window.scrollY) }
    }
    const leave = () => keep(shown.current)
    window.addEventListener('scroll', scrolled, { passive: true })
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('scroll', scrolled)
      window.removeEventListener('pagehide', leave)
    }
  }, [])
  return null
}
