'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import type { KindSpec } from '@/app/_form/spec'
import { SkeletonLines } from '@/app/_ui/states'
import { useTab } from '@/app/_ui/tabs'
import { apiTabs } from '@/model/menu'
import { KeysTab } from './keys-tab'

const CallsTab = dynamic(async () => (await import('./calls-tab')).CallsTab, {
  loading: () => <SkeletonLines lines={8} />,
})

const HooksTab = dynamic(async () => (await import('./hooks-tab')).HooksTab, {
  loading: () => <SkeletonLines lines={8} />,
})

const MetricsTab = dynamic(async () => (await import('./metrics-tab')).MetricsTab, {
  loading: () => <SkeletonLines lines={8} />,
})

type Props = { segments: KindSpec<'webhookSegments'>; store: KindSpec<'metricsStore'> }

/** What scripts and services need: keys, webhooks, every call there is, and metrics. */
export function ApiPage({ segments, store }: Props) {
  const t = useTranslations('api')
  const tab = useTab(['keys', 'webhooks', 'calls', 'metrics'])
  const tabs = apiTabs.map(({ id }) => ({ id, label: t(`tabs.${id}`) }))
  if (tab === 'webhooks') return <HooksTab tabs={tabs} segments={segments} />
  if (tab === 'metrics') return <MetricsTab tabs={tabs} store={store} />
  return tab === 'keys' ? <KeysTab tabs={tabs} /> : <CallsTab tabs={tabs} />
}
