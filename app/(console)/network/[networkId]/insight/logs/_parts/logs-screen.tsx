'use client'
import { useTranslations } from 'next-intl'
import { useHeld } from '@/app/_api/may'
import type { KindSpec } from '@/app/_form/spec'
import { useTab } from '@/app/_ui/tabs'
import { logTabs, openTabs } from '@/model/menu'
import { LinesTab } from './lines-tab'
import './logs.css'
import { RecordsTab } from './records-tab'

/** What devices log, and what gateways tell of the traffic of clients: each for whoever may see it. */
export function LogsScreen({ spec }: { spec: KindSpec<'logReception'> }) {
  const t = useTranslations('records')
  const [first = 'lines', ...more] = openTabs(logTabs, new Set(useHeld())).map(one => one.id)
  const tab = useTab([first, ...more])
  const tabs = [first, ...more].map(id => ({ id, label: t(`tabs.${id}`) }))
  if (tab === 'lines') return <LinesTab spec={spec} tabs={tabs} />
  // Each keeps a search and a place of its own.
  return <RecordsTab key={tab} kind={tab} tabs={tabs} />
}
