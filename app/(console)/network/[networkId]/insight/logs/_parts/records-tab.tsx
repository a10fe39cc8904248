import { useTranslations } from 'next-intl'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Grid } from '@/app/_ui/data-grid'
import { PageHead } from '@/app/_ui/page-head'
import { Picker } from '@/app/_ui/picker'
import { SearchBox } from '@/app/_ui/search-box'
import { EmptyState, ErrorState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { type Table, useTable } from '@/app/_ui/use-table'
import { LogPager } from './log-pager'
import { type RecordKind, useRecordColumns } from './record-columns'
import { RecordGateways } from './record-gateways'
import { RecordNotes, RecordsDamaged, RecordsKept, RecordsOff } from './record-notes'
import { type Place, usePlace } from './use-lines'

/** Days. */
const periods = [1, 7, 30] as const
type Props = { kind: RecordKind; tabs: readonly Tab[] }

/** Names that clients looked up, or their connections through the gateways, newest first. */
export function RecordsTab({ kind, tabs }: Props) {
  const t = useTranslations('records')
  const logs = useTranslations('logs')
  const status = useNetworkCall('records/status', {}, { live: true, always: true, refreshMs: 10_000 })
  const table = useTable({ pageSize: 50 })
  const place = usePlace(table)
  const { search, filters, pageSize } = table.state
  const period = periods.find(days => String(days) === filters.period) ?? 1
  const wanted = { kind, period, ...(search && { search }) }
  const mayExport = useMay('exports')
  const isOn = status.data?.[kind].on
  const give = () => {
    const values = Object.entries(withNetwork(wanted)).map(([key, value]) => [key, String(value)])
    void download(`/app/exports/url-record?${new URLSearchParams(values)}`)
  }
  return (
    <>
      <PageHead title={logs('title')}>
        {mayExport && isOn && (
          <Button icon="download" onClick={give}>
            {t('export')}
          </Button>
        )}
      </PageHead>
      {tabs.length > 1 && <Tabs tabs={tabs} active={kind} label={logs('title')} />}
      <div className="log-notes">
        {!status.data && status.error && <ErrorState error={status.error} onRetry={() => status.mutate()} />}
        {status.data?.damaged && <RecordsDamaged />}
        {isOn === false && <RecordsOff kind={kind} />}
        {status.data && isOn && <RecordNotes kind={kind} status={status.data} />}
        {isOn && <RecordGateways kind={kind} />}
      </div>
      {isOn && (
        <section className="card" aria-label={t(`tabs.${kind}`)}>
          <div className="filter-bar">
            <SearchBox
              value={search}
              placeholder={t(kind === 'url' ? 'search' : 'searchNat')}
              onSearch={text => table.change({ search: text, filters: { before: '' } })}
            />
            <Picker
              {...{ table, filter: 'period', label: t('periods.1'), all: t('periods.1') }}
              chosen={period === 1 ? '' : String(period)}
              onChoose={days => table.change({ filters: { period: days, before: '' } })}
              choices={periods.slice(1).map(days => ({ value: String(days), label: t(`periods.${days}`) }))}
            />
          </div>
          <Found {...{ kind, table, place }} wanted={{ ...wanted, pageSize }} />
        </section>
      )}
      {status.data && isOn && <RecordsKept kind={kind} status={status.data} />}
    </>
  )
}

type FoundProps = {
  kind: RecordKind
  table: Table
  place: Place
  wanted: { kind: RecordKind; period: 1 | 7 | 30; search?: string; pageSize: number }
}

function Found({ kind, table, place, wanted }: FoundProps) {
  const t = useTranslations('records')
  const common = useTranslations('common')
  const columns = useRecordColumns(kind)
  const { at, live } = place
  const call = useNetworkCall('records/find', { ...wanted, ...(at && { before: at }) }, { live })
  const rows = call.data?.records
  if (!rows && call.error) return <ErrorState error={call.error} onRetry={() => call.mutate()} />
  if (rows?.length === 0 && call.data?.next === undefined)
    return table.filtered ? (
      <EmptyState icon="search" title={common('noMatch')}>
        <Button onClick={table.clear}>{common('clearFilters')}</Button>
      </EmptyState>
    ) : (
      <EmptyState icon="file" title={t(`empty.${kind}`)}>
        <span className="soft">{t('emptyWhere')}</span>
      </EmptyState>
    )
  return (
    <>
      <Grid label={t(`tabs.${kind}`)} table={table} shown={columns} rows={rows} rowKey={one => String(one.id)} />
      <LogPager place={place} found={call.data} />
    </>
  )
}
