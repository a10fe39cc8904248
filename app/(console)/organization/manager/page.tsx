import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { kindSpec } from '@/app/_form/spec'
import type { Authority } from '@/model/authority'
import { managerTabs, openTabs } from '@/model/menu'
import { loadKind, type OwnKindId } from '@/model/registry'
import { pageSession } from '@/server/people/sign-in/page-session'
import { ManagerPage, type ManagerTab } from './_parts/manager-page'
import type { OwnSpecs } from './_parts/tab-props'

const shown = ['general', 'mailServer', 'security', 'backupSchedule'] as const satisfies readonly OwnKindId[]

/** Tabs that whoever looks may open; one at least. People of another company have no part in the manager but security. */
async function tabsOf(): Promise<readonly [ManagerTab, ...ManagerTab[]]> {
  const { session } = await pageSession()
  const held = session?.actor.authorities ?? new Set<Authority>()
  const [first = 'general', ...rest] = openTabs(managerTabs, held).map(tab => tab.id)
  return [first, ...rest]
}

async function specsOf() {
  const specs = await Promise.all(shown.map(async id => [id, kindSpec(id, await loadKind(id))] as const))
  return Object.fromEntries(specs) as OwnSpecs
}

type Props = { searchParams: Promise<{ tab?: string | string[] }> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const words = await getTranslations('manager.tabs')
  const { tab } = await searchParams
  const tabs = await tabsOf()
  return { title: words(tabs.find(one => one === tab) ?? tabs[0]) }
}

export default async function Page() {
  return <ManagerPage tabs={await tabsOf()} specs={await specsOf()} />
}
