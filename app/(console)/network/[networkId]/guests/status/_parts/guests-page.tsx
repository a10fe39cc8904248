'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { useTab } from '@/app/_ui/tabs'
import { BlockedTab } from './blocked-tab'
import { GuestsTab } from './guests-tab'

/** Who is in as a guest, who was and who was refused; and whom the portal lets in by no means. */
export function GuestsPage() {
  const t = useTranslations('guests')
  const tab = useTab(['guests', 'blocked'])
  const counts = useNetworkCall('guests/list', { pageSize: 10 }, { live: true }).data?.counts
  const tabs = [
    { id: 'guests', label: t('title') },
    { id: 'blocked', label: t('blocked.tab'), ...(counts && { count: counts.blocked }) },
  ]
  return tab === 'blocked' ? <BlockedTab tabs={tabs} /> : <GuestsTab tabs={tabs} />
}
