'use client'
import { useTranslations } from 'next-intl'
import type { Vlan } from '@/server/drivers/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import type { DeviceInfo } from './device-info'
import { Part } from './part'

type Ports = NonNullable<DeviceInfo['reading']['ports']>

const labels = (ports: Ports, is: (port: Ports[number]) => boolean) =>
  ports
    .filter(is)
    .map(port => port.label)
    .join(', ')

function useColumns(vlans: readonly Vlan[], ports: Ports): PlainColumn<Vlan>[] {
  const t = useTranslations('devices.detail.vlans')
  const named = vlans.some(vlan => vlan.name !== undefined)
  const all: (PlainColumn<Vlan> | false)[] = [
    { key: 'id', title: t('vlan'), cell: row => <span className="number medium">{row.id}</span> },
    named && { key: 'name', title: t('name'), cell: row => row.name },
    ports.length > 0 && {
      key: 'untagged',
      title: t('untagged'),
      cell: row => <span className="number">{labels(ports, port => port.nativeVlan === row.id)}</span>,
    },
    ports.length > 0 && {
      key: 'tagged',
      title: t('tagged'),
      cell: ({ id }) => (
        <span className="number">
          {labels(ports, port => port.nativeVlan !== id && (port.taggedVlans ?? []).includes(id))}
        </span>
      ),
    },
  ]
  return all.filter(column => column !== false)
}

type Props = { vlans: Vlan[]; ports?: Ports; driver: string }

/** The VLANs that the device has, with their names there and the ports that are in them. */
export function DeviceVlans({ vlans, ports = [], driver }: Props) {
  const t = useTranslations('devices.detail.vlans')
  const columns = useColumns(vlans, ports)
  return (
    <Part
      title={t('title')}
      rows={vlans}
      driver={driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => String(row.id)}
    />
  )
}
