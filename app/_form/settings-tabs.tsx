'use client'
import type { ReactNode } from 'react'
import { Crumb } from '@/app/_ui/crumb'
import { Link } from '@/app/_ui/link'
import { PageHead } from '@/app/_ui/page-head'

/** `path`: below /network/{n}/, with its `?tab=`. */
export type SettingsTab = { id: string; label: string; path: string }

/**
 * The page's name, and the kinds on it; no tabs where there is but one. `of`: whose settings these are, where they are not
 * the network's; `heading` says so, too.
 */
export type SettingsPage = { heading: string; tabs: readonly SettingsTab[]; of?: string | undefined }

type Props = SettingsPage & {
  active: string
  networkId: number
  sub?: string | undefined
  children?: ReactNode
}

/** Head of a settings page, with the tabs of the kinds that share it. A tab begins anew: search and page stay behind. */
export function SettingsHead({ heading, tabs, active, networkId, sub, of, children }: Props) {
  return (
    <>
      {of !== undefined && <Crumb name={of} />}
      <PageHead title={heading} {...(sub !== undefined && { sub })}>
        {children}
      </PageHead>
      {tabs.length > 0 && (
        <nav className="tabs" aria-label={heading}>
          {tabs.map(tab => (
            <Link
              key={tab.id}
              href={`/network/${networkId}/${tab.path}`}
              className={tab.id === active ? 'on' : ''}
              aria-current={tab.id === active ? 'page' : undefined}
            >
              {tab.label}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
