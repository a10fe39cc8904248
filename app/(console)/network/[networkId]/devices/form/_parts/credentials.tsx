'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { Link } from '@/app/_ui/link'
import { Menu } from '@/app/_ui/menu'
import { Note } from '@/app/_ui/note'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { type PlainColumn, PlainTable } from '@/app/(console)/network/[networkId]/devices/_parts/plain-table'
import { EditCredential, RotateCredential, TestCredential } from './credential-dialogs'
import type { Stored } from './rows'

type Doing = { what: 'add' } | { what: 'edit' | 'rotate' | 'test' | 'delete'; one: Stored }

/** The logins of this network: who uses them, whether they work, and changing them everywhere at once. */
export function Credentials() {
  const t = useTranslations('addDevices.credentials')
  const call = useNetworkCall('credentials/list', {}, { live: true })
  const [doing, setDoing] = useState<Doing>()
  const mayEdit = useMay('devices_logins_edit')
  const columns = useColumns(setDoing).filter(({ key }) => mayEdit || key !== 'actions')
  return (
    <>
      <Card
        title={t('title')}
        meta={
          mayEdit && (
            <Button small icon="plus" onClick={() => setDoing({ what: 'add' })}>
              {t('add')}
            </Button>
          )
        }
      >
        <Loaded call={call}>
          {({ result }) =>
            result.length === 0 ? (
              <EmptyState icon="key" title={t('empty')}>
                {mayEdit && <span>{t('emptyHelp')}</span>}
              </EmptyState>
            ) : (
              <PlainTable label={t('title')} columns={columns} rows={result} rowKey={one => String(one.id)} />
            )
          }
        </Loaded>
      </Card>
      {doing && <Dialogs doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Dialogs({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  if (doing.what === 'add') return <EditCredential onClose={onClose} />
  if (doing.what === 'edit') return <EditCredential one={doing.one} onClose={onClose} />
  if (doing.what === 'rotate') return <RotateCredential one={doing.one} onClose={onClose} />
  if (doing.what === 'test') return <TestCredential one={doing.one} onClose={onClose} />
  return <DeleteCredential one={doing.one} onClose={onClose} />
}

function useColumns(ask: (doing: Doing) => void): PlainColumn<Stored>[] {
  const t = useTranslations('addDevices.credentials')
  const types = useTranslations('addDevices.login.types')
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
              ],
            },
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
  const t = useTranslations('addDevices.credentials')
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
  const t = useTranslations('addDevices.credentials')
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
