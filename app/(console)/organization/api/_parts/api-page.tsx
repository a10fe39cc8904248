'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { SkeletonLines } from '@/app/_ui/states'
import { useTab } from '@/app/_ui/tabs'
import { KeysTab } from './keys-tab'

const CallsTab = dynamic(async () => (await import('./calls-tab')).CallsTab, {
  loading: () => <SkeletonLines lines={8} />,
})

const HooksTab = dynamic(async () => (await import('./hooks-tab')).HooksTab, {
  loading: () => <SkeletonLines lines={8} />,
})

/** What scripts and services need: keys, webhooks, and every call there is. */
export function ApiPage() {
  const t = useTranslations('api')
  const tab = useTab(['keys', 'webhooks', 'calls'])
  const tabs = [
    { id: 'keys', label: t('tabs.keys') },
    { id: 'webhooks', label: t('tabs.webhooks') },
    { id: 'calls', label: t('tabs.calls') },
  ]
  if (tab === 'webhooks') return <HooksTab tabs={tabs} />
  return tab === 'keys' ? <KeysTab tabs={tabs} /> : <CallsTab tabs={tabs} />
}
