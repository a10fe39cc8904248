import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import packageJson from '@/package.json'
import { readGeneral } from '@/server/kernel/general'
import { menuFor } from '@/server/people/access/menu'
import { pageSession } from '@/server/people/sign-in/page-session'
import { HelpPage } from './_parts/help-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('help'))('title') }
}

export default async function Page() {
  const { runtime, session } = await pageSession()
  if (!session) return null
  const { menus } = menuFor(runtime, session.actor)
  const manager = {
    name: readGeneral(runtime.db).name,
    version: packageJson.version,
    node: process.versions.node,
    startedAt: runtime.startedAt,
  }
  return <HelpPage menus={menus} manager={manager} authorities={[...session.actor.authorities]} />
}
