'use client'
import { useTranslations } from 'next-intl'
import { Moment } from '@/app/_ui/clock'
import { Maybe } from '@/app/_ui/value'
import type { Lease } from '@/server/drivers/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import { Part } from './part'

function useColumns(): PlainColumn<Lease>[] {
  const t = useTranslations('devices.detail.leases')
  return [
    {
      key: 'name',
      title: t('name'),
      cell: row => <Maybe value={row.hostname ?? null}>{name => <span className="medium">{name}</span>}</Maybe>,
    },
    { key: 'address', title: t('address'), cell: row => <span className="ip">{row.address}</span> },
    { key: 'mac', title: t('mac'), cell: row => <span className="mac soft">{row.mac.toUpperCase()}</span> },
    {
      key: 'expires',
      title: t('expires'),
      wideOnly: true,
      cell: row =>
        row.static ? t('static') : row.expiresAt === undefined ? t('never') : <Moment at={row.expiresAt} />,
    },
  ]
}

/** Addresses this device leases out. */
export function Leases({ leases, driver }: { leases: Lease[] | undefined; driver: string }) {
  const t = useTranslations('devices.detail.leases')
  const columns = useColumns()
  return (
    <Part
      title={t('title')}
      rows={leases}
      driver={driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => `${row.mac} ${row.address}`}
    />
  )
}
