import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import type { Authority } from '@/model/authority'
import { loadKind, type OwnKindId } from '@/model/registry'
import { pageSession } from '@/server/people/sign-in/page-session'
import { ManagerPage, type ManagerTab } from './_parts/manager-page'
import type { OwnSpecs } from './_parts/tab-props'

const shown = ['general', 'mailServer', 'security', 'backupSchedule'] as const satisfies readonly OwnKindId[]
const all: readonly (readonly [ManagerTab, Authority])[] = [
  ['backups', 'organization_manager'],
  ['general', 'organization_manager'],
  ['mail', 'organization_mail'],
  ['security', 'organization_security'],
]

/** Tabs that whoever looks may open; one at least. People of another company have no part in the manager but security. */
async function tabsOf(): Promise<readonly [ManagerTab, ...ManagerTab[]]> {
  const { session } = await pageSession()
  const [first = 'backups', ...rest] = all
    .filter(([, authority]) => session?.actor.authorities.has(authority))
    .map(([tab]) => tab)
  return [first, ...rest]
}

async function specsOf() {
  const specs = await Promise.all(shown.map(async id => [id, kindSpec(id, await loadKind(id))] as const))
  return Object.fromEntries(specs) as OwnSpecs
}

export async function generateMetadata(): Promise<Metadata> {
  const tabs = await getTranslations('manager.tabs')
  return { title: tabs((await tabsOf())[0] === 'security' ? 'security' : 'label') }
}

export default async function Page() {
  return <ManagerPage tabs={await tabsOf()} specs={await specsOf()} />
}
