'use client'
import { useTranslations } from 'next-intl'
import { useHeld } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useTab } from '@/app/_ui/tabs'
import { openTabs, userTabs } from '@/model/menu'
import { CompaniesTab } from './companies-tab'
import { RequestsTab } from './requests-tab'
import { RolesTab } from './roles-tab'
import { UsersTab } from './users-tab'

const shown = { users: UsersTab, roles: RolesTab, companies: CompaniesTab, requests: RequestsTab }

/** Who works with this manager: the people, their roles, the companies there are on it, and who asks to be let in. */
export function UsersPage() {
  const t = useTranslations('users')
  const open = openTabs(userTabs, new Set(useHeld())).map(one => one.id)
  const tab = useTab(['users', ...open])
  const requests = useCall('users/sign-ups/list', { pageSize: 10 }, { live: true }).data
  const asked = requests?.open || requests?.total || tab === 'requests'
  const tabs = open
    .filter(id => id !== 'requests' || asked)
    .map(id => ({ id, label: t(`tabs.${id}`), ...(id === 'requests' && { count: requests?.total }) }))
  const Shown = shown[tab]
  return <Shown tabs={tabs} />
}
