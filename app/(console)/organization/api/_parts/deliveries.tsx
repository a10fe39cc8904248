import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { EmptyState } from '@/app/_ui/states'
import { type StateName, Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import type { Table } from '@/app/_ui/use-table'
import { DeliveryDialog } from './delivery-dialog'
import { useReason } from './hook-columns'

export type Delivery = CallOutput<'webhooks/deliveries/list'>['result'][number]

const looks: Record<Delivery['state'], StateName> = {
  waiting: 'queued',
  sending: 'running',
  done: 'confirmed',
  failed: 'failed',
}

/** What was sent to one webhook, and what waits: each opens to its words. */
export function Deliveries({ hook, table }: { hook: number; table: Table }) {
  const t = useTranslations('webhooks')
  const { sort: _none, ...input } = table.input
  const call = useCall('webhooks/deliveries/list', { ...input, webhookId: hook }, { live: true })
  const [shown, setShown] = useState<number>()
  const test = () =>
    void callApi('webhooks/test', { id: hook })
      .then(() => toast('ok', t('tested')))
      // Why it failed is told by a toast.
      .catch(() => undefined)
  return (
    <div className="stack">
      <div className="row wrapping">
        <LinkButton small kind="ghost" icon="left" href="/organization/api?tab=webhooks">
          {t('deliveries.back')}
        </LinkButton>
        <h2 className="grow">{call.data && t('deliveries.title', { name: call.data.name })}</h2>
        {call.data?.mine && <Button onClick={test}>{t('test')}</Button>}
      </div>
      <DataTable
        id="deliveries"
        label={t('log')}
        columns={useColumns(row => setShown(row.id))}
        table={table}
        call={call}
        rowKey={row => String(row.id)}
        open={row => setShown(row.id)}
        searchLabel={t('deliveries.search')}
        empty={
          <EmptyState icon="history" title={t('deliveries.empty')}>
            <span className="soft">{t('deliveries.emptyHelp')}</span>
          </EmptyState>
        }
      />
      {shown !== undefined && (
        <DeliveryDialog id={shown} mine={call.data?.mine ?? false} onClose={() => setShown(undefined)} />
      )}
    </div>
  )
}

function useColumns(onShow: (row: Delivery) => void): Column<Delivery>[] {
  const t = useTranslations('webhooks.deliveries')
  const reason = useReason()
  const label = (key: string) => t(`columns.${key as 'type'}`)
  const none = <span className="muted">–</span>
  return [
    {
      key: 'type',
      label: label('type'),
      fixed: true,
      phone: 'title',
      cell: row => <b className="medium">{row.type}</b>,
    },
    {
      key: 'state',
      label: label('state'),
      phone: 'state',
      cell: row => <Status state={looks[row.state]}>{t(`states.${row.state}`)}</Status>,
    },
    {
      key: 'code',
      label: label('code'),
      phone: 'extra',
      cell: row => (row.code || row.error ? [row.code || '', row.error && reason(row.error)].join(' ').trim() : none),
    },
    { key: 'tries', label: label('tries'), numeric: true, cell: row => row.tries },
    {
      key: 'ms',
      label: label('ms'),
      numeric: true,
      until: 1180,
      cell: row => (row.triedAt ? t('millis', { ms: row.ms }) : none),
    },
    { key: 'createdAt', label: label('createdAt'), cell: row => <Moment at={row.createdAt} seconds /> },
    {
      key: 'nextAt',
      label: label('nextAt'),
      until: 1320,
      cell: row => (row.state === 'waiting' ? <Moment at={row.nextAt} seconds /> : none),
    },
    {
      key: 'event',
      label: label('event'),
      off: true,
      cell: row => (
        <span className="font-mono soft" dir="ltr">
          {row.event}
        </span>
      ),
    },
    actionsColumn(label('actions'), row => (
      <IconButton
        small
        kind="ghost"
        icon="eye"
        label={`${t('open')}: ${row.type} ${row.id}`}
        onClick={() => onShow(row)}
      />
    )),
  ]
}
