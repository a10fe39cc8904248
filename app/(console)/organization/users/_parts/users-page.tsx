'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useTab } from '@/app/_ui/tabs'
import { CompaniesTab } from './companies-tab'
import { RolesTab } from './roles-tab'
import { UsersTab } from './users-tab'

/** Who works with this manager: the people, the roles they may have, and the companies there are on it. */
export function UsersPage() {
  const t = useTranslations('users')
  const tab = useTab(['users', 'roles', 'companies'])
  const companies = useMay('organization_companies')
  const tabs = [
    { id: 'users', label: t('tabs.users') },
    { id: 'roles', label: t('tabs.roles') },
    ...(companies ? [{ id: 'companies', label: t('tabs.companies') }] : []),
  ]
  if (tab === 'companies' && companies) return <CompaniesTab tabs={tabs} />
  return tab === 'roles' ? <RolesTab tabs={tabs} /> : <UsersTab tabs={tabs} />
}
