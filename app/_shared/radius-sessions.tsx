'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { IconButton } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { DownloadButton } from '@/app/_ui/download-button'
import { Link } from '@/app/_ui/link'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { useTable } from '@/app/_ui/use-table'
import { Bytes } from '@/app/_ui/value'

type Row = CallOutput<'radius/sessions/list'>['result'][number]
/** Devices report by themselves, and nothing tells of it. */
const refreshMs = 10_000

type Words = ReturnType<typeof useTranslations<'radius.sessions'>>

const columnsOf = (t: Words, networkId: string): Column<Row>[] => [
  { key: 'name', label: t('name'), fixed: true, phone: 'title', cell: row => <bdi className="medium">{row.name}</bdi> },
  {
    ...{ key: 'state', label: t('state'), fixed: true, phone: 'state' },
    cell: row => (
      <Status state={row.ended === null ? 'online' : 'offline'}>{t(row.ended === null ? 'in' : 'over')}</Status>
    ),
  },
  {
    ...{ key: 'mac', label: t('mac'), phone: 'extra' },
    cell: row =>
      row.mac === null ? (
        '–'
      ) : (
        <Link href={`/network/${networkId}/clients/detail?id=${encodeURIComponent(row.mac)}`}>
          <span className="mac">{row.mac.toUpperCase()}</span>
        </Link>
      ),
  },
  { key: 'ssid', label: t('ssid'), cell: row => (row.ssid === null ? '–' : <bdi>{row.ssid}</bdi>) },
  { key: 'nas', label: t('nas'), until: 1320, cell: row => <span className="ip">{row.nas}</span> },
  { key: 'started', label: t('started'), cell: row => <Moment at={row.started} /> },
  { key: 'ended', label: t('ended'), until: 1180, cell: row => (row.ended === null ? '–' : <Moment at={row.ended} />) },
  {
    key: 'sent',
    label: t('sent'),
    numeric: true,
    phone: 'key',
    phoneUnit: t('sent'),
    cell: row => <Bytes value={row.outBytes} />,
  },
  { key: 'received', label: t('received'), numeric: true, until: 1180, cell: row => <Bytes value={row.inBytes} /> },
]

/** Who is in by the manager's own RADIUS server, and who was. */
export function RadiusSessions({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations('radius.sessions')
  const { networkId } = useParams<{ networkId: string }>()
  const mayExport = useMay('exports')
  const table = useTable()
  const { page, pageSize, search } = table.input
  const call = useNetworkCall('radius/sessions/list', { page, pageSize, search }, { refreshMs })
  const [asked, setAsked] = useState<Row>()
  const acts = actionsColumn<Row>(t('disconnect'), row =>
    row.ended === null && row.mac !== null ? (
      <IconButton small icon="power" label={t('disconnectTitle', { name: row.name })} onClick={() => setAsked(row)} />
    ) : null,
  )
  const query = new URLSearchParams({ networkId, search: search ?? '' })
  return (
    <div className="mt-4">
      <DataTable
        id="radius-sessions"
        label={t('title')}
        columns={mayEdit ? [...columnsOf(t, networkId), acts] : columnsOf(t, networkId)}
        table={table}
        call={call}
        rowKey={row => String(row.id)}
        searchLabel={t('search')}
        tools={
          mayExport && <DownloadButton address={`/app/exports/radius-sessions?${query}`}>{t('export')}</DownloadButton>
        }
        empty={
          <EmptyState slim icon="clients" title={t('empty')}>
            <span>{t('emptyHelp')}</span>
          </EmptyState>
        }
      />
      {asked && (
        <ActDialog
          call="radius/sessions/disconnect"
          input={withNetwork({ id: asked.id })}
          onClose={() => {
            setAsked(undefined)
            void call.mutate()
          }}
          title={t('disconnectTitle', { name: asked.name })}
          consequences={[t('disconnectText', { mac: asked.mac ?? '' })]}
          action={t('disconnect')}
          danger
          done={t('disconnectDone')}
        />
      )}
    </div>
  )
}

/** As whom a device was in; nothing where it never signed in, or for a role that may not read it. */
export function SignedIn({ mac }: { mac: string }) {
  return useMay('settings_profiles') ? <Signed mac={mac} /> : null
}

function Signed({ mac }: { mac: string }) {
  const t = useTranslations('radius.sessions')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const { page, pageSize } = table.input
  const call = useNetworkCall('radius/sessions/list', { page, pageSize, mac }, { refreshMs })
  if (!call.data || call.data.total === 0) return null
  return (
    <DataTable
      id="client-radius-sessions"
      label={t('ofClient')}
      columns={columnsOf(t, networkId).filter(({ key }) => key !== 'mac')}
      table={table}
      call={call}
      rowKey={row => String(row.id)}
      tools={<h2 className="medium">{t('ofClient')}</h2>}
      empty={<EmptyState slim title={t('empty')} />}
    />
  )
}
