import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { type KindSpec, kindSpec } from '@/app/_form/spec'
import { anyKindIds, loadKind } from '@/model/registry'
import { pageSession } from '@/server/people/sign-in/page-session'
import { ChangelogPage } from './_parts/changelog-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('changelog'))('title') }
}

export default async function Page() {
  const held = (await pageSession()).session?.actor.authorities
  const specs = await Promise.all(anyKindIds.map(async id => [id, kindSpec(id, await loadKind(id))] as const))
  return (
    <ChangelogPage
      specs={Object.fromEntries(specs) as Record<string, KindSpec>}
      mayRevert={held?.has('organization_changelog_edit') ?? false}
      mayManage={held?.has('organization_manager_edit') ?? false}
    />
  )
}
