import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { Button, LinkButton } from '@/app/_ui/button'
import { Grid } from '@/app/_ui/data-grid'
import { Dialog } from '@/app/_ui/dialog'
import { leaveThen } from '@/app/_ui/leaving'
import { PageHead } from '@/app/_ui/page-head'
import { SearchBox } from '@/app/_ui/search-box'
import { EmptyState, ErrorState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { type Table, useTable } from '@/app/_ui/use-table'
import { listAddress } from '@/model/registry'
import { useColumns } from './columns'
import { Filters, useFilter } from './filters'
import { LogPager } from './log-pager'
import { isOpen, Kept, ReceptionNotes } from './reception'
import { type LinesView, useLines } from './use-lines'

/** What devices logged, newest first: as it comes, searched, held, and as a file. */
export function LinesTab({ spec, tabs }: { spec: KindSpec<'logReception'>; tabs: readonly Tab[] }) {
  const t = useTranslations('logs')
  const table = useTable({ pageSize: 50 })
  const [setting, setSetting] = useState(false)
  const closeSetting = () => setSetting(false)
  const filter = useFilter(table)
  const reception = useNetworkCall('logs/status', {}, { refreshMs: 5000 })
  const mayManage = useMay('organization_manager_edit')
  const mayExport = useMay('exports')
  const maySeeRules = useMay('settings_system')
  const { networkId } = useParams<{ networkId: string }>()
  const give = () => {
    const { unknown, ...rest } = withNetwork(filter)
    const wanted = Object.entries({ ...rest, ...(unknown && { unknown: '1' }) })
    void download(`/app/exports/logs?${new URLSearchParams(wanted.map(([key, value]) => [key, String(value)]))}`)
  }
  const lines = useLines(table, filter)
  return (
    <>
      <PageHead
        title={t('title')}
        mark={
          lines.live ? (
            isOpen(reception.data) && <Badge state="online">{t('live')}</Badge>
          ) : (
            <Badge tone="info">{t('held')}</Badge>
          )
        }
      >
        {maySeeRules && (
          <LinkButton icon="alerts" href={`/network/${networkId}/${listAddress('logRule')}`}>
            {t('rules')}
          </LinkButton>
        )}
        {maySeeRules && (
          <LinkButton href={`/network/${networkId}/settings/system/syslog/detail`}>{t('captures.open')}</LinkButton>
        )}
        {mayManage && (
          <Button icon="settings" onClick={() => setSetting(true)}>
            {t('settings')}
          </Button>
        )}
        {mayExport && (
          <Button icon="download" disabled={!lines.rows?.length} onClick={give}>
            {t('export')}
          </Button>
        )}
        <Button disabled={lines.live && !lines.rows?.length} onClick={lines.live ? lines.hold : lines.resume}>
          {lines.live ? t('hold') : t('resume')}
        </Button>
      </PageHead>
      {tabs.length > 1 && <Tabs tabs={tabs} active="lines" label={t('title')} />}
      <div className="log-notes">
        {reception.data && (
          <ReceptionNotes reception={reception.data} mayManage={mayManage} onSettings={() => setSetting(true)} />
        )}
      </div>
      <section className="card" aria-label={t('title')}>
        <div className="filter-bar">
          <SearchBox
            value={table.state.search}
            placeholder={t('search')}
            onSearch={search => table.change({ search, filters: { before: '' } })}
          />
          <Filters
            table={table}
            keepsUnknown={reception.data?.settings.unknown ?? false}
            deviceName={lines.call.data?.deviceName}
          />
        </div>
        <Lines table={table} lines={lines} />
        <LogPager place={lines.place} found={lines.call.data} />
      </section>
      {reception.data && <Kept reception={reception.data} />}
      {setting && (
        <Dialog open onClose={() => leaveThen(closeSetting)} title={t('logReception.title')}>
          <OwnForm bare spec={spec} changes={['logs/status']} onSaved={closeSetting} onCancel={closeSetting} />
        </Dialog>
      )}
    </>
  )
}

function Lines({ table, lines: { call, rows } }: { table: Table; lines: LinesView }) {
  const t = useTranslations('logs')
  const common = useTranslations('common')
  const columns = useColumns()
  if (!rows && call.error) return <ErrorState error={call.error} onRetry={() => call.mutate()} />
  if (rows?.length === 0)
    return table.filtered ? (
      <EmptyState icon="search" title={common('noMatch')}>
        <Button onClick={table.clear}>{common('clearFilters')}</Button>
      </EmptyState>
    ) : (
      <EmptyState icon="file" title={t('empty')}>
        <span className="soft">{t('emptyWhere')}</span>
      </EmptyState>
    )
  return <Grid label={t('title')} table={table} shown={columns} rows={rows} rowKey={line => String(line.id)} />
}
