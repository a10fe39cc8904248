'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '@/app/_ui/link'

export type Tab = { id: string; label: ReactNode; count?: number }

/** A tab's address: what the page is about stays; search, filters, sort and page are each tab's own, as it was `left`. */
export function tabQuery(now: string, tab: string, first: boolean, left = ''): string {
  const id = new URLSearchParams(now).get('id')
  const query = new URLSearchParams(left)
  query.delete('tab')
  if (id !== null) query.set('id', id)
  if (!first) query.set('tab', tab)
  return query.toString()
}

/** Tabs as links: `?tab=` is the address, so a tab can be shared and comes back. The first one needs no word there. */
export function Tabs({ tabs, active, label }: { tabs: readonly Tab[]; active: string; label: string }) {
  const path = usePathname()
  const search = useSearchParams()
  const now = search.toString()
  const of = (tab: string) => `${search.get('id') ?? ''}/${tab}`
  const left = useRef(new Map<string, string>())
  const shown = of(active)
  useEffect(() => {
    left.current.set(shown, now)
  }, [shown, now])
  const hrefOf = (id: string) => {
    const query = tabQuery(now, id, id === tabs[0]?.id, left.current.get(of(id)))
    return query ? `${path}?${query}` : path
  }
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(tab => (
        <Link
          key={tab.id}
          href={hrefOf(tab.id)}
          scroll={false}
          className={tab.id === active ? 'on' : ''}
          aria-current={tab.id === active ? 'page' : undefined}
        >
          {tab.label}
          {tab.count !== undefined && <span className="count">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** The tab in the address, if it is one of these; else the first. */
export function useTab<T extends string>(ids: readonly [T, ...T[]]): T {
  const wanted = useSearchParams().get('tab')
  return ids.find(id => id === wanted) ?? ids[0]
}
