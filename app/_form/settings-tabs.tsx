'use client'
import { useTranslations } from 'next-intl'
import { Link } from '@/app/_ui/link'
import { PageHead } from '@/app/_ui/page-head'

/** `path`: below /network/{n}/, with its `?tab=`. */
export type SettingsTab = { id: string; label: string; path: string }

type Props = {
  tabs: readonly SettingsTab[]
  active: string
  networkId: number
  /** What the page shows, where it has no tabs. */
  title: string
  sub?: string | undefined
  children?: React.ReactNode
}

/** Head of a settings page, with the tabs of the kinds that share it. A tab begins anew: search and page stay behind. */
export function SettingsHead({ tabs, active, networkId, title, sub, children }: Props) {
  const menu = useTranslations('menu')
  const page = tabs[0]?.path.split('/')[1]?.split('?')[0]
  const heading = page === undefined ? title : menu(page as 'firewall')
  return (
    <>
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
