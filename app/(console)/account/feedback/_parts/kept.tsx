'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { download } from '@/app/_api/download'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { OwnForm } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { ActDialog } from '@/app/_shared/act-dialog'
import { IconButton } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { Menu } from '@/app/_ui/menu'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'

type Feedback = CallOutput<'feedback/list'>['result'][number]

/** What stays on the manager, for its administrators, and where it could go. */
export function KeptFeedback({ address }: { address: KindSpec<'feedbackAddress'> }) {
  const t = useTranslations('feedback.list')
  const table = useTable()
  const call = useCall('feedback/list', table.input)
  const [gone, setGone] = useState<Feedback>()
  const columns = useColumns(setGone)
  return (
    <>
      <div style={{ maxInlineSize: 'var(--form-max)' }}>
        <OwnForm spec={address} changes={['feedback/list', 'feedback/info']} />
      </div>
      <DataTable
        id="feedback"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={feedback => feedback.id}
        searchLabel={t('search')}
        tools={<h2 className="medium">{t('title')}</h2>}
        empty={<EmptyState slim icon="check" title={t('empty')} />}
      />
      <ActDialog
        open={gone !== undefined}
        call="feedback/delete"
        input={{ id: gone?.id ?? '' }}
        done={t('deleted')}
        danger
        title={t('deleteTitle')}
        consequences={[t('deleteWhat', { name: gone?.name ?? '' })]}
        action={t('delete')}
        onClose={() => setGone(undefined)}
      />
    </>
  )
}

function useColumns(onDelete: (feedback: Feedback) => void): Column<Feedback>[] {
  const t = useTranslations('feedback.list')
  const kinds = useTranslations('feedback.kinds')
  const edits = useMay('organization_manager_edit')
  return [
    {
      key: 'what',
      sort: true,
      label: t('what'),
      fixed: true,
      phone: 'title',
      cell: one => (
        <span>
          {kinds(`${one.kind}.label`)}: <bdi>{one.text.slice(0, 120)}</bdi>
        </span>
      ),
    },
    { key: 'who', sort: true, label: t('who'), phone: 'state', cell: one => <bdi>{one.name}</bdi> },
    { key: 'attachment', label: t('attachment'), until: 1180, cell: one => <bdi>{one.attachment?.name}</bdi> },
    { key: 'error', sort: true, label: t('error'), until: 1180, cell: one => <bdi>{one.error || t('waits')}</bdi> },
    { key: 'at', sort: true, label: t('at'), phone: 'extra', cell: one => <Moment at={one.at} /> },
    {
      key: 'actions',
      label: t('actions'),
      phone: 'key',
      numeric: true,
      width: '70px',
      cell: one => (
        <Menu
          trigger={<IconButton small kind="ghost" icon="more" label={t('actionsOf', { name: one.name })} />}
          groups={[
            {
              actions: [
                {
                  label: t('download'),
                  icon: 'download',
                  onSelect: () => void download(`/app/feedback/download?id=${one.id}`),
                },
                ...(edits
                  ? [{ label: t('delete'), icon: 'trash' as const, danger: true, onSelect: () => onDelete(one) }]
                  : []),
              ],
            },
          ]}
        />
      ),
    },
  ]
}
