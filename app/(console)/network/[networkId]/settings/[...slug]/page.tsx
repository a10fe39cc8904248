import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { DeviceZone } from '@/app/_form/device-zone'
import { QuickAdd } from '@/app/_form/quick-add-forms'
import type { SettingsPage as Head } from '@/app/_form/settings-tabs'
import { type FormSpec, formSpec } from '@/app/_form/spec'
import type { Area } from '@/app/_i18n/pick'
import { Words } from '@/app/(console)/_words'
import type { Authority } from '@/model/authority'
import type { Data } from '@/model/kind'
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
import { scopeAt } from '@/server/networks/settings/singles'
import { networkSession } from '@/server/people/sign-in/page-session'
import { FormView, ListView, SingleView } from '../_parts/views'

type Props = {
  params: Promise<{ networkId: string; slug: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The kind at an address; undefined where no kind has it. */
async function found({ params, searchParams }: Props) {
  const { slug } = await params
  const { tab } = await searchParams
  const at = kindAtPath(`settings/${slug.join('/')}`, typeof tab === 'string' ? tab : undefined)
  return at && { ...at, kind: await loadKind(at.id) }
}

type Scope = { group?: number; device?: number }
const numbered = (key: 'group' | 'device', text: string | string[] | undefined) =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? { [key]: Number(text) } : {}
const queryOf = (scope: Scope) =>
  new URLSearchParams(Object.entries(scope).map(([key, id]) => [key, String(id)])).toString()

/** Whose settings a page shows, for whoever may read them; undefined where they are the network's. */
async function scopeOf({ params, searchParams }: Props, id: KindId) {
  const { networkId } = await params
  const { group, device } = await searchParams
  const asked: Scope = isSingle(id) ? { ...numbered('group', group), ...numbered('device', device) } : {}
  const { runtime, actor } = await networkSession(networkId)
  const readable = actor?.authorities.has(authorityOf(id))
  return { asked, of: readable ? scopeAt(runtime.db, Number(networkId), asked) : undefined }
}

/** A page's name, with whose settings it shows: a change meant for one device is not to be made for all. */
async function named(title: string, of: { scope: string; name: string } | undefined): Promise<string> {
  const t = await getTranslations('form.of')
  return of ? t(of.scope as 'device', { title, name: of.name }) : title
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
  const at = await found(props)
  if (!at) return {}
  const { id, kind } = at
  const t = await getTranslations(kind.area as 'wifi')
  return { title: await named(t(`${id as 'ssid'}.title`), (await scopeOf(props, id)).of) }
}

/** The forms of what a kind's fields refer to, and of what those refer to, as far as this role may create it. */
async function creatable(
  of: FormSpec,
  held: ReadonlySet<Authority>,
  found: FormSpec<ListKindId>[] = [],
): Promise<FormSpec<ListKindId>[]> {
  const fields = Object.values(of.fields).flatMap(field => [field, ...(field.columns ?? [])])
  for (const { ofLan, kind = ofLan && 'lan' } of fields) {
    if (kind === undefined || isSingle(kind) || found.some(spec => spec.id === kind)) continue
    if (!held.has(`${authorityOf(kind)}_edit` as Authority)) continue
    const spec = formSpec(kind, await loadKind(kind))
    found.push(spec)
    await creatable(spec, held, found)
  }
  return found
}

/** A rule that somebody makes of a line of the logs, as the address tells it; whatever it says is checked as typed. */
function ofLine({ text, name }: Record<string, string | string[] | undefined>): Data | undefined {
  if (typeof text !== 'string') return undefined
  return { text, ...(typeof name === 'string' && { name }) }
}

/** A time limit for a client, as its page leads here. */
function ofClient({ mac, name }: Record<string, string | string[] | undefined>): Data | undefined {
  if (typeof mac !== 'string') return undefined
  return { macs: [mac], ...(typeof name === 'string' && { name }) }
}

/** What a new document begins with, where the address says something of it. */
const givenBy: Partial<Record<KindId, typeof ofLine>> = { logRule: ofLine, timePolicy: ofClient }

/** Pages that show more than a kind. */
const moreWords: Partial<Record<KindId, readonly Area[]>> = { radiusUser: ['radius'], system: ['logs'] }

/** Every settings list and form: what it shows is the kind's own declaration. */
export default async function SettingsPage(props: Props) {
  const shown = await found(props)
  if (!shown) redirect('/?denied=1')
  const { kind, ...at } = shown
  const { networkId } = await props.params
  const query = await props.searchParams
  const { id: document } = query
  const given = document === undefined ? givenBy[at.id]?.(query) : undefined
  const { runtime, actor } = await networkSession(networkId)
  const held = actor?.authorities ?? new Set<Authority>()
  const mayEdit = held.has(`${authorityOf(at.id)}_edit` as Authority)
  if (at.page === 'form' && typeof document !== 'string' && !mayEdit) redirect('/forbidden')
  const common = { networkId: Number(networkId), mayEdit }
  const { asked: scope, of } = await scopeOf(props, at.id)
  const head = await pageOf(at.id, held, queryOf(scope))
  const page = { ...head, heading: await named(head.heading, of), of: of?.name }
  const creates = at.page === 'list' ? [] : await creatable(formSpec(at.id, kind), held)
  const zone = await networkZone(runtime, actor?.organization ?? 0, common.networkId)
  return (
    <Words
      areas={[
        'form',
        'menu',
        kind.area as Area,
        ...(moreWords[at.id] ?? []),
        ...creates.map(spec => spec.area as Area),
      ]}
      leftOut
    >
      <DeviceZone zone={zone ?? 'UTC'}>
        <QuickAdd specs={creates}>
          {at.page === 'single' ? (
            <SingleView
              key={`${at.id} ${queryOf(scope)}`}
              {...{ ...common, page, scope }}
              spec={formSpec(at.id, kind)}
            />
          ) : at.page === 'list' ? (
            <ListView {...{ ...common, page }} spec={formSpec(at.id, kind)} />
          ) : (
            <FormView
              {...common}
              spec={formSpec(at.id, kind)}
              {...(typeof document === 'string' && { id: document })}
              {...(given && { given })}
            />
          )}
        </QuickAdd>
      </DeviceZone>
    </Words>
  )
}
