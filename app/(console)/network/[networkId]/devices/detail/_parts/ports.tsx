'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { Count, Maybe } from '@/app/_ui/value'
import type { DeviceInfo } from './device-info'
import { NeighbourName } from './neighbour-name'
import { type FrontPort, frontPorts } from './panel-ports'
import { PortDialog, Profiles } from './port-dialog'
import { Poe, PortState, usePortWord, Vlans } from './port-facts'
import { PortProfileDialog } from './port-profile-dialog'
import type { PortRow } from './rows'

type Row = PortRow & { shown: FrontPort | undefined }

function useColumns(info: DeviceInfo, onOpen: (row: Row) => void): Column<Row>[] {
  const t = useTranslations('devices.detail.ports')
  return [
    {
      key: 'label',
      label: t('port'),
      fixed: true,
      phone: 'title',
      cell: row => (
        <span className="row">
          <Button small kind="ghost" className="-ms-2.5" onClick={() => onOpen(row)}>
            {row.label}
          </Button>
          <span className="soft truncated">{row.shown?.face?.alias}</span>
        </span>
      ),
    },
    { key: 'state', label: t('state'), phone: 'state', cell: row => row.shown && <PortState port={row.shown} /> },
    { key: 'profile', label: t('profile'), phone: 'key', cell: row => <Profiles row={row} /> },
    {
      key: 'vlans',
      label: t('vlans'),
      cell: row => row.shown?.port.nativeVlan !== undefined && <Vlans port={row.shown} />,
    },
    { key: 'poe', label: t('poe'), cell: row => row.shown?.port.poe && <Poe port={row.shown} /> },
    {
      key: 'neighbour',
      label: t('neighbour'),
      cell: row => row.shown?.neighbour && <NeighbourName info={info} neighbour={row.shown.neighbour} />,
    },
    {
      key: 'clients',
      label: t('clients'),
      numeric: true,
      phone: 'extra',
      phoneUnit: t('clients'),
      cell: row => <Maybe value={row.clients ?? null}>{value => <Count value={value} />}</Maybe>,
    },
  ]
}

/** Every port with its profile; several are given another one together. */
export function Ports({ info }: { info: DeviceInfo }) {
  const t = useTranslations('devices.detail.ports')
  const table = useTable({ pageSize: 100 })
  const call = useNetworkCall('devices/switch/ports', { ...table.input, deviceId: info.id }, { live: true })
  const [picked, setPicked] = useState<string[]>([])
  const [changing, setChanging] = useState(false)
  const [open, setOpen] = useState<string>()
  const front = frontPorts(info.reading, usePortWord())
  const columns = useColumns(info, row => setOpen(row.interface))
  const { data } = call
  const mayChange = useMay('settings_profiles_edit')
  const result = data?.result.map(row => ({ ...row, shown: front.find(port => port.key === row.interface) }))
  const chosen = data?.result.filter(row => picked.includes(row.interface)) ?? []
  const shown = front.find(port => port.key === open)
  return (
    <div className="stack">
      <DataTable
        id="device-ports"
        label={t('title')}
        columns={columns}
        table={table}
        call={{ ...call, data: data && { ...data, result: result ?? [] } }}
        rowKey={row => row.interface}
        open={row => setOpen(row.interface)}
        searchLabel={t('search')}
        empty={<EmptyState title={t('empty')} />}
        {...(mayChange && data?.settable && { selection: picked, onSelection: setPicked })}
      />
      <BulkBar count={chosen.length} label={t('title')} onClear={() => setPicked([])}>
        <Button onClick={() => setChanging(true)}>{t('change')}</Button>
      </BulkBar>
      {changing && (
        <PortProfileDialog
          info={info}
          ports={chosen}
          onClose={done => {
            setChanging(false)
            if (done) setPicked([])
          }}
        />
      )}
      {shown && <PortDialog info={info} port={shown} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
