'use client'
import { useTranslations } from 'next-intl'
import { Maybe } from '@/app/_ui/value'
import type { Interface, LldpNeighbour } from '@/server/drivers/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import { Part } from './part'

const said = (value: string | undefined): string | null => value || null

function useColumns(interfaces: Interface[]): PlainColumn<LldpNeighbour>[] {
  const t = useTranslations('devices.detail.neighbours')
  const nameOf = (key: string) => interfaces.find(one => one.key === key)?.name ?? key
  return [
    { key: 'port', title: t('port'), cell: row => <span className="number">{nameOf(row.localPort)}</span> },
    {
      key: 'neighbour',
      title: t('neighbour'),
      cell: row => (
        <span title={row.systemDescription}>
          <Maybe value={said(row.systemName)}>{name => <span className="medium">{name}</span>}</Maybe>
        </span>
      ),
    },
    {
      key: 'remotePort',
      title: t('remotePort'),
      cell: row => <Maybe value={said(row.portDescription ?? row.portId)}>{port => port}</Maybe>,
    },
    {
      key: 'address',
      title: t('address'),
      wideOnly: true,
      cell: row => <Maybe value={said(row.managementAddress)}>{v => <span className="ip">{v}</span>}</Maybe>,
    },
    {
      key: 'mac',
      title: t('mac'),
      wideOnly: true,
      cell: row => (
        <Maybe value={said(row.chassisId)}>{v => <span className="mac soft">{v.toUpperCase()}</span>}</Maybe>
      ),
    },
    {
      key: 'capabilities',
      title: t('capabilities'),
      wideOnly: true,
      cell: row => <Maybe value={said(row.capabilities?.join(', '))}>{v => <span className="soft">{v}</span>}</Maybe>,
    },
  ]
}

type Props = { neighbours: LldpNeighbour[] | undefined; interfaces: Interface[]; driver: string }

/** What hangs on this device's ports, as LLDP tells. */
export function Neighbours({ neighbours, interfaces, driver }: Props) {
  const t = useTranslations('devices.detail.neighbours')
  const columns = useColumns(interfaces)
  return (
    <Part
      title={t('title')}
      rows={neighbours}
      driver={driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => `${row.localPort} ${row.chassisId} ${row.portId}`}
    />
  )
}
