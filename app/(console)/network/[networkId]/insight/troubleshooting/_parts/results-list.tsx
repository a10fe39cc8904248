import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import type { Table } from '@/app/_ui/use-table'
import { diagnosisLimits, targetOf } from '@/model/troubleshooting/request'
import { comparedMost, type Row, stateLooks } from './rows'
import { useWords } from './use-words'

function useColumns(): Column<Row>[] {
  const { t, placeOf, outcomeOf } = useWords()
  return [
    {
      key: 'tool',
      label: t('list.tool'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: row => t(`tools.${row.request.tool}`),
    },
    {
      key: 'target',
      label: t('list.target'),
      sort: true,
      phone: 'key',
      wrap: true,
      cell: row => <bdi className="diagnosis-target">{targetOf(row)}</bdi>,
    },
    { key: 'from', label: t('list.from'), sort: true, cell: row => <bdi>{placeOf(row)}</bdi> },
    {
      key: 'outcome',
      label: t('list.outcome'),
      phone: 'state',
      cell: row =>
        row.state === 'done' ? (
          (outcomeOf(row) ?? '–')
        ) : (
          <Status state={stateLooks[row.state]}>{t(`states.${row.state}`)}</Status>
        ),
    },
    { key: 'by', label: t('list.by'), sort: true, until: 1180, cell: row => <bdi>{row.by}</bdi> },
    { key: 'at', label: t('list.at'), sort: true, phone: 'extra', cell: row => <Moment at={row.createdAt} seconds /> },
  ]
}

/** What was tested before, newest first; some of it side by side. */
export function ResultsList({ table, onOpen }: { table: Table; onOpen: (ids: string[]) => void }) {
  const { t } = useWords()
  const mayRun = useMay('troubleshooting_run')
  const call = useNetworkCall('diagnostics/list', table.input, { live: true, refreshMs: 5000 })
  const columns = useColumns()
  const [chosen, setChosen] = useState<string[]>([])
  const { busy, run } = useSubmit<'delete'>()
  const picked = chosen.filter(id => call.data?.result.some(row => row.id === id))
  const fits = picked.length >= 2 && picked.length <= comparedMost
  const remove = () =>
    void run('delete', async () => {
      await callApi('diagnostics/delete', withNetwork({ ids: picked }))
      setChosen([])
      toast('ok', t('list.deleted'))
    })
  return (
    <>
      <h2 className="diagnosis-earlier">{t('list.title')}</h2>
      <DataTable
        id="diagnoses"
        label={t('list.title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={row => row.id}
        open={row => onOpen([row.id])}
        selection={picked}
        onSelection={setChosen}
        searchLabel={t('list.search')}
        tools={<span className="soft">{t('list.help', { count: diagnosisLimits.kept })}</span>}
        empty={<EmptyState slim icon="history" title={t('list.empty')} />}
      />
      <BulkBar count={picked.length} label={t('list.title')} onClear={() => setChosen([])}>
        <Button disabled={!fits} title={fits ? undefined : t('list.compareHelp')} onClick={() => onOpen(picked)}>
          {t('list.compare')}
        </Button>
        {mayRun && (
          <Button icon="trash" busy={busy === 'delete'} onClick={remove}>
            {t('list.delete')}
          </Button>
        )}
      </BulkBar>
    </>
  )
}
