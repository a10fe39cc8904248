'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { DownloadButton } from '@/app/_ui/download-button'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { Glyph, states } from '@/app/_ui/status'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { type Table, useTable } from '@/app/_ui/use-table'
import { useColumns } from './columns'
import { UserDialogs } from './dialogs'
import { useRowActions } from './row-actions'
import type { Asking, User } from './rows'
import { looks, useRoleName } from './words'

type State = User['state']

/** What is listed now, as a file. */
const exportPath = ({ state: { search, filters } }: Table) =>
  `/app/exports/users?${new URLSearchParams({
    ...(search && { search }),
    ...Object.fromEntries(['role', 'state'].flatMap(key => (filters[key] ? [[key, filters[key]]] : []))),
  })}`

/** Everybody one may know of: who they are, what they may do and where, and what can be done about it. */
export function UsersTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('users')
  const table = useTable({ sort: { field: 'username', direction: 'asc' } })
  const [asking, setAsking] = useState<Asking>()
  const { role, state } = table.state.filters
  const filter = { ...(role && { role }), ...(state && { state: state as State }) }
  const call = useCall('users/list', { ...table.input, filter }, { live: true })
  const options = useCall('users/role', {}, { live: true })
  const mayExport = useMay('exports')
  const maySso = useMay('organization_security')
  const mayDirectory = useMay('organization_directory')
  const mayAdd = (options.data?.result.length ?? 0) > 0
  const actionsOf = useRowActions(setAsking, options.data?.mfa ?? false)
  const columns = useColumns(
    mayAdd
      ? user => (
          <Menu
            groups={actionsOf(user)}
            trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { name: user.account })} />}
          />
        )
      : undefined,
  )
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('sub', { count: call.data.total })}>
        {mayExport && <DownloadButton address={exportPath(table)}>{t('export')}</DownloadButton>}
        {maySso && (
          <LinkButton icon="lock" href="/organization/users/saml/form">
            {t('sso')}
          </LinkButton>
        )}
        {mayDirectory && (
          <LinkButton icon="networks" href="/organization/users/ldap/form">
            {t('directory')}
          </LinkButton>
        )}
        {mayAdd && (
          <Button kind="primary" icon="plus" onClick={() => setAsking({ what: 'add' })}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="users" label={t('title')} />
      <StateChips table={table} counts={call.data?.counts} />
      <DataTable
        id="users"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={user => String(user.id)}
        searchLabel={t('search')}
        tools={<RoleFilter table={table} />}
        empty={<EmptyState icon="clients" title={t('empty')} />}
      />
      <UserDialogs asking={asking} options={options.data} ask={setAsking} />
    </>
  )
}

/** Sets one filter and keeps the others. */
const filterBy = (table: Table, key: string, value: string) => table.change({ filters: { [key]: value } })

const chips: readonly State[] = ['active', 'inactivated', 'locked', 'disabled']

function StateChips({ table, counts }: { table: Table; counts: Record<string, number> | undefined }) {
  const t = useTranslations('users')
  const chosen = table.state.filters.state ?? ''
  const shown = chips.filter(state => (counts?.[state] ?? 0) > 0 || chosen === state)
  return (
    <fieldset className="state-bar" aria-label={t('columns.state')}>
      <button type="button" aria-pressed={chosen === ''} onClick={() => filterBy(table, 'state', '')}>
        {t('all')} <span className="tally">{counts && Object.values(counts).reduce((sum, one) => sum + one, 0)}</span>
      </button>
      {shown.map(state => {
        const [shape, tone] = states[looks[state]]
        return (
          <button
            key={state}
            type="button"
            aria-pressed={chosen === state}
            onClick={() => filterBy(table, 'state', state)}
          >
            <span className={`status ${tone}`}>
              <Glyph shape={shape} />
            </span>
            {t(`states.${state}`)} <span className="tally">{counts?.[state] ?? 0}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

function RoleFilter({ table }: { table: Table }) {
  const t = useTranslations('users')
  const name = useRoleName()
  const roles = useCall('roles/list', {}, { live: true }).data?.result ?? []
  const chosen = roles.find(role => role.id === table.state.filters.role)
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {chosen ? name(chosen.id, chosen.name) : t('columns.role')}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: t('anyRole'), checked: !chosen, onSelect: () => filterBy(table, 'role', '') }] },
        {
          actions: roles.map(role => ({
            label: name(role.id, role.name),
            checked: role === chosen,
            onSelect: () => filterBy(table, 'role', role.id),
          })),
        },
      ]}
    />
  )
}
