'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { IconButton, LinkButton } from '@/app/_ui/button'
import { Link } from '@/app/_ui/link'
import { Listing } from '@/app/_ui/listing'
import { Menu, type MenuGroup } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { Badge } from '@/app/_ui/status'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { useTable } from '@/app/_ui/use-table'
import { useRoleAbout, useRoleName } from './words'

type Role = CallOutput<'roles/list'>['result'][number]
const form = '/organization/users/roles/form'
const formOf = (role: Role) => `${form}?id=${encodeURIComponent(role.id)}`
const copyOf = (role: Role) => `${form}?copy=${encodeURIComponent(role.id)}`

/** The roles that people may have: those that are built in, and those made here. */
export function RolesTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('users')
  const table = useTable()
  const call = useCall('roles/list', table.input, { live: true })
  const tree = useCall('roles/tree', {})
  const [deleting, setDeleting] = useState<Role>()
  const sorts = (['name', 'holders', 'authorities'] as const).map(field => ({
    field,
    label: t(`roles.sorts.${field}`),
  }))
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('roles.sub', { count: call.data.total })}>
        {tree.data?.mayMake && (
          <LinkButton kind="primary" icon="plus" href={form}>
            {t('roles.add')}
          </LinkButton>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="roles" label={t('title')} />
      <Listing label={t('tabs.roles')} table={table} call={call} sorts={sorts}>
        {rows => (
          <ul className="role-list">
            {rows.map(role => (
              <RoleLine
                key={role.id}
                role={role}
                mayMake={tree.data?.mayMake === true}
                onDelete={() => setDeleting(role)}
              />
            ))}
          </ul>
        )}
      </Listing>
      {deleting && <DeleteDialog role={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

function RoleLine({ role, mayMake, onDelete }: { role: Role; mayMake: boolean; onDelete: () => void }) {
  const t = useTranslations('users.roles')
  const nameOf = useRoleName()
  const about = useRoleAbout()
  const router = useRouter()
  const name = nameOf(role.id, role.name)
  // The own account is everybody's.
  const names = role.authorities.filter(one => one !== 'account')
  const edits = names.filter(one => /_(edit|add|print)$/.test(one)).length
  const edit = { label: t('edit'), icon: 'edit', onSelect: () => router.push(formOf(role)) } as const
  const copy = { label: t('copy'), icon: 'copy', onSelect: () => router.push(copyOf(role)) } as const
  const remove = { label: t('delete'), icon: 'trash', danger: true, onSelect: onDelete } as const
  const groups: MenuGroup[] = [
    { actions: [...(role.editable ? [edit] : []), ...(mayMake ? [copy] : [])] },
    ...(role.editable ? [{ actions: [remove] }] : []),
  ]
  return (
    <li>
      <div className="grow">
        <span className="row wrapping">
          <Link className="name" href={formOf(role)}>
            {name}
          </Link>
          {!role.builtIn && <Badge tone="accent">{t('own')}</Badge>}
        </span>
        <p className="soft">{role.builtIn ? about(role.id) : t('holds', { reads: names.length - edits, edits })}</p>
      </div>
      <span className="number soft">{t('held', { count: role.holders })}</span>
      {(role.editable || mayMake) && (
        <Menu groups={groups} trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { name })} />} />
      )}
    </li>
  )
}

function DeleteDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useTranslations('users.roles')
  const { name } = role
  return (
    <ActDialog
      call="roles/delete"
      input={{ id: role.id }}
      done={t('deleted', { name })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { name })}
      consequences={[role.holders > 0 ? t('deleteHeld', { count: role.holders }) : t('deleteWhat')]}
      disabled={role.holders > 0}
      action={t('delete')}
    />
  )
}
