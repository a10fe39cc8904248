'use client'
import { useTranslations } from 'next-intl'
import { Maybe } from '@/app/_ui/value'
import type { LldpNeighbour } from '@/server/drivers/observation'
import type { PlainColumn } from '../../_parts/plain-table'
import type { DeviceInfo } from './device-info'
import { NeighbourName } from './neighbour-name'
import { Part } from './part'
import { PortName } from './port-name'

const said = (value: string | undefined): string | null => value || null

function useColumns(info: DeviceInfo): PlainColumn<LldpNeighbour>[] {
  const t = useTranslations('devices.detail.neighbours')
  const nameOf = (key: string | undefined) => info.reading.interfaces?.find(one => one.key === key)?.name
  return [
    {
      key: 'port',
      title: t('port'),
      // The key of a port without a name says nothing to a person.
      cell: row =>
        row.localPort !== undefined && (
          <PortName info={info} of={row.localPort}>
            {nameOf(row.localPort)}
          </PortName>
        ),
    },
    {
      key: 'neighbour',
      title: t('neighbour'),
      cell: row => (
        <span title={row.systemDescription}>
          <NeighbourName info={info} neighbour={row} />
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

const words = ({ systemName, chassisId, managementAddress, localPort, portId, portDescription }: LldpNeighbour) =>
  [systemName, chassisId, managementAddress, localPort, portId, portDescription].join(' ')

/** What hangs on this device's ports, as LLDP tells. */
export function Neighbours({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.neighbours')
  const columns = useColumns(info)
  return (
    <Part
      title={t('title')}
      rows={info.reading.neighbours}
      driver={info.driver}
      empty={t('empty')}
      columns={columns}
      rowKey={row => `${row.localPort} ${row.chassisId} ${row.portId}`}
      found={words}
    />
  )
}
