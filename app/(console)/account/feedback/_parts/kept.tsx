'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { TextField } from '@/app/_ui/field'
import { Menu } from '@/app/_ui/menu'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'

type Feedback = CallOutput<'feedback/list'>['result'][number]

/** What stays on the manager, for its administrators, and where it could go. */
export function KeptFeedback() {
  const t = useTranslations('feedback.list')
  const table = useTable()
  const { page, pageSize } = table.input
  const call = useCall('feedback/list', { page, pageSize })
  const [gone, setGone] = useState<Feedback>()
  const columns = useColumns(setGone)
  return (
    <>
      <Where address={call.data?.address} />
      <DataTable
        id="feedback"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={feedback => feedback.id}
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
  const download = ({ id }: Feedback) => window.location.assign(`/app/feedback/download?id=${id}`)
  return [
    {
      key: 'what',
      label: t('what'),
      fixed: true,
      phone: 'title',
      cell: one => (
        <span>
          {kinds(`${one.kind}.label`)}: <bdi>{one.text.slice(0, 120)}</bdi>
        </span>
      ),
    },
    { key: 'who', label: t('who'), phone: 'state', cell: one => <bdi>{one.name}</bdi> },
    { key: 'attachment', label: t('attachment'), until: 1180, cell: one => <bdi>{one.attachment?.name}</bdi> },
    { key: 'error', label: t('error'), until: 1180, cell: one => <bdi>{one.error || t('waits')}</bdi> },
    { key: 'at', label: t('at'), phone: 'extra', cell: one => <Moment at={one.at} /> },
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
                { label: t('download'), icon: 'download', onSelect: () => download(one) },
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

/** The address that feedback goes to by mail. */
function Where({ address }: { address: string | undefined }) {
  const t = useTranslations('feedback.where')
  const edits = useMay('organization_manager_edit')
  const [typed, setTyped] = useState<string>()
  if (address === undefined) return null
  return (
    <div style={{ maxInlineSize: 'var(--form-max)' }}>
      <Card title={t('title')} pad>
        <div className="row wrapping">
          <span className="grow soft">{address ? t('by', { address }) : t('none')}</span>
          {edits && <Button onClick={() => setTyped(address)}>{address ? t('change') : t('set')}</Button>}
        </div>
      </Card>
      <ActDialog
        call="feedback/save"
        input={{ address: typed ?? '' }}
        done={t('saved')}
        open={typed !== undefined}
        title={t('dialog')}
        help={t('help')}
        action={t('save')}
        onClose={() => setTyped(undefined)}
      >
        {errors => (
          <TextField
            label={t('address')}
            optional
            inputMode="email"
            value={typed ?? ''}
            onChange={setTyped}
            error={errors.address}
          />
        )}
      </ActDialog>
    </div>
  )
}
