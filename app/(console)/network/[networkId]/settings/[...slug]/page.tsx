import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { SettingsForm } from '@/app/_form/settings-form'
import { SettingsList } from '@/app/_form/settings-list'
import { formSpec } from '@/app/_form/spec'
import type { Area } from '@/app/_i18n/pick'
import { Words } from '@/app/(console)/_words'
import { type Authority, authoritiesOf } from '@/model/authority'
import { kindAtPath, kinds, loadKind } from '@/model/registry'
import { pageSession } from '@/server/accounts/page-session'

type Props = {
  params: Promise<{ networkId: string; slug: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

async function found({ params }: Props) {
  const { slug } = await params
  const at = kindAtPath(`settings/${slug.join('/')}`)
  if (!at) notFound()
  return { ...at, kind: await loadKind(at.id) }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { id, kind } = await found(props)
  const t = await getTranslations(kind.area as 'wifi')
  return { title: t(`${id}.title`) }
}

/** Every settings list and form: what it shows is the kind's own declaration. */
export default async function SettingsPage(props: Props) {
  const { id, kind, page } = await found(props)
  const { networkId } = await props.params
  const { id: document } = await props.searchParams
  const { session } = await pageSession()
  const mayEdit = authoritiesOf(session?.actor.role ?? '').has(`${kinds[id].authority}_edit` as Authority)
  const common = { spec: formSpec(id, kind), networkId: Number(networkId), mayEdit }
  return (
    <Words areas={['form', kind.area as Area]}>
      {page === 'list' ? (
        <SettingsList {...common} />
      ) : (
        <SettingsForm {...common} {...(typeof document === 'string' && { id: document })} />
      )}
    </Words>
  )
}
