'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '@/app/_ui/link'

export type Tab = { id: string; label: ReactNode; count?: number }

/** Tabs as links: `?tab=` is the address, so a tab can be shared and comes back. The first one needs no word there. */
export function Tabs({ tabs, active, label }: { tabs: readonly Tab[]; active: string; label: string }) {
  const path = usePathname()
  const search = useSearchParams()
  const hrefOf = (id: string) => {
    const query = new URLSearchParams(search)
    if (id === tabs[0]?.id) query.delete('tab')
    else query.set('tab', id)
    return query.size > 0 ? `${path}?${query}` : path
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
