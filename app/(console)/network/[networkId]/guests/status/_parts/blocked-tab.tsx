import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { useTable } from '@/app/_ui/use-table'
import { BlockDialog } from './block-dialog'

type Blocked = CallOutput<'guests/blocked/list'>['result'][number]

function useColumns(): Column<Blocked>[] {
  const t = useTranslations('guests.blocked')
  return [
    {
      ...{ key: 'mac', label: t('mac'), sort: true, fixed: true, phone: 'title' },
      cell: one => <span className="mac name">{one.mac.toUpperCase()}</span>,
    },
    {
      ...{ key: 'until', label: t('until'), sort: true, phone: 'key' },
      cell: one => (one.until === null ? t('good') : <Moment at={one.until} />),
    },
    {
      ...{ key: 'note', label: t('note'), phone: 'extra', wrap: true },
      cell: one => <bdi>{one.note}</bdi>,
    },
    { key: 'by', label: t('by'), sort: true, until: 1180, cell: one => <bdi>{one.by}</bdi> },
    { key: 'at', label: t('at'), sort: true, until: 1180, cell: one => <Age at={one.at} /> },
  ]
}

/** Devices that the portal lets in by no means, and their release. */
export function BlockedTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('guests')
  const table = useTable()
  const call = useNetworkCall('guests/blocked/list', table.input, { live: true })
  const mayRelease = useMay('guests_remove')
  const [selection, setSelection] = useState<string[]>([])
  const [asked, setAsked] = useState<{ what: 'release' | 'change'; devices: readonly Blocked[] }>()
  const chosen = call.data?.result.filter(one => selection.includes(one.mac)) ?? []
  const close = (changed: boolean) => {
    setAsked(undefined)
    if (changed) setSelection([])
  }
  const columns = useColumns()
  return (
    <>
      <PageHead title={t('title')} sub={t('blocked.help')} />
      <Tabs tabs={tabs} active="blocked" label={t('title')} />
      <DataTable
        id="guests-blocked"
        label={t('blocked.tab')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => one.mac}
        {...(mayRelease && { selection, onSelection: setSelection })}
        searchLabel={t('blocked.search')}
        empty={
          <EmptyState icon="block" title={t('blocked.empty')}>
            <span>{t('blocked.emptyHelp')}</span>
          </EmptyState>
        }
      />
      <BulkBar count={chosen.length} label={t('blocked.tab')} onClear={() => setSelection([])}>
        <Button icon="check" onClick={() => setAsked({ what: 'release', devices: chosen })}>
          {t('blocked.release')}
        </Button>
        <Button icon="edit" onClick={() => setAsked({ what: 'change', devices: chosen })}>
          {t('blocked.change')}
        </Button>
      </BulkBar>
      {asked?.what === 'change' && <BlockDialog guests={asked.devices} onClose={close} />}
      {asked?.what === 'release' && <ReleaseDialog devices={asked.devices} onClose={close} />}
    </>
  )
}

type ReleaseProps = { devices: readonly Blocked[]; onClose: (changed: boolean) => void }

function ReleaseDialog({ devices, onClose }: ReleaseProps) {
  const t = useTranslations('guests.blocked')
  return (
    <ActDialog
      call="guests/unblock"
      input={withNetwork({ macs: devices.map(one => one.mac) })}
      title={t('releaseTitle', { count: devices.length, mac: devices[0]?.mac.toUpperCase() ?? '' })}
      consequences={[t('releaseHelp')]}
      action={t('release')}
      done={t('released', { count: devices.length })}
      onClose={onClose}
    />
  )
}
