'use client'
import { useTranslations } from 'next-intl'
import { Status } from '@/app/_ui/status'
import { Count } from '@/app/_ui/value'
import type { AccessPoint } from '@/server/drivers/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import { Part } from './part'

const marks = { online: 'online', offline: 'offline', pending: 'running' } as const

function useColumns(all: readonly AccessPoint[]): PlainColumn<AccessPoint>[] {
  const t = useTranslations('devices.detail.accessPoints')
  const columns: (PlainColumn<AccessPoint> & { of: (row: AccessPoint) => unknown })[] = [
    {
      key: 'name',
      title: t('name'),
      of: row => row.name,
      cell: row => <span className="medium">{row.name}</span>,
    },
    {
      key: 'state',
      title: t('state'),
      of: row => row.state,
      cell: row => row.state && <Status state={marks[row.state]}>{t(`states.${row.state}`)}</Status>,
    },
    {
      key: 'clients',
      title: t('clients'),
      end: true,
      of: row => row.clients,
      cell: row => row.clients !== undefined && <Count value={row.clients} />,
    },
    { key: 'model', title: t('model'), of: row => row.model, cell: row => row.model },
    {
      key: 'address',
      title: t('address'),
      of: row => row.address,
      cell: row => <span className="ip">{row.address}</span>,
    },
    {
      key: 'mac',
      title: t('mac'),
      of: row => row.mac,
      cell: row => <span className="mac soft">{row.mac?.toUpperCase()}</span>,
    },
    { key: 'firmware', title: t('firmware'), of: row => row.firmware, cell: row => row.firmware },
    { key: 'serial', title: t('serial'), wideOnly: true, of: row => row.serial, cell: row => row.serial },
  ]
  return columns.filter(({ of }) => all.some(row => of(row) !== undefined))
}

type Props = { accessPoints: AccessPoint[]; driver: string }

/** The access points of a controller; columns of what it tells of none are left out. */
export function AccessPoints({ accessPoints, driver }: Props) {
  const t = useTranslations('devices.detail.accessPoints')
  const columns = useColumns(accessPoints)
  return (
    <Part
      title={t('title')}
      rows={accessPoints}
      driver={driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => `${row.mac} ${row.name} ${row.address}`}
    />
  )
}
