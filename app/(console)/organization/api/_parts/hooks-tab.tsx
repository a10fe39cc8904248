'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import type { KindSpec } from '@/app/_form/spec'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { useTable } from '@/app/_ui/use-table'
import './api.css'
import { Deliveries } from './deliveries'
import { useActs } from './hook-acts'
import { HookCheck } from './hook-check'
import { useColumns } from './hook-columns'
import { type Asking, Dialogs } from './hook-dialogs'
import { HookSegments } from './hook-segments'

type Props = { tabs: readonly Tab[]; segments: KindSpec<'webhookSegments'> }

/** Services that are told what happens, and what was sent to one of them. */
export function HooksTab({ tabs, segments }: Props) {
  const t = useTranslations()
  const table = useTable()
  const shown = Number(table.state.filters.hook) || undefined
  const scope = useCall('webhooks/get', {})
  const [asking, setAsking] = useState<Asking>()
  return (
    <>
      <PageHead title={t('api.title')}>
        {scope.data && shown === undefined && (
          <Button kind="primary" icon="plus" onClick={() => setAsking({ what: 'form' })}>
            {t('webhooks.add')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="webhooks" label={t('api.title')} />
      {shown === undefined ? <List segments={segments} ask={setAsking} /> : <Deliveries hook={shown} table={table} />}
      <Dialogs asking={asking} scope={scope.data} ask={setAsking} />
    </>
  )
}

function List({ segments, ask }: { segments: Props['segments']; ask: (asking: Asking) => void }) {
  const t = useTranslations('webhooks')
  const mayAllow = useMay('organization_manager_edit')
  const table = useTable()
  const call = useCall('webhooks/list', table.input, { live: true })
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
      {mayAllow && <HookSegments spec={segments} />}
    </div>
  )
}
