'use client'
import { useTranslations } from 'next-intl'
import { useTab } from '@/app/_ui/tabs'
import { RolesTab } from './roles-tab'
import { UsersTab } from './users-tab'

/** Who works with this manager: the people, and the roles they may have. */
export function UsersPage() {
  const t = useTranslations('users')
  const tab = useTab(['users', 'roles'])
  const tabs = [
    { id: 'users', label: t('tabs.users') },
    { id: 'roles', label: t('tabs.roles') },
  ]
  return tab === 'users' ? <UsersTab tabs={tabs} /> : <RolesTab tabs={tabs} />
}
