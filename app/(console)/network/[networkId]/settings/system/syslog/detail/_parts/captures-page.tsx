'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, LinkButton } from '@/app/_ui/button'
import { Crumb } from '@/app/_ui/crumb'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { useColumns } from './columns'
import type { Capture } from './rows'
import { StartForm } from './start-form'

/** Captures of syslog: those that go on, and the former ones. */
export function CapturesPage() {
  const t = useTranslations('logs.captures')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const call = useNetworkCall('syslog/list', table.input, { live: true, refreshMs: 5000 })
  const mayRead = useMay('logs')
  const mayStart = useMay('settings_system_edit')
  const [starting, setStarting] = useState(false)
  const [stopping, setStopping] = useState<Capture>()
  const columns = useColumns(setStopping)
  const start = (
    <Button kind="primary" onClick={() => setStarting(true)}>
      {t('start')}
    </Button>
  )
  return (
    <>
      <Crumb name={t('title')} />
      <PageHead title={t('title')} sub={t('sub')}>
        {mayRead && <LinkButton href={`/network/${networkId}/insight/logs`}>{t('allLines')}</LinkButton>}
        {mayStart && start}
      </PageHead>
      <DataTable
        id="captures"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={row => String(row.id)}
        searchLabel={t('search')}
        empty={
          <EmptyState icon="file" title={t('empty')}>
            {mayStart && start}
          </EmptyState>
        }
      />
      {starting && <StartForm onClose={() => setStarting(false)} />}
      {stopping && (
        <ActDialog
          call="syslog/stop"
          input={withNetwork({ id: stopping.id })}
          done={t('stop.done')}
          onClose={() => setStopping(undefined)}
          title={t('stop.title')}
          consequences={[t('stop.lines'), t('stop.devices')]}
          action={t('stop.action')}
        />
      )}
    </>
  )
}
