'use client'
import '../../_parts/vouchers.css'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import type { Column } from '@/app/_ui/data-table-types'
import { DownloadButton } from '@/app/_ui/download-button'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import type { Template } from '../../_parts/rows'
import { Editor } from './editor'

function useColumns(open: (template: Template) => void): Column<Template>[] {
  const t = useTranslations('vouchers.templates')
  const print = useTranslations('vouchers.print')
  return [
    {
      key: 'name',
      sort: true,
      label: t('name'),
      fixed: true,
      phone: 'title',
      cell: one => (
        <button type="button" className="name link" onClick={() => open(one)}>
          {one.name}
        </button>
      ),
    },
    { key: 'format', label: t('paper'), phone: 'key', cell: one => print(`formats.${one.format}`) },
    { key: 'qr', label: print('qr'), phone: 'extra', cell: one => print(`qrs.${one.qr}`) },
    { key: 'heading', label: t('heading'), cell: one => one.heading },
  ]
}

/** How vouchers are printed: the list, and the form of one in its place. */
export function TemplatesPage() {
  const [editing, setEditing] = useState<Template | 'new'>()
  if (editing === undefined) return <List onEdit={setEditing} />
  return <Editor template={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
}

function List({ onEdit }: { onEdit: (template: Template | 'new') => void }) {
  const t = useTranslations('vouchers.templates')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const call = useNetworkCall('vouchers/templates/list', table.input, { live: true })
  const [selection, setSelection] = useState<string[]>([])
  const [deleting, setDeleting] = useState<Template[]>()
  const mayExport = useMay('exports')
  const mayEdit = useMay('vouchers_print')
  const columns = useColumns(onEdit)
  const chosen = call.data?.result.filter(one => selection.includes(String(one.id))) ?? []
  // Where there is nothing yet, the list itself offers to add the first.
  const nothing = call.data?.total === 0 && !table.filtered
  const add = mayEdit && (
    <Button kind="primary" icon="plus" onClick={() => onEdit('new')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')}>
        {mayExport && (call.data?.total ?? 0) > 0 && (
          <DownloadButton address={`/app/exports/templates?networkId=${networkId}`}>{t('export')}</DownloadButton>
        )}
        {!nothing && add}
      </PageHead>
      <DataTable
        id="voucher-templates"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={one => String(one.id)}
        open={onEdit}
        {...(mayEdit && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon="print" title={t('empty')}>
            <span className="soft">{t('emptyHelp')}</span>
            {add}
          </EmptyState>
        }
      />
      <BulkBar count={chosen.length} label={t('title')} onClear={() => setSelection([])}>
        <Button icon="trash" onClick={() => setDeleting(chosen)}>
          {t('delete')}
        </Button>
      </BulkBar>
      {deleting && (
        <ActDialog
          call="vouchers/templates/delete"
          input={withNetwork({ ids: deleting.map(one => one.id) })}
          done={t('deleted', { count: deleting.length })}
          danger
          title={t('deleteTitle', { count: deleting.length, name: deleting[0]?.name ?? '' })}
          consequences={[t('deleteWhat')]}
          action={t('delete')}
          onClose={done => {
            setDeleting(undefined)
            if (done) setSelection([])
          }}
        />
      )}
    </>
  )
}
