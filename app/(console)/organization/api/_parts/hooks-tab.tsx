'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import './api.css'
import { Deliveries } from './deliveries'
import { HookCheck } from './hook-check'
import { useColumns } from './hook-columns'
import { type Asking, Dialogs } from './hook-dialogs'
import { HookSegments } from './hook-segments'

export type Hook = CallOutput<'webhooks/list'>['result'][number]
export type Scope = CallOutput<'webhooks/get'>

/** Services that are told what happens, and what was sent to one of them. */
export function HooksTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations()
  const table = useTable()
  const shown = Number(table.state.filters.hook) || undefined
  const scope = useCall('webhooks/get', {})
  const [asking, setAsking] = useState<Asking>()
  return (
    <>
      <PageHead title={t('developerApi.title')}>
        {scope.data && shown === undefined && (
          <Button kind="primary" icon="plus" onClick={() => setAsking({ what: 'form' })}>
            {t('webhooks.add')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="webhooks" label={t('developerApi.title')} />
      {shown === undefined ? <List scope={scope.data} ask={setAsking} /> : <Deliveries hook={shown} table={table} />}
      <Dialogs asking={asking} scope={scope.data} ask={setAsking} />
    </>
  )
}

function List({ scope, ask }: { scope: Scope | undefined; ask: (asking: Asking) => void }) {
  const t = useTranslations('webhooks')
  const mayAllow = useMay('organization_manager_edit')
  const table = useTable()
  const { sort: _none, ...input } = table.input
  const call = useCall('webhooks/list', input, { live: ['webhooks'] })
  const columns = useColumns(useActs(ask))
  return (
    <div className="stack">
      <DataTable
        id="webhooks"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={hook => String(hook.id)}
        searchLabel={t('search')}
        empty={
          <EmptyState icon="alerts" title={t('empty')}>
            <span className="soft">{t('emptyHelp')}</span>
          </EmptyState>
        }
      />
      <HookCheck />
      {mayAllow && scope && <HookSegments segments={scope.segments} />}
    </div>
  )
}

/** What a row's menu does. */
function useActs(ask: (asking: Asking) => void) {
  const t = useTranslations('webhooks')
  const refresh = useRefresh()
  // Why one failed is told by a toast.
  const quietly = (work: () => Promise<unknown>) => void work().catch(() => undefined)
  return {
    edit: (row: Hook) => ask({ what: 'form', row }),
    rotate: (row: Hook) => ask({ what: 'rotate', row }),
    remove: (row: Hook) => ask({ what: 'delete', row }),
    turn: ({ id, name }: Hook, on: boolean) =>
      quietly(async () => {
        await callApi('webhooks/switch', { id, on })
        toast('ok', t(on ? 'turnedOn' : 'turnedOff', { name }))
        await refresh('webhooks/list')
      }),
    test: ({ id }: Hook) =>
      quietly(async () => {
        await callApi('webhooks/test', { id })
        toast('ok', t('tested'))
        await refresh('webhooks/list')
      }),
  }
}
export type Acts = ReturnType<typeof useActs>
