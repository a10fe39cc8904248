'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { CopyDialog } from '@/app/_ui/copy-dialog'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { useTable } from '@/app/_ui/use-table'
import { useColumns } from './key-columns'
import { KeyForm } from './key-form'
import type { Key, Scope } from './key-rows'
import { ModeCard } from './mode-card'

type Asking = { what: 'add' } | { what: 'made'; name: string; key: string } | { what: 'delete'; row: Key } | undefined

/** Whether keys may call, and the keys there are. */
export function KeysTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('api')
  const table = useTable()
  const call = useCall('developer-api/keys/list', table.input)
  const scope = useCall('developer-api/get', {})
  const [asking, setAsking] = useState<Asking>()
  const columns = useColumns(row => setAsking({ what: 'delete', row }))
  return (
    <>
      <PageHead title={t('title')}>
        {scope.data?.enabled && (
          <Button kind="primary" icon="plus" onClick={() => setAsking({ what: 'add' })}>
            {t('keys.add')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="keys" label={t('title')} />
      <div className="stack">
        {scope.data && <Modes {...scope.data} />}
        <DataTable
          id="api-keys"
          label={t('tabs.keys')}
          columns={columns}
          table={table}
          call={call}
          rowKey={key => String(key.id)}
          searchLabel={t('keys.search')}
          empty={
            <EmptyState icon="key" title={t('keys.empty')}>
              <span className="soft">{t('keys.emptyHelp')}</span>
            </EmptyState>
          }
        />
      </div>
      <Dialogs asking={asking} scope={scope.data} ask={setAsking} />
    </>
  )
}

/** Whether scripts may call at all, and whether they may ask who is where and until when. */
function Modes({ enabled, presence, mayTurn }: Scope) {
  const t = useTranslations('api')
  const { askedAt, endsAt } = presence
  return (
    <>
      <ModeCard field="enabled" enabled={enabled} mayTurn={mayTurn} first>
        {!enabled && !mayTurn && t('mode.theirs')}
      </ModeCard>
      {enabled && (
        <ModeCard field="presence" enabled={presence.enabled} mayTurn={mayTurn}>
          {endsAt !== undefined && t.rich('presence.ends', { time: () => <Moment key="ends" at={endsAt} /> })}{' '}
          {askedAt !== undefined && t.rich('presence.asked', { time: () => <Age key="asked" at={askedAt} /> })}
        </ModeCard>
      )}
    </>
  )
}

type DialogsProps = { asking: Asking; scope: Scope | undefined; ask: (asking: Asking) => void }

function Dialogs({ asking, scope, ask }: DialogsProps) {
  const t = useTranslations('api.keys')
  const close = () => ask(undefined)
  if (asking?.what === 'add' && scope)
    return <KeyForm scope={scope} onClose={close} onMade={(name, key) => ask({ what: 'made', name, key })} />
  if (asking?.what === 'delete') return <DeleteDialog row={asking.row} onClose={close} />
  if (asking?.what !== 'made') return null
  const { name, key } = asking
  return (
    <CopyDialog
      title={t('madeTitle', { name })}
      once={t('once')}
      help={t('onceHelp')}
      label={t('key')}
      value={key}
      onClose={close}
    />
  )
}

function DeleteDialog({ row, onClose }: { row: Key; onClose: () => void }) {
  const t = useTranslations('api.keys')
  const { id, name } = row
  return (
    <ActDialog
      call="developer-api/keys/delete"
      input={{ id }}
      done={t('deleted', { name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={[t('deleteWhat')]}
      action={t('delete')}
    />
  )
}
