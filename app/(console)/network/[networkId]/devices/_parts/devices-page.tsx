'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { download } from '@/app/_api/download'
import { useStream } from '@/app/_api/events'
import { useMay } from '@/app/_api/may'
import { useReach } from '@/app/_api/reach'
import { useNetworkCall } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { type Table, useTable } from '@/app/_ui/use-table'
import { type TrafficLines, useColumns } from './columns'
import { useChanged, useMissed } from './configuration'
import { DeviceDialog, type Doing } from './dialogs'
import { Filters, StateChips, statusFilter } from './filters'
import type { Device } from './rows'

/** What the list's address asks of the call. */
const filtersOf = ({ state: { filters } }: Table) => ({
  filter: {
    ...statusFilter(filters.status ?? ''),
    ...(filters.kind && { kind: [filters.kind as Device['kind']] }),
    ...(filters.group && { groupId: Number(filters.group) }),
    ...(filters.modified && { modified: true as const }),
  },
})

const linesEveryMs = 300_000

/** What the listed devices carried lately; a new point comes every five minutes. */
function useTrafficLines(listed: readonly Device[] | undefined): TrafficLines {
  const ids = (listed ?? []).map(device => device.id).sort((a, b) => a - b)
  const { data } = useNetworkCall('devices/traffic', ids.length > 0 ? { ids } : null, { refreshMs: linesEveryMs })
  return new Map(data?.result.map(one => [one.id, one.bps]))
}

const isWritable = ({ can }: Device) => can.settings !== 'none'

/** The chosen state as the address of an export says it. */
function statusWords(chosen: string): Record<string, string> {
  const { status, silent }: { status?: number[]; silent?: boolean } = statusFilter(chosen) || {}
  return { ...(status && { status: String(status[0]) }), ...(silent !== undefined && { silent: silent ? '1' : '0' }) }
}

/** What is listed now, as a file of an export. */
const exportPath = (name: string, networkId: string, { state: { search, filters } }: Table, more = {}) =>
  `/app/exports/${name}?${new URLSearchParams({
    networkId,
    ...more,
    ...(search && { search }),
    ...statusWords(filters.status ?? ''),
    ...Object.fromEntries(['kind', 'group', 'modified'].flatMap(key => (filters[key] ? [[key, filters[key]]] : []))),
  })}`

/** Every device of the network: state, live readings, filters, and what can be done with several at once. */
export function DevicesPage() {
  const t = useTranslations('devices')
  const { networkId } = useParams<{ networkId: string }>()
  const router = useRouter()
  const table = useTable({ sort: { field: 'name', direction: 'asc' } })
  const [selection, setSelection] = useState<string[]>([])
  const [doing, setDoing] = useState<Doing>()
  const call = useNetworkCall('devices/list', { ...table.input, ...filtersOf(table) }, { live: true })
  const changed = useChanged()
  const missed = useMissed((call.data?.result ?? []).filter(isWritable).map(device => device.id))
  const columns = useColumns(useTrafficLines(call.data?.result), changed, missed)
  const chosen = call.data?.result.filter(device => selection.includes(String(device.id))) ?? []
  const base = `/network/${networkId}/devices`
  const mayEdit = useMay('devices_edit')
  const mayGroup = useMay('devices_group_add')
  const mayLogins = useMay('devices_logins')
  const mayExport = useMay('exports')
  const add = mayEdit && (
    <LinkButton kind="primary" icon="plus" href={`${base}/form`}>
      {t('add')}
    </LinkButton>
  )
  return (
    <>
      <PageHead title={t('title')} sub={<Live />}>
        {mayGroup && (
          <LinkButton icon="folder" href={`${base}/group/form`}>
            {t('groups')}
          </LinkButton>
        )}
        {mayExport && <ExportMenu networkId={networkId} table={table} />}
        {!mayEdit && mayLogins && (
          <LinkButton icon="key" href={`${base}/form`}>
            {t('logins')}
          </LinkButton>
        )}
        {call.data?.counts.all !== 0 && add}
      </PageHead>
      <StateChips
        table={table}
        counts={call.data?.counts}
        modified={changed && [...changed.values()].filter(one => one.modified).length}
      />
      <DataTable
        id="devices"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={device => String(device.id)}
        open={device => router.push(`${base}/detail?id=${device.id}`)}
        {...((mayEdit || mayGroup) && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        tools={<Filters table={table} />}
        empty={
          <EmptyState icon="devices" title={t('empty.title')}>
            {add && <span>{t('empty.help')}</span>}
            {add}
          </EmptyState>
        }
      />
      <Bulk chosen={chosen} onClear={() => setSelection([])} onAsk={what => setDoing({ what, devices: chosen })} />
      {doing && (
        <DeviceDialog
          doing={doing}
          onClose={done => {
            setDoing(undefined)
            if (done) setSelection([])
          }}
        />
      )}
    </>
  )
}

type BulkProps = { chosen: Doing['devices']; onClear: () => void; onAsk: (what: Doing['what']) => void }

/** What can be done with several at once. */
function Bulk({ chosen, onClear, onAsk }: BulkProps) {
  const t = useTranslations('devices')
  const { networkId } = useParams<{ networkId: string }>()
  const mayEdit = useMay('devices_edit')
  const mayGroup = useMay('devices_group_add')
  const ids = chosen.map(device => device.id).join()
  return (
    <BulkBar count={chosen.length} label={t('title')} onClear={onClear}>
      {mayEdit && (
        <Button icon="power" onClick={() => onAsk('reboot')}>
          {t('bulk.reboot')}
        </Button>
      )}
      {mayGroup && (
        <Button icon="folder" onClick={() => onAsk('move')}>
          {t('bulk.move')}
        </Button>
      )}
      {mayEdit && (
        <>
          <Button icon="networks" onClick={() => onAsk('moveNetwork')}>
            {t('bulk.moveNetwork')}
          </Button>
          <LinkButton icon="check" href={`/network/${networkId}/settings/review?devices=${ids}`}>
            {t('bulk.push')}
          </LinkButton>
          <Button icon="trash" onClick={() => onAsk('forget')}>
            {t('bulk.forget')}
          </Button>
        </>
      )}
    </BulkBar>
  )
}

const onlineDays = [1, 7, 30]

/** What is listed, and when it was online, as files. */
function ExportMenu({ networkId, table }: { networkId: string; table: Table }) {
  const t = useTranslations('devices')
  const online = onlineDays.map(days => ({
    label: t('exports.online', { days }),
    onSelect: () => void download(exportPath('online-status', networkId, table, { days })),
  }))
  const devices = {
    label: t('exports.devices'),
    onSelect: () => void download(exportPath('devices', networkId, table)),
  }
  return (
    <Menu
      trigger={<Button icon="download">{t('export')}</Button>}
      groups={[{ actions: [devices] }, { actions: online }]}
    />
  )
}

/** Whether what is shown follows the devices by itself. */
function Live() {
  const t = useTranslations('devices')
  const { live } = useStream()
  const { lostAt } = useReach()
  return live && lostAt === 0 ? <Status state="online">{t('live')}</Status> : null
}
