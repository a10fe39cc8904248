import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { short } from '@/app/_ui/format'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import type { Table } from '@/app/_ui/use-table'
import { Bits, Unknown, Value } from '@/app/_ui/value'
import { serverName, speedTestLimits } from '@/model/dashboard/speed-test'
import { stateLooks } from './speed-test-result'

type Row = CallOutput<'dashboard/speed-test/list'>['result'][number]

function useColumns(): Column<Row>[] {
  const t = useTranslations('dashboard.speedTest')
  const locale = useLocale()
  const rate = (bps: number | undefined) => (bps === undefined ? <Unknown /> : <Bits value={bps} />)
  return [
    {
      key: 'at',
      label: t('list.at'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: row => <Moment at={row.createdAt} />,
    },
    {
      key: 'state',
      label: t('list.state'),
      phone: 'state',
      cell: row => <Status state={stateLooks[row.state]}>{t(`states.${row.state}`)}</Status>,
    },
    {
      key: 'download',
      label: t('result.download'),
      sort: true,
      phone: 'key',
      cell: row => rate(row.figures.download?.bps),
    },
    {
      key: 'upload',
      label: t('result.upload'),
      sort: true,
      phone: 'extra',
      cell: row => rate(row.figures.upload?.bps),
    },
    {
      key: 'latency',
      label: t('result.latency'),
      sort: true,
      cell: ({ figures: { idle } }) =>
        idle ? <Value value={short(Math.round(idle.latencyMs * 10) / 10, locale)} unit="ms" /> : <Unknown />,
    },
    {
      key: 'server',
      label: t('list.server'),
      sort: true,
      wrap: true,
      cell: row => <bdi>{serverName(row.server)}</bdi>,
    },
    {
      key: 'from',
      label: t('list.from'),
      sort: true,
      cell: row => <bdi>{row.device?.name ?? t('start.manager')}</bdi>,
    },
    { key: 'by', label: t('list.by'), until: 1180, cell: row => <bdi>{row.by}</bdi> },
  ]
}

/** Tests before, newest first. */
export function SpeedTestList({ table, onOpen }: { table: Table; onOpen: (id: string) => void }) {
  const t = useTranslations('dashboard.speedTest.list')
  const mayTest = useMay('speed_test')
  const call = useNetworkCall('dashboard/speed-test/list', table.input, { live: true, refreshMs: 5000 })
  const columns = useColumns()
  const [chosen, setChosen] = useState<string[]>([])
  const { busy, run } = useSubmit<'delete'>()
  const picked = chosen.filter(id => call.data?.result.some(row => row.id === id))
  const remove = () =>
    void run('delete', async () => {
      await callApi('dashboard/speed-test/delete', withNetwork({ ids: picked }))
      setChosen([])
      toast('ok', t('deleted'))
    })
  return (
    <>
      <h2 className="speed-test-earlier">{t('title')}</h2>
      <DataTable
        id="speed-tests"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={row => row.id}
        open={row => onOpen(row.id)}
        {...(mayTest && { selection: picked, onSelection: setChosen })}
        searchLabel={t('search')}
        tools={<span className="soft">{t('help', { count: speedTestLimits.kept })}</span>}
        empty={<EmptyState slim icon="history" title={t('empty')} />}
      />
      <BulkBar count={picked.length} label={t('title')} onClear={() => setChosen([])}>
        <Button icon="trash" busy={busy === 'delete'} onClick={remove}>
          {t('delete')}
        </Button>
      </BulkBar>
    </>
  )
}
