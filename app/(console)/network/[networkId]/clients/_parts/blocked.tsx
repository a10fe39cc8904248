'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useInForce, useWaits } from '@/app/_shared/clients/in-force'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Link } from '@/app/_ui/link'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import type { Table } from '@/app/_ui/use-table'
import { Maybe } from '@/app/_ui/value'

type Lock = CallOutput<'clients/lock/list'>['result'][number]

const namedInRow = 2

const nameOf = ({ name, mac }: Lock) => name || mac.toUpperCase()

function useColumns(onRemove: (lock: Lock) => void): Column<Lock>[] {
  const t = useTranslations('clients')
  const edits = useMay('settings_firewall_edit')
  return useMemo((): Column<Lock>[] => {
    const remove: Column<Lock> = {
      ...{ key: 'actions', label: t('acts'), phone: 'key', numeric: true, width: '120px' },
      cell: row => (
        <Button small onClick={() => onRemove(row)} aria-label={t('block.openUndo', { name: nameOf(row) })}>
          {t('block.undo')}
        </Button>
      ),
    }
    return [
      {
        ...{ key: 'name', label: t('name'), sort: true, fixed: true, phone: 'title' },
        cell: row => <Name lock={row} />,
      },
      {
        ...{ key: 'until', label: t('lock.blocked'), sort: true, phone: 'extra' },
        cell: ({ until }) =>
          until === undefined
            ? t('lock.always')
            : t.rich('lock.until', { time: () => <Moment at={Date.parse(until)} /> }),
      },
      {
        ...{ key: 'enforced', label: t('lock.enforced'), phone: 'state', wrap: true, width: '36%' },
        cell: row => <Enforced lock={row} />,
      },
      { key: 'since', label: t('lock.since'), sort: true, until: 1180, cell: row => <Moment at={row.since} /> },
      {
        ...{ key: 'by', label: t('lock.by'), sort: true, until: 1320 },
        cell: row => <bdi>{row.by || t('lock.itself')}</bdi>,
      },
      {
        ...{ key: 'note', label: t('detail.note'), sort: true, until: 1180 },
        cell: row => <Maybe value={row.note || null}>{note => <bdi>{note}</bdi>}</Maybe>,
      },
      ...(edits ? [remove] : []),
    ]
  }, [t, edits, onRemove])
}

/** Its name; below it what else it is known by. */
function Name({ lock }: { lock: Lock }) {
  const { networkId } = useParams<{ networkId: string }>()
  const { name, mac, vendor } = lock
  const below = [...(name ? [mac.toUpperCase()] : []), ...(vendor ? [vendor] : [])]
  return (
    <span className="client-name">
      <Link className="name" href={`/network/${networkId}/clients/detail?id=${mac}`}>
        <bdi className={name ? undefined : 'mac'}>{nameOf(lock)}</bdi>
      </Link>
      {below.length > 0 && (
        <span className="fine-print">
          <bdi>{below.join(' · ')}</bdi>
        </span>
      )}
    </span>
  )
}

/** How many devices enforce it; where not all do, which ones and why. */
function Enforced({ lock: { here, of, waits } }: { lock: Lock }) {
  const t = useTranslations('clients.lock')
  const told = useWaits()
  const on = of === 0 || here === 0 ? t('nowhere') : here < of ? t('some', { here, of }) : t('all', { of })
  const why = of === 0 ? [t('nowhereWhy')] : told(waits, namedInRow)
  return (
    <span className="client-name">
      <Status state={here === of && of > 0 ? 'fine' : 'warning'}>{on}</Status>
      {why.length > 0 && <span className="fine-print">{why.join(' ')}</span>}
    </span>
  )
}

/** Who is on the block list, and on which devices that is in force. */
export function BlockedClients({ table }: { table: Table }) {
  const t = useTranslations('clients')
  const call = useNetworkCall('clients/lock/list', table.input, { live: true })
  const [removing, setRemoving] = useState<Lock>()
  const columns = useColumns(setRemoving)
  return (
    <>
      <DataTable
        id="clients-blocked"
        label={t('states.blocked')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => one.id}
        searchLabel={t('lock.search')}
        empty={<EmptyState icon="block" title={t('empty.blocked')} />}
      />
      {removing && <Remove lock={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function Remove({ lock, onClose }: { lock: Lock; onClose: () => void }) {
  const t = useTranslations('clients.block')
  const tell = useInForce()
  const { id, mac, until, note } = lock
  const undo = () => {
    const kept = { ...(until !== undefined && { until }), ...(note && { note }) }
    return callApi('clients/block', withNetwork({ macs: [mac], ...kept }))
  }
  const save = async () => {
    const brought = await callApi('clients/lock/remove', withNetwork({ ids: [id] }))
    tell(t('freeDone', { name: nameOf(lock) }), brought, { undo, removes: true })
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('freeTitle', { name: nameOf(lock) })}
      help={t('freeHelp', { mac: mac.toUpperCase() })}
      action={t('freeSave')}
      onConfirm={save}
    />
  )
}
