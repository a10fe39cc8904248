'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import { wordOr } from '@/app/_i18n/word'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'

type Event = CallOutput<'devices/event-log'>['result'][number]

/** What happened to one device, newest first. */
export function Events({ id }: { id: number }) {
  const t = useTranslations('devices.detail.events')
  const words = useTranslations('events')
  const table = useTable()
  const call = useNetworkCall('devices/event-log', { ...table.input, id }, { live: true })
  const columns: Column<Event>[] = [
    {
      key: 'at',
      label: t('at'),
      fixed: true,
      phone: 'state',
      width: '200px',
      cell: row => <Moment at={row.at} seconds />,
    },
    {
      key: 'code',
      label: t('what'),
      fixed: true,
      phone: 'title',
      cell: row => wordOr(words, row.code, row.code, row.values),
    },
  ]
  return (
    <DataTable
      id="device-events"
      label={t('title')}
      columns={columns}
      table={table}
      call={call}
      rowKey={row => String(row.id)}
      empty={<EmptyState icon="history" title={t('empty')} />}
    />
  )
}
