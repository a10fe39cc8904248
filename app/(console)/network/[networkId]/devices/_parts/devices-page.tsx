'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useStream } from '@/app/_api/events'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { BulkBar, DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { type Table, useTable } from '@/app/_ui/use-table'
import { type TrafficLines, useColumns } from './columns'
import { DeviceDialog, type Doing } from './dialogs'
import { Filters, StateChips } from './filters'
import type { Device } from './rows'

/** What the list's address asks of the call. */
const filtersOf = ({ state: { filters } }: Table) => ({
  filter: {
    ...(filters.status && { status: [Number(filters.status)] }),
    ...(filters.kind && { kind: [filters.kind as Device['kind']] }),
    ...(filters.group && { groupId: Number(filters.group) }),
  },
})

const linesEveryMs = 300_000

/** What the listed devices carried lately; a new point comes every five minutes. */
function useTrafficLines(listed: readonly Device[] | undefined): TrafficLines {
  const ids = (listed ?? []).map(device => device.id).sort((a, b) => a - b)
  const { data } = useNetworkCall('devices/traffic', ids.length > 0 ? { ids } : null, { refreshMs: linesEveryMs })
  return new Map(data?.result.map(one => [one.id, one.bps]))
}

/** What is listed now, as a file. */
const exportPath = (networkId: string, { state: { search, filters } }: Table) =>
  `/app/exports/devices?${new URLSearchParams({
    networkId,
    ...(search && { search }),
    ...Object.fromEntries(['status', 'kind', 'group'].flatMap(key => (filters[key] ? [[key, filters[key]]] : []))),
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
  const columns = useColumns(useTrafficLines(call.data?.result))
  const chosen = call.data?.result.filter(device => selection.includes(String(device.id))) ?? []
  const base = `/network/${networkId}/devices`
  const mayEdit = useMay('devices_edit')
  const mayGroup = useMay('devices_group_add')
  const mayLogins = useMay('devices_logins')
  const add = mayEdit && (
    <LinkButton kind="primary" icon="plus" href={`${base}/form`}>
      {t('add')}
    </LinkButton>
  )
  const ask = (what: Doing['what']) => setDoing({ what, devices: chosen })
  return (
    <>
      <PageHead title={t('title')} sub={<Live />}>
        {mayGroup && (
          <LinkButton icon="folder" href={`${base}/group/form`} className="no-phone">
            {t('groups')}
          </LinkButton>
        )}
        <LinkButton icon="download" download href={exportPath(networkId, table)} className="no-phone">
          {t('export')}
        </LinkButton>
        {!mayEdit && mayLogins && (
          <LinkButton icon="key" href={`${base}/form`} className="no-phone">
            {t('logins')}
          </LinkButton>
        )}
        {add}
      </PageHead>
      <StateChips table={table} counts={call.data?.counts} />
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
      <BulkBar count={chosen.length} label={t('title')} onClear={() => setSelection([])}>
        {mayEdit && (
          <Button icon="power" onClick={() => ask('reboot')}>
            {t('bulk.reboot')}
          </Button>
        )}
        {mayGroup && (
          <Button icon="folder" onClick={() => ask('move')}>
            {t('bulk.move')}
          </Button>
        )}
        {mayEdit && (
          <Button icon="trash" onClick={() => ask('forget')}>
            {t('bulk.forget')}
          </Button>
        )}
      </BulkBar>
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

/** Whether what is shown follows the devices by itself. */
function Live() {
  const t = useTranslations('devices')
  const { live } = useStream()
  return live ? <Status state="online">{t('live')}</Status> : null
}
