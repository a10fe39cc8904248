'use client'
import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { Age } from '@/app/_ui/clock'
import { DownloadButton } from '@/app/_ui/download-button'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { RecipeCard } from './recipe-card'
import './api.css'

type Props = { tabs: readonly Tab[]; store: KindSpec<'metricsStore'> }

/** How Prometheus gets what the manager measures: it asks, or is sent it. */
export function MetricsTab({ tabs, store }: Props) {
  const t = useTranslations()
  const mayKeep = useMay('organization_manager_edit')
  return (
    <>
      <PageHead title={t('api.title')}>
        <DownloadButton address="/app/metrics/dashboard">{t('metrics.grafana')}</DownloadButton>
      </PageHead>
      <Tabs tabs={tabs} active="metrics" label={t('api.title')} />
      <div className="stack">
        <Scrape />
        {mayKeep && <OwnForm spec={store} changes={['metrics/status']} top={() => <StoreState />} />}
      </div>
    </>
  )
}

const withTls = `
    tls_config:
      insecure_skip_verify: true`

const recipeFor = ({ protocol, host }: Pick<Location, 'protocol' | 'host'>) => `scrape_configs:
  - job_name: lanward
    scrape_interval: 60s
    scheme: ${protocol.slice(0, -1)}
    metrics_path: /metrics
    authorization:
      credentials: lw_…${protocol === 'https:' ? withTls : ''}
    static_configs:
      - targets: ['${host}']
`

const neverChanges = () => () => undefined
/** Where this browser found the manager; the server does not know. */
const useRecipe = () =>
  useSyncExternalStore(
    neverChanges,
    () => recipeFor(window.location),
    () => '',
  )

function Scrape() {
  const t = useTranslations('metrics.scrape')
  const recipe = useRecipe()
  return (
    <RecipeCard title={t('title')} copy={t('copy')} help={t('help')} recipe={recipe}>
      {recipe.includes(withTls) && <p className="soft">{t('certificate')}</p>}
      <p className="soft">{t('more')}</p>
    </RecipeCard>
  )
}

const everyMs = 3000

/** What the store said last. */
function StoreState() {
  const t = useTranslations('metrics.state')
  // Nobody tells when a store has answered.
  const { data } = useCall('metrics/status', {}, { live: true, refreshMs: everyMs, always: true })
  if (!data?.last) return null
  const { last, waiting, dropped } = data
  const more = [waiting > 0 && t('waiting', { count: waiting }), dropped > 0 && t('dropped', { count: dropped })]
  return (
    <Note tone={last.ok ? 'ok' : 'warn'} title={last.ok ? t('taken', { count: last.series }) : t('failed')}>
      {!last.ok && <bdi>{last.error}</bdi>} {more.filter(Boolean).join(' ')} <Age at={last.at} />
    </Note>
  )
}
