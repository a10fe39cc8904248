'use client'
import './vouchers.css'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { useTable } from '@/app/_ui/use-table'
import { useColumns } from './group-columns'
import type { Group } from './rows'

/** Groups of vouchers, the newest first. */
export function GroupsPage() {
  const t = useTranslations('vouchers')
  const { networkId } = useParams<{ networkId: string }>()
  const router = useRouter()
  const table = useTable()
  const call = useNetworkCall('vouchers/groups/list', table.input, { live: true })
  const [selection, setSelection] = useState<string[]>([])
  const [deleting, setDeleting] = useState<Group[]>()
  const [mayEdit, mayPrint] = [useMay('vouchers_edit'), useMay('vouchers_print')]
  const place = `/network/${networkId}/guests/voucher`
  const columns = useColumns(place)
  const chosen = call.data?.result.filter(group => selection.includes(String(group.id))) ?? []
  // Where there is nothing yet, the list itself offers to add the first.
  const nothing = call.data?.total === 0 && !table.filtered
  const add = mayEdit && (
    <LinkButton kind="primary" icon="plus" href={`${place}/form`}>
      {t('add')}
    </LinkButton>
  )
  return (
    <>
      <PageHead title={t('title')}>
        {mayPrint && (
          <LinkButton icon="print" href={`${place}/template`}>
            {t('templates.title')}
          </LinkButton>
        )}
        {!nothing && add}
      </PageHead>
      <DataTable
        id="voucher-groups"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={group => String(group.id)}
        open={group => router.push(`${place}/detail?id=${group.id}`)}
        {...(mayEdit && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon="guests" title={t('empty')}>
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
        <DeleteGroups
          groups={deleting}
          onClose={done => {
            setDeleting(undefined)
            if (done) setSelection([])
          }}
        />
      )}
    </>
  )
}

/** A group goes with its vouchers. */
export function DeleteGroups({ groups, onClose }: { groups: readonly Group[]; onClose: (done: boolean) => void }) {
  const t = useTranslations('vouchers')
  const total = groups.reduce((sum, group) => sum + group.counts.total, 0)
  const inUse = groups.reduce((sum, group) => sum + group.counts.inUse, 0)
  return (
    <ActDialog
      call="vouchers/groups/delete"
      input={withNetwork({ ids: groups.map(group => group.id) })}
      done={t('groupsDeleted', { count: groups.length })}
      danger
      onClose={onClose}
      title={t('deleteGroups', { count: groups.length, name: groups[0]?.name ?? '' })}
      consequences={[t('deleteGroupsWhat', { count: total }), ...(inUse ? [t('signedOut', { count: inUse })] : [])]}
      action={t('delete')}
    />
  )
}
