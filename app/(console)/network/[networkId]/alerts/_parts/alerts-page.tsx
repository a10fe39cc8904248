'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { type Table, useTable } from '@/app/_ui/use-table'
import { listAddress } from '@/model/registry'
import { useColumns } from './columns'
import { MaintenanceNote } from './maintenance-card'

const levels = [5, 10, 15] as const
type Level = (typeof levels)[number]

const filterOf = ({ state: { filters } }: Table) => ({
  ...(filters.level && { level: Number(filters.level) as Level }),
  ...(filters.read && { read: filters.read === '1' }),
  ...(filters.device && { deviceId: Number(filters.device) }),
})

/** What needed a person, newest first: read, delete, and where else it is told. */
export function AlertsPage() {
  const t = useTranslations('alerts')
  const { networkId } = useParams<{ networkId: string }>()
  const router = useRouter()
  const table = useTable()
  const [selection, setSelection] = useState<string[]>([])
  const [deleting, setDeleting] = useState<'chosen' | 'all'>()
  const call = useNetworkCall('alerts/list', { ...table.input, filter: filterOf(table) }, { live: true })
  const columns = useColumns()
  const ids = call.data?.result.filter(alert => selection.includes(String(alert.id))).map(alert => alert.id) ?? []
  const { markRead, remove } = useChanges(() => setSelection([]))
  const unread = call.data?.unread ?? 0
  const mayEdit = useMay('alerts_edit')
  const maySeeNotices = useMay('organization_notices')
  const maySeeRules = useMay('settings_system')
  return (
    <>
      <PageHead title={t('title')} mark={unread > 0 && <Badge>{t('unread', { count: unread })}</Badge>}>
        {mayEdit && unread > 0 && (
          <Button icon="check" onClick={() => void markRead({ all: true })}>
            {t('markAllRead')}
          </Button>
        )}
        <LinkButton icon="edit" href={`/network/${networkId}/alerts/config/form`}>
          {t('config.title')}
        </LinkButton>
        {maySeeRules && (
          <LinkButton icon="file" href={`/network/${networkId}/${listAddress('logRule')}`}>
            {t('rules')}
          </LinkButton>
        )}
        {maySeeNotices && (
          <LinkButton icon="settings" href={`/network/${networkId}/alerts/notice/form`}>
            {t('notice.title')}
          </LinkButton>
        )}
        {mayEdit && (call.data?.total ?? 0) > 0 && (
          <Menu
            trigger={<IconButton icon="more" label={t('more')} />}
            groups={[
              { actions: [{ label: t('deleteAll'), icon: 'trash', danger: true, onSelect: () => setDeleting('all') }] },
            ]}
          />
        )}
      </PageHead>
      <MaintenanceNote />
      <ReadChips table={table} unread={call.data?.unread} />
      <DataTable
        id="alerts"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={alert => String(alert.id)}
        open={alert => router.push(`/network/${networkId}/alerts/detail?id=${alert.id}`)}
        {...(mayEdit && { selection, onSelection: setSelection })}
        searchLabel={t('search')}
        tools={
          <>
            <LevelFilter table={table} />
            <DeviceFilter table={table} />
          </>
        }
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

/** The devices that alerts are about; nothing where there are none. */
function DeviceFilter({ table }: { table: Table }) {
  const t = useTranslations('alerts')
  const { data } = useNetworkCall('alerts/ap-list', {}, { live: true })
  const found = data?.result ?? []
  const chosen = found.find(({ id }) => String(id) === table.state.filters.device)
  if (found.length === 0) return null
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {chosen ? chosen.name : t('columns.device')}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: t('anyDevice'), checked: !chosen, onSelect: () => filter(table, 'device', '') }] },
        {
          actions: found.map(({ id, name, alerts }) => ({
            label: `${name} (${alerts})`,
            checked: id === chosen?.id,
            onSelect: () => filter(table, 'device', String(id)),
          })),
        },
      ]}
    />
  )
}
