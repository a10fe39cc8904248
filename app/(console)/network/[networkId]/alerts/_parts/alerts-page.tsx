'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { BulkBar, DataTable } from '@/app/_ui/data-table'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { type Table, useTable } from '@/app/_ui/use-table'
import { useColumns } from './columns'

const levels = [5, 10, 15] as const
type Level = (typeof levels)[number]

const filterOf = ({ state: { filters } }: Table) => ({
  ...(filters.level && { level: Number(filters.level) as Level }),
  ...(filters.read && { read: filters.read === '1' }),
})

/** What needed a person, newest first: read, delete, and where else it is told. */
export function AlertsPage() {
  const t = useTranslations('alerts')
  const { networkId } = useParams<{ networkId: string }>()
  const table = useTable()
  const [selection, setSelection] = useState<string[]>([])
  const [deleting, setDeleting] = useState<'chosen' | 'all'>()
  const { sort: _none, ...input } = table.input
  const call = useNetworkCall('alerts/list', { ...input, filter: filterOf(table) }, { live: true })
  const columns = useColumns()
  const ids = call.data?.result.filter(alert => selection.includes(String(alert.id))).map(alert => alert.id) ?? []
  const { markRead, remove } = useChanges(() => setSelection([]))
  const unread = call.data?.unread ?? 0
  const mayEdit = useMay('alerts_edit')
  const maySeeNotices = useMay('organization_notices')
  return (
    <>
      <PageHead title={t('title')} mark={unread > 0 && <Badge tone="bad">{t('unread', { count: unread })}</Badge>}>
        {mayEdit && unread > 0 && (
          <Button icon="check" onClick={() => void markRead({ all: true })}>
            {t('markAllRead')}
          </Button>
        )}
        {mayEdit && (call.data?.total ?? 0) > 0 && (
          <Button icon="trash" className="no-phone" onClick={() => setDeleting('all')}>
            {t('deleteAll')}
          </Button>
        )}
        {maySeeNotices && (
          <LinkButton icon="settings" href={`/network/${networkId}/alerts/notice/form`}>
            {t('notice.title')}
          </LinkButton>
        )}
      </PageHead>
      <ReadChips table={table} unread={call.data?.unread} />
      <DataTable
        id="alerts"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={alert => String(alert.id)}
        {...(mayEdit && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        tools={<LevelFilter table={table} />}
        empty={<EmptyState icon="alerts" title={t('empty')} />}
      />
      <BulkBar count={ids.length} label={t('title')} onClear={() => setSelection([])}>
        <Button icon="check" onClick={() => void markRead({ ids })}>
          {t('markRead')}
        </Button>
        <Button icon="trash" onClick={() => setDeleting('chosen')}>
          {t('delete')}
        </Button>
      </BulkBar>
      <ConfirmDialog
        open={deleting !== undefined}
        danger
        onClose={() => setDeleting(undefined)}
        title={deleting === 'all' ? t('deleteAllTitle') : t('deleteTitle', { count: ids.length })}
        consequences={[t('deleteWhat')]}
        action={t('delete')}
        onConfirm={() => remove(deleting === 'all' ? { all: true } : { ids })}
      />
    </>
  )
}

type Some = { ids?: number[]; all?: boolean }

function useChanges(onDone: () => void) {
  const t = useTranslations('alerts')
  const changed = async () => {
    onDone()
  }
  return {
    // A failure is told by a toast; the list stays as it is.
    markRead: (some: Some) => callApi('alerts/read', withNetwork(some)).then(changed, () => undefined),
    remove: async (some: Some) => {
      const { deleted } = await callApi('alerts/delete', withNetwork(some))
      toast('ok', t('deleted', { count: deleted }))
      await changed()
    },
  }
}

const filter = (table: Table, key: string, value: string) => table.change({ filters: { [key]: value } })

function ReadChips({ table, unread }: { table: Table; unread: number | undefined }) {
  const t = useTranslations('alerts')
  const chosen = table.state.filters.read ?? ''
  return (
    <fieldset className="state-bar" aria-label={t('columns.state')}>
      <button type="button" aria-pressed={chosen === ''} onClick={() => filter(table, 'read', '')}>
        {t('all')}
      </button>
      <button type="button" aria-pressed={chosen === '0'} onClick={() => filter(table, 'read', '0')}>
        {t('onlyUnread')} <span className="tally">{unread}</span>
      </button>
    </fieldset>
  )
}

function LevelFilter({ table }: { table: Table }) {
  const t = useTranslations('alerts')
  const chosen = levels.find(level => String(level) === table.state.filters.level)
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {chosen ? t(`levels.${chosen}`) : t('level')}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: t('anyLevel'), checked: !chosen, onSelect: () => filter(table, 'level', '') }] },
        {
          actions: levels.map(level => ({
            label: t(`levels.${level}`),
            checked: level === chosen,
            onSelect: () => filter(table, 'level', String(level)),
          })),
        },
      ]}
    />
  )
}
