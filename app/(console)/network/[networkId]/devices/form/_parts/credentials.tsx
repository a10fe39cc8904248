'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Link } from '@/app/_ui/link'
import { Listing } from '@/app/_ui/listing'
import { Menu } from '@/app/_ui/menu'
import { Note } from '@/app/_ui/note'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { type PlainColumn, PlainTable } from '@/app/(console)/network/[networkId]/devices/_parts/plain-table'
import { EditCredential, RotateCredential, TestCredential } from './credential-dialogs'
import type { Stored } from './rows'
import { NewSshKey, PublicKey } from './ssh-key-dialogs'

type Doing =
  | { what: 'add' }
  | { what: 'makeKey' }
  | { what: 'edit' | 'rotate' | 'test' | 'publicKey' | 'delete'; one: Stored }

/** The logins of this network: who uses them, whether they work, and changing them everywhere at once. */
export function Credentials() {
  const t = useTranslations('adoption.credentials')
  const table = useTable()
  const call = useNetworkCall('credentials/list', table.input, { live: true })
  const [doing, setDoing] = useState<Doing>()
  const mayEdit = useMay('devices_logins_edit')
  const total = call.data?.total ?? 0
  const turns = useTurns(() => void call.mutate())
  const columns = useColumns(setDoing, turns).filter(({ key }) => mayEdit || key !== 'actions')
  return (
    <>
      <Card
        title={t('title')}
        footer={total > 1 ? <span className="muted">{t('turn')}</span> : undefined}
        meta={
          mayEdit && (
            <>
              <Button small icon="key" onClick={() => setDoing({ what: 'makeKey' })}>
                {t('makeKey')}
              </Button>
              <Button small icon="plus" onClick={() => setDoing({ what: 'add' })}>
                {t('add')}
              </Button>
            </>
          )
        }
      >
        <Listing
          label={t('title')}
          bare
          table={table}
          call={call}
          sorts={[
            { field: 'name', label: t('name') },
            { field: 'type', label: t('type') },
            { field: 'user', label: t('user') },
            { field: 'devices', label: t('usedBy') },
            { field: 'changedAt', label: t('changed') },
          ]}
          empty={
            <EmptyState icon="key" title={t('empty')}>
              {mayEdit && <span>{t('emptyHelp')}</span>}
            </EmptyState>
          }
        >
          {rows => <PlainTable label={t('title')} columns={columns} rows={rows} rowKey={one => String(one.id)} />}
        </Listing>
      </Card>
      {doing && <Dialogs doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Dialogs({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.what === 'add') return <EditCredential onClose={onClose} />
  if (doing.what === 'makeKey') return <NewSshKey onClose={onClose} />
  if (doing.what === 'publicKey') return <PublicKey one={doing.one} onClose={onClose} />
  if (doing.what === 'edit') return <EditCredential one={doing.one} onClose={onClose} />
  if (doing.what === 'rotate') return <RotateCredential one={doing.one} onClose={onClose} />
  if (doing.what === 'test') return <TestCredential one={doing.one} onClose={onClose} />
  return <DeleteCredential one={doing.one} onClose={onClose} />
}

type Turns = (
  one: Stored,
) => { label: string; icon: 'arrowUp' | 'arrowDown'; disabled: boolean; onSelect: () => void }[]

/** Moves one in the order in which adoption tries them; none where there is nothing to order. */
function useTurns(onChanged: () => void): Turns {
  const t = useTranslations('adoption.credentials')
  const all = useNetworkCall('credentials/list', {}, { live: true })
  const ids = (all.data?.result ?? []).map(one => one.id)
  const move = async (id: number, by: -1 | 1) => {
    const rest = ids.filter(other => other !== id)
    const at = ids.indexOf(id) + by
    const next = [...rest.slice(0, at), id, ...rest.slice(at)]
    await callApi('credentials/order', withNetwork({ ids: next }), { done: 'moved' })
    onChanged()
  }
  return ({ id }) =>
    ids.length < 2
      ? []
      : [
          { label: t('earlier'), icon: 'arrowUp', disabled: ids[0] === id, onSelect: () => void move(id, -1) },
          { label: t('later'), icon: 'arrowDown', disabled: ids.at(-1) === id, onSelect: () => void move(id, 1) },
        ]
}

function useColumns(ask: (doing: Doing) => void, turns: Turns): PlainColumn<Stored>[] {
  const t = useTranslations('adoption.credentials')
  const types = useTranslations('adoption.login.ways')
  return [
    { key: 'name', title: t('name'), cell: one => <span className="medium">{one.name}</span> },
    { key: 'type', title: t('type'), cell: one => <span className="soft">{types(one.type)}</span> },
    { key: 'user', title: t('user'), wideOnly: true, cell: one => one.user },
    { key: 'devices', title: t('usedBy'), cell: one => <UsedBy devices={one.devices} /> },
    { key: 'changed', title: t('changed'), wideOnly: true, cell: one => <Moment at={one.changedAt} /> },
    {
      key: 'actions',
      title: <span className="visually-hidden">{t('actions')}</span>,
      end: true,
      cell: one => (
        <Menu
          trigger={<IconButton small kind="ghost" icon="more" label={t('actionsOf', { name: one.name })} />}
          groups={[
            {
              actions: [
                { label: t('edit'), icon: 'edit', onSelect: () => ask({ what: 'edit', one }) },
                { label: t('test'), icon: 'check', onSelect: () => ask({ what: 'test', one }) },
                { label: t('rotate'), icon: 'refresh', onSelect: () => ask({ what: 'rotate', one }) },
                ...('privateKey' in one.login
                  ? [{ label: t('publicKey'), icon: 'key' as const, onSelect: () => ask({ what: 'publicKey', one }) }]
                  : []),
              ],
            },
            ...(turns(one).length > 0 ? [{ actions: turns(one) }] : []),
            {
              actions: [
                {
                  label: t('delete'),
                  icon: 'trash',
                  danger: true,
                  onSelect: () => ask({ what: 'delete', one }),
                },
              ],
            },
          ]}
        />
      ),
    },
  ]
}

const shown = 3

function UsedBy({ devices }: { devices: Stored['devices'] }) {
  const t = useTranslations('adoption.credentials')
  const { networkId } = useParams<{ networkId: string }>()
  if (devices.length === 0) return <span className="muted">{t('unused')}</span>
  return (
    <span className="row wrapping">
      {devices.slice(0, shown).map(device => (
        <Link key={device.id} href={`/network/${networkId}/devices/detail?id=${device.id}`}>
          {device.name}
        </Link>
      ))}
      {devices.length > shown && <span className="muted">{t('more', { count: devices.length - shown })}</span>}
    </span>
  )
}

function DeleteCredential({ one, onClose }: { one: Stored; onClose: () => void }) {
  const t = useTranslations('adoption.credentials')
  const used = one.devices.length
  return (
    <ActDialog
      call="credentials/delete"
      input={withNetwork({ id: one.id })}
      done={t('deleted', { name: one.name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name: one.name })}
      action={t('delete')}
      disabled={used > 0}
      help={used === 0 && t('deleteHelp')}
    >
      {used > 0 && (
        <Note tone="warn" title={t('deleteUsed', { count: used })}>
          <UsedBy devices={one.devices} />
        </Note>
      )}
    </ActDialog>
  )
}
