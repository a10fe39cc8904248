'use client'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useTab } from '@/app/_ui/tabs'
import { CompaniesTab } from './companies-tab'
import { RequestsTab } from './requests-tab'
import { RolesTab } from './roles-tab'
import { UsersTab } from './users-tab'

const shown = { users: UsersTab, roles: RolesTab, companies: CompaniesTab, requests: RequestsTab }

/** Who works with this manager: the people, their roles, the companies there are on it, and who asks to be let in. */
export function UsersPage() {
  const t = useTranslations('users')
  const tab = useTab(['users', 'roles', 'companies', 'requests'])
  const companies = useMay('organization_companies')
  const requests = useCall('users/sign-ups/list', { pageSize: 10 }, { live: true }).data
  const tabs = [
    { id: 'users', label: t('tabs.users') },
    { id: 'roles', label: t('tabs.roles') },
    ...(companies ? [{ id: 'companies', label: t('tabs.companies') }] : []),
    ...(requests?.open || requests?.total || tab === 'requests'
      ? [{ id: 'requests', label: t('tabs.requests'), count: requests?.total }]
      : []),
  ]
  const Shown = tab === 'companies' && !companies ? UsersTab : shown[tab]
  return <Shown tabs={tabs} />
}
