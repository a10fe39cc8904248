'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { SkeletonLines } from '@/app/_ui/states'
import { useTab } from '@/app/_ui/tabs'
import { KeysTab } from './keys-tab'

const CallsTab = dynamic(async () => (await import('./calls-tab')).CallsTab, {
  loading: () => <SkeletonLines lines={8} />,
})

/** What scripts need: keys, and every call there is. */
export function ApiPage() {
  const t = useTranslations('developerApi')
  const tab = useTab(['keys', 'calls'])
  const tabs = [
    { id: 'keys', label: t('tabs.keys') },
    { id: 'calls', label: t('tabs.calls') },
  ]
  return tab === 'keys' ? <KeysTab tabs={tabs} /> : <CallsTab tabs={tabs} />
}
