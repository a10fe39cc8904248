import type { Authority } from './authority'
import type { Kind } from './kind'

type PageOf<Name> = Name extends `settings_${infer Page}` ? Page : never
/** A page below /network/{n}/settings/: it is read with `settings_<page>`, and changed with `settings_<page>_edit`. */
type Page = PageOf<Exclude<Authority, `${string}_edit`>>

type Line = {
  /** Kinds that share a page have a tab each: `?tab=` of its list, and its form's folder. The first may do without. */
  page: Page
  tab?: string
  /** Exists once for each scope (`single()` of model/kind.ts): it has no list, its page is the form. */
  single?: true
  /** Not given to devices: they have it with what refers to it. */
  shared?: true
  /** Kept to by the manager itself: nothing of it reaches the devices that it is given to, it is about them. */
  manager?: true
  /** Pages of other kinds that refer to this one: who reads those is told its names to choose from. */
  named?: readonly Page[]
}
/** A line's module gives the kind under the name that the line has. */
type Lines<Id extends PropertyKey> = { [K in Id]: Line & { load(): Promise<Record<K, Kind>> } }
const linesOf = <const L extends Lines<keyof L>>(lines: L): L => lines

/** Every kind of setting, one line each. A kind's own code is loaded only where it is needed. */
const lines = linesOf({
  ssid: { page: 'wifi', named: ['firewall', 'profiles', 'traffic'], load: () => import('./wifi/ssid') },
  radio: { page: 'wifi', tab: 'radio', single: true, load: () => import('./wifi/radio') },
  mesh: { page: 'wifi', tab: 'mesh', single: true, load: () => import('./wifi/mesh') },
  steering: { page: 'wifi', tab: 'steering', single: true, load: () => import('./wifi/steering') },
  lan: { page: 'lan', named: ['firewall', 'internet', 'traffic'], load: () => import('./lan/lan') },
  wan: { page: 'internet', tab: 'wan', named: ['traffic'], load: () => import('./internet/wan') },
  internetSource: { page: 'internet', tab: 'source', load: () => import('./internet/source') },
  wiredRule: { page: 'firewall', tab: 'wired', load: () => import('./firewall/wired') },
  wirelessRule: { page: 'firewall', tab: 'wireless', load: () => import('./firewall/wireless') },
  portForward: { page: 'firewall', tab: 'port', load: () => import('./firewall/forward') },
  blockedClient: { page: 'firewall', tab: 'blocked', load: () => import('./firewall/blocked') },
  timePolicy: {
    page: 'firewall',
    tab: 'time',
    shared: true,
    manager: true,
    load: () => import('./firewall/time-policy'),
  },
  radius: { page: 'profiles', tab: 'radius', shared: true, named: ['wifi'], load: () => import('./profiles/radius') },
  radiusUser: { page: 'profiles', tab: 'users', shared: true, load: () => import('./profiles/radius-user') },
  radiusClient: { page: 'profiles', tab: 'clients', shared: true, load: () => import('./profiles/radius-client') },
  portal: {
    page: 'profiles',
    tab: 'portal',
    shared: true,
    named: ['lan', 'wifi'],
    load: () => import('./profiles/portal'),
  },
  smsGateway: { page: 'profiles', tab: 'sms', shared: true, load: () => import('./profiles/sms-gateway') },
  splash: { page: 'profiles', tab: 'splash', shared: true, load: () => import('./profiles/splash') },
  ppsk: { page: 'profiles', tab: 'ppsk', load: () => import('./profiles/ppsk') },
  portProfile: { page: 'profiles', tab: 'ports', load: () => import('./profiles/port') },
  schedule: {
    page: 'profiles',
    tab: 'schedule',
    shared: true,
    named: ['wifi', 'firewall', 'traffic'],
    load: () => import('./profiles/schedule'),
  },
  bandwidthRule: { page: 'traffic', tab: 'bandwidth', load: () => import('./traffic/bandwidth') },
  staticRoute: { page: 'traffic', tab: 'static', load: () => import('./traffic/static-route') },
  policyRoute: { page: 'traffic', tab: 'policy', load: () => import('./traffic/policy-route') },
  system: { page: 'system', single: true, load: () => import('./system/system') },
  logRule: { page: 'system', tab: 'logs', manager: true, load: () => import('./insight/log-rule') },
  trafficLogs: { page: 'system', tab: 'traffic', single: true, load: () => import('./insight/traffic-logs') },
})

type OwnLine = {
  /** Reads with it, changes with `<authority>_edit`. */
  authority: Authority
  /** Where its calls have names of their own instead of `settings/<id>/get` and `save`. */
  calls?: { get: string; save: string }
}
type OwnLines<Id extends PropertyKey> = { [K in Id]: OwnLine & { load(): Promise<Record<K, Kind>> } }
const ownLinesOf = <const L extends OwnLines<keyof L>>(lines: L): L => lines

/** Settings of the manager itself and of an organization, one line each; what more an area does with them: server/door/own-settings.ts. */
export const ownKinds = ownLinesOf({
  general: {
    authority: 'organization_manager',
    calls: { get: 'system-settings/get', save: 'system-settings/save' },
    load: () => import('./manager/general'),
  },
  mailServer: { authority: 'organization_mail', load: () => import('./mail/server') },
  security: { authority: 'organization_security', load: () => import('./people/security') },
  directory: { authority: 'organization_directory', load: () => import('./people/directory') },
  saml: { authority: 'organization_security', load: () => import('./people/saml') },
  notices: { authority: 'organization_notices', load: () => import('./notify/notices') },
  webhookSegments: { authority: 'organization_manager', load: () => import('./notify/webhook-segments') },
  backupSchedule: { authority: 'organization_manager', load: () => import('./manager/backup-schedule') },
  syslog: { authority: 'organization_manager', load: () => import('./manager/syslog') },
  api: { authority: 'organization_api', load: () => import('./manager/api') },
  logReception: { authority: 'organization_manager', load: () => import('./insight/log-reception') },
  metricsStore: { authority: 'organization_manager', load: () => import('./insight/metrics-store') },
  feedbackAddress: { authority: 'organization_manager', load: () => import('./manager/feedback-address') },
})

export type OwnKindId = keyof typeof ownKinds
export const ownKindIds = Object.keys(ownKinds) as OwnKindId[]
type Verb = 'get' | 'save'
type OwnPath<K extends OwnKindId, V extends Verb> = K extends OwnKindId
  ? (typeof ownKinds)[K] extends { calls: Record<V, infer P extends string> }
    ? P
    : `settings/${K}/${V}`
  : never
/** Of every such kind. */
export type AnyOwnPath = { [K in OwnKindId]: OwnPath<K, Verb> }[OwnKindId]
/** The call that reads or saves a kind of the manager's or an organization's own settings. */
export const ownPath = <K extends OwnKindId, V extends Verb>(id: K, verb: V): OwnPath<K, V> =>
  ((ownKinds[id] as OwnLine).calls?.[verb] ?? `settings/${id}/${verb}`) as OwnPath<K, V>
/** The kind that such a call is of. */
export const ownKindAt = (path: string): [OwnKindId, Verb] | undefined =>
  ownKindIds
    .flatMap(id => (['get', 'save'] as const).map(verb => [id, verb] as [OwnKindId, Verb]))
    .find(([id, verb]) => ownPath(id, verb) === path)
export const isOwnKindId = (id: string): id is OwnKindId => Object.hasOwn(ownKinds, id)

export type KindId = keyof typeof lines
export type AnyKindId = KindId | OwnKindId
export const kindIds = Object.keys(lines) as KindId[]
/** Kinds with documents in lists. */
export type ListKindId = { [K in KindId]: (typeof lines)[K] extends { single: true } ? never : K }[KindId]
export const isKindId = (id: string): id is KindId => Object.hasOwn(lines, id)
export async function loadKind<Id extends AnyKindId>(id: Id): Promise<Kind> {
  const all: { [K in AnyKindId]: { load(): Promise<Record<K, Kind>> } } = { ...lines, ...ownKinds }
  return (await all[id].load())[id]
}
export type SingleKindId = Exclude<KindId, ListKindId>

type Entry = Line & {
  /** Paths under /network/{n}/; of what exists once both are its one page. */
  list: string
  form: string
  authority: Authority
}
function entryOf(line: Line): Entry {
  const list = `settings/${line.page}`
  const form = line.tab === undefined ? `${list}/form` : `${list}/${line.tab}/form`
  return { ...line, list, form: line.single ? list : form, authority: `settings_${line.page}` }
}
export const kinds = Object.fromEntries(kindIds.map(id => [id, entryOf(lines[id])])) as Record<KindId, Entry>

export const isAnyKindId = (id: string): id is AnyKindId => isKindId(id) || isOwnKindId(id)
export const anyKindIds: readonly AnyKindId[] = [...kindIds, ...ownKindIds]
export const authorityOf = (id: AnyKindId): Authority => (isOwnKindId(id) ? ownKinds[id] : kinds[id]).authority
/** With any of these one is told the names of a kind: with its own, and with those of kinds that refer to it. */
export const namedBy = (id: KindId): readonly Authority[] => [
  authorityOf(id),
  ...(kinds[id].named ?? []).map(page => `settings_${page}` as const),
]
export const isSingle = (id: KindId): id is SingleKindId => kinds[id].single === true
/** Not given to devices: see `shared` above. */
export const isLibrary = (id: string): boolean => isKindId(id) && kinds[id].shared === true
/** See `manager` above: no change of it waits for a push. */
export const isManagers = (id: string): boolean => isKindId(id) && (kinds[id] as Line).manager === true
export const listKindIds = kindIds.filter((id): id is ListKindId => !isSingle(id))
export const singleKindIds = kindIds.filter(isSingle)

/** Kinds that share this list page, in the registry's order. */
export const kindsOnPage = (list: string): KindId[] => kindIds.filter(id => kinds[id].list === list)

/** Where a kind's list is, below /network/{n}/: with its tab, unless it is the page's first. */
export function listAddress(id: KindId): string {
  const { list, tab } = kinds[id]
  return tab === undefined || kindsOnPage(list)[0] === id ? list : `${list}?tab=${tab}`
}

/** The same for a group's or device's own settings: `query` is `group=3` or `device=7`. */
export const scopedAddress = (id: KindId, query: string): string => {
  const address = listAddress(id)
  return query ? `${address}${address.includes('?') ? '&' : '?'}${query}` : address
}

type Place = { id: ListKindId; page: 'list' | 'form' } | { id: SingleKindId; page: 'single' }

/** The kind a settings page shows: `settings/wifi` and `settings/wifi/form` are both of `ssid`. An unknown tab is the first. */
export function kindAtPath(path: string, tab?: string): Place | undefined {
  const form = listKindIds.find(id => kinds[id].form === path)
  if (form) return { id: form, page: 'form' }
  const shared = kindsOnPage(path)
  const id = shared.find(one => kinds[one].tab === tab) ?? shared[0]
  if (id === undefined) return undefined
  return isSingle(id) ? { id, page: 'single' } : { id: id as ListKindId, page: 'list' }
}
