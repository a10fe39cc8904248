import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ScopedSettings } from '@/app/_form/scoped-settings'
import { kindIds, loadKind } from '@/model/registry'
import { GroupContents, type KindTitles } from '../_parts/group-contents'
import { GroupForm } from '../_parts/group-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('devices.group'))('title') }
}

/** What each kind of setting is called. */
async function kindTitles(): Promise<KindTitles> {
  const titles = kindIds.map(async id => {
    const { area } = await loadKind(id)
    return [id, (await getTranslations(area as 'wifi'))(`${id as 'ssid'}.title`)]
  })
  return Object.fromEntries(await Promise.all(titles))
}

type Props = { params: Promise<{ networkId: string }>; searchParams: Promise<{ id?: string }> }

export default async function GroupFormPage({ params, searchParams }: Props) {
  const { networkId } = await params
  const id = Number((await searchParams).id)
  return (
    <>
      <GroupForm />
      {Number.isSafeInteger(id) && id > 0 && (
        <div className="stack">
          <GroupContents {...{ networkId, id }} titles={await kindTitles()} />
          <ScopedSettings of="group" {...{ networkId, id }} />
        </div>
      )}
    </>
  )
}
