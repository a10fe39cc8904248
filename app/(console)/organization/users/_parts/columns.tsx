import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Age, Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { Status } from '@/app/_ui/status'
import type { User } from './rows'
import { looks, useRoleName } from './words'

/** The users' columns; with `actions` the last one holds a row's menu. */
export function useColumns(actions: ((user: User) => ReactNode) | undefined): Column<User>[] {
  const t = useTranslations('users')
  const label = (key: string) => t(`columns.${key as 'role'}`)
  const roleName = useRoleName()
  const types = useTranslations('roles.accountTypes')
  const none = <span className="muted">{t('none')}</span>
  const columns: Column<User>[] = [
    {
      key: 'username',
      label: label('username'),
      sort: true,
      fixed: true,
      phone: 'title',
      cell: user => <b className="medium">{user.username}</b>,
    },
    {
      key: 'account',
      label: label('account'),
      sort: true,
      cell: user => <span className="soft">{user.account}</span>,
    },
    {
      key: 'role',
      label: label('role'),
      sort: true,
      phone: 'extra',
      cell: user => roleName(user.role, user.roleName),
    },
    { key: 'networks', label: label('networks'), cell: user => <Networks user={user} /> },
    { key: 'state', label: label('state'), sort: true, phone: 'state', cell: user => <State user={user} /> },
    {
      key: 'email',
      label: label('email'),
      sort: true,
      until: 1320,
      cell: user =>
        user.email ? (
          <span className="soft clip" title={user.email}>
            {user.email}
          </span>
        ) : (
          none
        ),
    },
    {
      key: 'mfa',
      label: label('mfa'),
      until: 1320,
      cell: user => (user.source === 'saml' ? t('sso') : user.mfa ? t('on') : t('off')),
    },
    {
      key: 'lastSignInAt',
      label: label('lastSignIn'),
      sort: true,
      cell: user => (user.lastSignInAt ? <Age at={user.lastSignInAt} /> : <span className="muted">{t('never')}</span>),
    },
    { key: 'company', label: label('company'), sort: true, off: true, cell: user => user.company || none },
    { key: 'address', label: label('address'), sort: true, off: true, cell: user => user.address || none },
    { key: 'type', label: label('type'), sort: true, off: true, cell: user => (user.type && types(user.type)) || none },
    {
      key: 'createdAt',
      label: label('created'),
      sort: true,
      off: true,
      cell: user => <Moment at={user.createdAt} />,
    },
  ]
  if (actions) columns.push(actionsColumn(label('actions'), actions))
  return columns
}

const tagsShown = 2

function Networks({ user }: { user: User }) {
  const t = useTranslations('users')
  if (user.allNetworks) return <span className="soft">{t('allNetworks')}</span>
  if (user.networks.length === 0) return <span className="muted">{t('noNetwork')}</span>
  const rest = user.networks.slice(tagsShown)
  return (
    <span className="row">
      {user.networks.slice(0, tagsShown).map(network => (
        <span className="tag" key={network.id} style={{ paddingInline: 8 }}>
          {network.name}
        </span>
      ))}
      {rest.length > 0 && (
        <span className="tag number" style={{ paddingInline: 8 }} title={rest.map(network => network.name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

/** The state, and until when it holds. */
function State({ user }: { user: User }) {
  const t = useTranslations('users')
  const until = user.state === 'locked' ? user.lockedUntil : user.invitedUntil
  return (
    <Status
      state={looks[user.state]}
      age={
        until > 0 ? (
          <span className="no-phone">
            {t(user.state === 'locked' ? 'lockedUntil' : 'invitedUntil')} <Moment at={until} />
          </span>
        ) : undefined
      }
    >
      {t(`states.${user.state}`)}
    </Status>
  )
}
