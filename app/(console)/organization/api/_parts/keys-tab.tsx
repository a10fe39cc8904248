'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { CopyDialog } from '@/app/_ui/copy-dialog'
import { DataTable } from '@/app/_ui/data-table'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import { useColumns } from './key-columns'
import { KeyForm } from './key-form'
import type { Key, Scope } from './key-rows'
import { PresenceMode } from './presence-mode'

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
        {scope.data && <Mode {...scope.data} />}
        {scope.data?.enabled && <PresenceMode {...scope.data} />}
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

/** Says whether the API is on; the super administrator turns it here. */
function Mode({ enabled, mayTurn }: Pick<Scope, 'enabled' | 'mayTurn'>) {
  const t = useTranslations('api')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const turnOn = async () => {
    setBusy(true)
    // Why it failed is told by a toast.
    const done = await callApi('developer-api/save', { enabled: true }).catch(() => undefined)
    if (done) toast('ok', t('turnedOn'))
    await whenRenewed()
    setBusy(false)
  }
  const action = enabled ? (
    <Button onClick={() => setAsking(true)}>{t('turnOff')}</Button>
  ) : (
    <Button kind="primary" busy={busy} onClick={() => void turnOn()}>
      {t('turnOn')}
    </Button>
  )
  return (
    <>
      <Note tone={enabled ? 'ok' : 'info'} title={t(`modeTitle.${enabled ? 'on' : 'off'}`)} actions={mayTurn && action}>
        {t(enabled ? 'modeOn' : 'modeOff')} {!enabled && !mayTurn && t('modeTheirs')}
      </Note>
      {asking && (
        <ActDialog
          call="developer-api/save"
          input={{ enabled: false }}
          done={t('turnedOff')}
          danger
          onClose={() => setAsking(false)}
          title={t('offTitle')}
          consequences={[t('offWhat')]}
          action={t('turnOff')}
        />
      )}
    </>
  )
}
