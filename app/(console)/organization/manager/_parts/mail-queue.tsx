'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { wordOr } from '@/app/_i18n/word'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { EmptyState } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'

type Mail = CallOutput<'mail/list'>['result'][number]
const looks = { waiting: 'queued', sending: 'running', failed: 'failed' } as const

function useColumns(): Column<Mail>[] {
  const t = useTranslations('manager.queue')
  const about = (template: string) => wordOr(t, `about.${template}`, template)
  return [
    {
      key: 'recipient',
      sort: true,
      label: t('columns.recipient'),
      fixed: true,
      wrap: true,
      phone: 'title',
      cell: mail => <span className="break-all">{mail.recipient}</span>,
    },
    { key: 'about', sort: true, label: t('columns.about'), phone: 'extra', cell: mail => about(mail.template) },
    {
      key: 'state',
      sort: true,
      label: t('columns.state'),
      fixed: true,
      phone: 'state',
      cell: mail => <Status state={looks[mail.state]}>{t(`states.${mail.state}`)}</Status>,
    },
    {
      key: 'error',
      sort: true,
      label: t('columns.error'),
      wrap: true,
      cell: mail => (mail.error === 'expired' ? t('expired') : mail.error),
    },
    {
      key: 'next',
      sort: true,
      label: t('columns.next'),
      until: 1180,
      cell: mail => mail.state === 'waiting' && mail.nextAt > 0 && <Moment at={mail.nextAt} />,
    },
    {
      key: 'at',
      sort: true,
      label: t('columns.at'),
      numeric: true,
      phone: 'key',
      cell: mail => <Age at={mail.createdAt} />,
    },
  ]
}

/** What waits for the mail server, and what was given up. */
export function MailQueue() {
  const t = useTranslations('manager.queue')
  const table = useTable()
  const [selection, setSelection] = useState<string[]>([])
  const [dropping, setDropping] = useState(false)
  const call = useCall('mail/list', table.input, { live: true })
  const columns = useColumns()
  const ids = call.data?.result.filter(mail => selection.includes(String(mail.id))).map(mail => mail.id) ?? []
  const changed = async (words: string) => {
    setSelection([])
    toast('ok', words)
  }
  const retry = () =>
    callApi('mail/retry', { ids }).then(
      () => changed(t('retried')),
      () => undefined,
    )
  const drop = async () => {
    const { deleted } = await callApi('mail/delete', { ids })
    await changed(t('dropped', { count: deleted }))
  }
  return (
    <>
      <DataTable
        id="mails"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={mail => String(mail.id)}
        selection={selection}
        onSelection={setSelection}
        searchLabel={t('search')}
        empty={<EmptyState icon="check" title={t('empty')} />}
      />
      <BulkBar count={ids.length} label={t('title')} onClear={() => setSelection([])}>
        <Button icon="check" onClick={() => void retry()}>
          {t('retry')}
        </Button>
        <Button icon="trash" onClick={() => setDropping(true)}>
          {t('drop')}
        </Button>
      </BulkBar>
      <ConfirmDialog
        open={dropping}
        danger
        title={t('dropTitle', { count: ids.length })}
        consequences={[t('dropWhat')]}
        action={t('drop')}
        onConfirm={drop}
        onClose={() => setDropping(false)}
      />
    </>
  )
}
