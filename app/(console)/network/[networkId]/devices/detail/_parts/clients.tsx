'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Age } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { EmptyState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { useTable } from '@/app/_ui/use-table'
import { Bytes, Maybe, Value } from '@/app/_ui/value'
import { BlockDialog, shownName, UnblockDialog } from './block-client'
import type { Client } from './rows'

function useColumns(mayBlock: boolean, onAsk: (client: Client) => void): Column<Client>[] {
  const t = useTranslations('devices.detail.clients')
  const blocking: Column<Client> = {
    key: 'block',
    label: t('block.label'),
    phone: 'extra',
    cell: row => (
      <Button
        small
        kind="ghost"
        aria-label={t(row.blocked ? 'block.openUndo' : 'block.open', { name: shownName(row) })}
        onClick={() => onAsk(row)}
      >
        {t(row.blocked ? 'block.undo' : 'block.action')}
      </Button>
    ),
  }
  return [
    {
      key: 'name',
      label: t('name'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: row => (
        <span className="row">
          <Icon name={row.wifi ? 'wifi' : 'link'} size="sm" className="kind-mark" />
          <span className="medium">{row.name ?? <span className="mac">{row.mac.toUpperCase()}</span>}</span>
          {row.blocked && <Badge tone="bad">{t('blocked')}</Badge>}
        </span>
      ),
    },
    {
      key: 'address',
      label: t('address'),
      sort: true,
      phone: 'key',
      cell: row => <Maybe value={row.address}>{value => <span className="ip">{value}</span>}</Maybe>,
    },
    { key: 'mac', label: t('mac'), sort: true, cell: row => <span className="mac soft">{row.mac.toUpperCase()}</span> },
    {
      key: 'ssid',
      label: t('on'),
      sort: true,
      phone: 'state',
      cell: one => <span className="soft">{one.ssid ?? one.port ?? t('wired')}</span>,
    },
    {
      key: 'signal',
      label: t('signal'),
      numeric: true,
      sort: true,
      cell: one =>
        one.wifi && <Maybe value={one.signalDbm ?? null}>{value => <Value value={String(value)} unit="dBm" />}</Maybe>,
    },
    {
      key: 'traffic',
      label: t('traffic'),
      numeric: true,
      sort: true,
      // Its place on a phone is the button's where there is one.
      ...(!mayBlock && { phone: 'extra' as const }),
      cell: one => (
        <Maybe value={one.downOctets === undefined ? null : one.downOctets + (one.upOctets ?? 0)}>
          {value => <Bytes value={value} />}
        </Maybe>
      ),
    },
    { key: 'since', label: t('since'), numeric: true, sort: true, cell: one => <Age at={one.since} /> },
    ...(mayBlock ? [blocking] : []),
  ]
}

/** No client, or none that is told of: what the page knows already, and keeps up to date. */
function useNobody(id: number): string {
  const t = useTranslations('devices.detail.clients')
  const { data } = useNetworkCall('devices/info', { id })
  if (!data || data.clients !== undefined) return t('empty')
  return data.clientsCounted ? t('none') : t('uncounted')
}

/** End devices that hang on this device. */
export function Clients({ id, mayBlock }: { id: number; mayBlock: boolean }) {
  const t = useTranslations('devices.detail.clients')
  const table = useTable()
  const call = useNetworkCall('clients/list', { ...table.input, deviceId: id }, { live: true })
  const [asked, setAsked] = useState<Client>()
  const columns = useColumns(mayBlock, setAsked)
  const nobody = useNobody(id)
  const Ask = asked?.blocked ? UnblockDialog : BlockDialog
  return (
    <>
      <DataTable
        id="device-clients"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => one.mac}
        empty={<EmptyState icon="clients" title={nobody} />}
      />
      {asked && <Ask client={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
