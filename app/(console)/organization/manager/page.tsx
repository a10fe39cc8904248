import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { Authority } from '@/model/authority'
import { pageSession } from '@/server/accounts/page-session'
import { ManagerPage, type ManagerTab } from './_parts/manager-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('backups'))('title') }
}

/** Beside the first one, which everybody has who may open the page. */
const further: readonly (readonly [ManagerTab, Authority])[] = [
  ['mail', 'organization_mail'],
  ['security', 'organization_security'],
]

export default async function Page() {
  const { session } = await pageSession()
  const mine = further.filter(([, authority]) => session?.actor.authorities.has(authority)).map(([tab]) => tab)
  return <ManagerPage tabs={['backups', ...mine]} />
}
