import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { DeviceZone } from '@/app/_form/next-change'
import { QuickAdd } from '@/app/_form/quick-add-forms'
import { SettingsForm } from '@/app/_form/settings-form'
import { SettingsList } from '@/app/_form/settings-list'
import type { SettingsPage as Head } from '@/app/_form/settings-tabs'
import { SingleForm } from '@/app/_form/single-form'
import { type FormSpec, formSpec } from '@/app/_form/spec'
import type { Area } from '@/app/_i18n/pick'
import { Words } from '@/app/(console)/_words'
import type { Authority } from '@/model/authority'
import {
  authorityOf,
  isSingle,
  type KindId,
  kindAtPath,
  kinds,
  kindsOnPage,
  type ListKindId,
  loadKind,
  scopedAddress,
} from '@/model/registry'
import { networkZone } from '@/server/networks/networks/zone'
import { networkSession } from '@/server/people/sign-in/page-session'

type Props = {
  params: Promise<{ networkId: string; slug: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

async function found({ params, searchParams }: Props) {
  const { slug } = await params
  const { tab } = await searchParams
  const at = kindAtPath(`settings/${slug.join('/')}`, typeof tab === 'string' ? tab : undefined)
  if (!at) notFound()
  return { ...at, kind: await loadKind(at.id) }
}

/**
 * The head of a page: the tabs of the kinds that share it, as far as this role may read them.
 * `query`: of a group's or device's own settings, which only singles have.
 */
async function pageOf(id: KindId, held: ReadonlySet<Authority>, query: string): Promise<Head> {
  const readable = kindsOnPage(kinds[id].list).filter(one => held.has(authorityOf(one)))
  const shared = query ? readable.filter(isSingle) : readable
  const tabs = await Promise.all(
    shared.map(async one => {
      const { area } = await loadKind(one)
      const t = await getTranslations(area as 'wifi')
      return { id: one, label: t(`${one as 'ssid'}.title`), path: scopedAddress(one, query) }
    }),
  )
  const own = tabs.find(tab => tab.id === id)?.label ?? ''
  if (tabs.length < 2) return { heading: own, tabs: [] }
  const menu = await getTranslations('menu')
  return { heading: menu(kinds[id].list.split('/')[1] as 'wifi'), tabs }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { id, kind } = await found(props)
  const t = await getTranslations(kind.area as 'wifi')
  return { title: t(`${id}.title`) }
}

const numbered = (key: 'group' | 'device', text: string | string[] | undefined) =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? { [key]: Number(text) } : {}

type Scope = { group?: number; device?: number }
const queryOf = (scope: Scope) =>
  new URLSearchParams(Object.entries(scope).map(([key, id]) => [key, String(id)])).toString()

/** The forms of what a kind's fields refer to, and of what those refer to, as far as this role may create it. */
async function creatable(
  of: FormSpec,
  held: ReadonlySet<Authority>,
  found: FormSpec<ListKindId>[] = [],
): Promise<FormSpec<ListKindId>[]> {
  const fields = Object.values(of.fields).flatMap(field => [field, ...(field.columns ?? [])])
  for (const { kind } of fields) {
    if (kind === undefined || isSingle(kind) || found.some(spec => spec.id === kind)) continue
    if (!held.has(`${authorityOf(kind)}_edit` as Authority)) continue
    const spec = formSpec(kind, await loadKind(kind))
    found.push(spec)
    await creatable(spec, held, found)
  }
  return found
}

/** Every settings list and form: what it shows is the kind's own declaration. */
export default async function SettingsPage(props: Props) {
  const { kind, ...at } = await found(props)
  const { networkId } = await props.params
  const { id: document, group, device } = await props.searchParams
  const { runtime, actor } = await networkSession(networkId)
  const held = actor?.authorities ?? new Set<Authority>()
  const mayEdit = held.has(`${authorityOf(at.id)}_edit` as Authority)
  if (at.page === 'form' && typeof document !== 'string' && !mayEdit) redirect('/forbidden')
  const common = { networkId: Number(networkId), mayEdit }
  const scope: Scope = { ...numbered('group', group), ...numbered('device', device) }
  const page = await pageOf(at.id, held, at.page === 'single' ? queryOf(scope) : '')
  const creates = at.page === 'list' ? [] : await creatable(formSpec(at.id, kind), held)
  const zone = await networkZone(runtime, actor?.organization ?? 0, common.networkId)
  return (
    <Words areas={['form', 'menu', kind.area as Area, ...creates.map(spec => spec.area as Area)]}>
      <DeviceZone zone={zone ?? 'UTC'}>
        <QuickAdd specs={creates}>
          {at.page === 'single' ? (
            <SingleForm
              key={`${at.id} ${queryOf(scope)}`}
              {...{ ...common, page, scope }}
              spec={formSpec(at.id, kind)}
            />
          ) : at.page === 'list' ? (
            <SettingsList key={at.id} {...{ ...common, page }} spec={formSpec(at.id, kind)} />
          ) : (
            <SettingsForm
              {...common}
              spec={formSpec(at.id, kind)}
              {...(typeof document === 'string' && { id: document })}
            />
          )}
        </QuickAdd>
      </DeviceZone>
    </Words>
  )
}
