import type { Authority } from './authority'
import type { Kind } from './kind'

type Entry = {
  /** Paths under /network/{n}/. Several kinds may share a list page: it shows a tab for each. */
  list: string
  form: string
  /** `?tab=` of its list where it shares the page; unique on the page. */
  tab?: string
  /** Exists once for each scope (`single()` of model/kind.ts): `list` and `form` are the one page. */
  single?: true
  /** Not given to devices: they have it with what refers to it. */
  shared?: true
  /** Reads with it, changes with `<authority>_edit`. */
  authority: Authority
  /** Authorities of other kinds whose settings refer to this one: they are told its names to choose from. */
  named?: readonly Authority[]
  load(): Promise<Kind>
}

/** Every kind of setting, one line each. A kind's own code is loaded only where it is needed. */
export const kinds = {
  ssid: {
    list: 'settings/wifi',
    form: 'settings/wifi/form',
    authority: 'settings_wifi',
    named: ['settings_firewall', 'settings_profiles', 'settings_traffic'],
    load: async () => (await import('./wifi/ssid')).ssid,
  },
  radio: {
    list: 'settings/wifi',
    form: 'settings/wifi',
    tab: 'radio',
    single: true,
    authority: 'settings_wifi',
    load: async () => (await import('./wifi/radio')).radio,
  },
  mesh: {
    list: 'settings/wifi',
    form: 'settings/wifi',
    tab: 'mesh',
    single: true,
    authority: 'settings_wifi',
    load: async () => (await import('./wifi/mesh')).mesh,
  },
  steering: {
    list: 'settings/wifi',
    form: 'settings/wifi',
    tab: 'steering',
    single: true,
    authority: 'settings_wifi',
    load: async () => (await import('./wifi/steering')).steering,
  },
  lan: {
    list: 'settings/lan',
    form: 'settings/lan/form',
    authority: 'settings_lan',
    named: ['settings_firewall', 'settings_internet', 'settings_traffic'],
    load: async () => (await import('./lan/lan')).lan,
  },
  wan: {
    list: 'settings/internet',
    form: 'settings/internet/wan/form',
    tab: 'wan',
    authority: 'settings_internet',
    named: ['settings_traffic'],
    load: async () => (await import('./internet/wan')).wan,
  },
  internetSource: {
    list: 'settings/internet',
    form: 'settings/internet/source/form',
    tab: 'source',
    authority: 'settings_internet',
    load: async () => (await import('./internet/source')).internetSource,
  },
  wiredRule: {
    list: 'settings/firewall',
    form: 'settings/firewall/wired/form',
    tab: 'wired',
    authority: 'settings_firewall',
    load: async () => (await import('./firewall/wired')).wiredRule,
  },
  wirelessRule: {
    list: 'settings/firewall',
    form: 'settings/firewall/wireless/form',
    tab: 'wireless',
    authority: 'settings_firewall',
    load: async () => (await import('./firewall/wireless')).wirelessRule,
  },
  portForward: {
    list: 'settings/firewall',
    form: 'settings/firewall/port/form',
    tab: 'port',
    authority: 'settings_firewall',
    load: async () => (await import('./firewall/forward')).portForward,
  },
  blockedClient: {
    list: 'settings/firewall',
    form: 'settings/firewall/blocked/form',
    tab: 'blocked',
    authority: 'settings_firewall',
    load: async () => (await import('./firewall/blocked')).blockedClient,
  },
  radius: {
    list: 'settings/profiles',
    form: 'settings/profiles/radius/form',
    tab: 'radius',
    shared: true,
    authority: 'settings_profiles',
    named: ['settings_wifi'],
    load: async () => (await import('./profiles/radius')).radius,
  },
  ppsk: {
    list: 'settings/profiles',
    form: 'settings/profiles/ppsk/form',
    tab: 'ppsk',
    authority: 'settings_profiles',
    load: async () => (await import('./profiles/ppsk')).ppsk,
  },
  portProfile: {
    list: 'settings/profiles',
    form: 'settings/profiles/ports/form',
    tab: 'ports',
    authority: 'settings_profiles',
    load: async () => (await import('./profiles/port')).portProfile,
  },
  schedule: {
    list: 'settings/profiles',
    form: 'settings/profiles/schedule/form',
    tab: 'schedule',
    shared: true,
    authority: 'settings_profiles',
    named: ['settings_wifi', 'settings_firewall', 'settings_traffic'],
    load: async () => (await import('./profiles/schedule')).schedule,
  },
  bandwidthRule: {
    list: 'settings/traffic',
    form: 'settings/traffic/bandwidth/form',
    tab: 'bandwidth',
    authority: 'settings_traffic',
    load: async () => (await import('./traffic/bandwidth')).bandwidthRule,
  },
  staticRoute: {
    list: 'settings/traffic',
    form: 'settings/traffic/static/form',
    tab: 'static',
    authority: 'settings_traffic',
    load: async () => (await import('./traffic/static-route')).staticRoute,
  },
  policyRoute: {
    list: 'settings/traffic',
    form: 'settings/traffic/policy/form',
    tab: 'policy',
    authority: 'settings_traffic',
    load: async () => (await import('./traffic/policy-route')).policyRoute,
  },
  system: {
    list: 'settings/system',
    form: 'settings/system',
    single: true,
    authority: 'settings_system',
    load: async () => (await import('./system/system')).system,
  },
} as const satisfies Record<string, Entry>

type OwnEntry = {
  /** Reads with it, changes with `<authority>_edit`. */
  authority: Authority
  /** Where its calls have names of their own instead of `settings/<id>/get` and `save`. */
  calls?: { get: string; save: string }
  load(): Promise<Kind>
}

/** Settings of the manager itself and of an organization, one line each; what more an area does with them: server/own.ts. */
export const ownKinds = {
  general: {
    authority: 'organization_manager',
    calls: { get: 'system-settings/get', save: 'system-settings/save' },
    load: async () => (await import('./manager/general')).general,
  },
  mailServer: {
    authority: 'organization_mail',
    load: async () => (await import('./mail/server')).mailServer,
  },
  security: {
    authority: 'organization_security',
    load: async () => (await import('./people/security')).security,
  },
  directory: {
    authority: 'organization_directory',
    load: async () => (await import('./people/directory')).directory,
  },
  notices: {
    authority: 'organization_notices',
    load: async () => (await import('./notify/notices')).notices,
  },
  webhookSegments: {
    authority: 'organization_manager',
    load: async () => (await import('./notify/webhook-segments')).webhookSegments,
  },
  backupSchedule: {
    authority: 'organization_manager',
    load: async () => (await import('./manager/backup-schedule')).backupSchedule,
  },
  syslog: {
    authority: 'organization_manager',
    load: async () => (await import('./manager/syslog')).syslog,
  },
  api: {
    authority: 'organization_api',
    load: async () => (await import('./manager/api')).api,
  },
  feedbackAddress: {
    authority: 'organization_manager',
    load: async () => (await import('./manager/feedback-address')).feedbackAddress,
  },
} as const satisfies Record<string, OwnEntry>

export type OwnKindId = keyof typeof ownKinds
export const ownKindIds = Object.keys(ownKinds) as OwnKindId[]
type Verb = 'get' | 'save'
type OwnPath<K extends OwnKindId, V extends Verb> = (typeof ownKinds)[K] extends {
  calls: Record<V, infer P extends string>
}
  ? P
  : `settings/${K}/${V}`
/** The call that reads or saves a kind of the manager's or an organization's own settings. */
export const ownPath = <K extends OwnKindId, V extends Verb>(id: K, verb: V): OwnPath<K, V> =>
  ((ownKinds[id] as OwnEntry).calls?.[verb] ?? `settings/${id}/${verb}`) as OwnPath<K, V>
/** The kind that such a call is of. */
export const ownKindAt = (path: string): [OwnKindId, Verb] | undefined =>
  ownKindIds
    .flatMap(id => (['get', 'save'] as const).map(verb => [id, verb] as [OwnKindId, Verb]))
    .find(([id, verb]) => ownPath(id, verb) === path)
export const isOwnKindId = (id: string): id is OwnKindId => Object.hasOwn(ownKinds, id)

export type KindId = keyof typeof kinds
export type AnyKindId = KindId | OwnKindId
export const kindIds = Object.keys(kinds) as KindId[]
/** Kinds with documents in lists. */
export type ListKindId = { [K in KindId]: (typeof kinds)[K] extends { single: true } ? never : K }[KindId]
export const isKindId = (id: string): id is KindId => Object.hasOwn(kinds, id)
export const loadKind = (id: AnyKindId): Promise<Kind> => (isOwnKindId(id) ? ownKinds[id].load() : kinds[id].load())
export type SingleKindId = Exclude<KindId, ListKindId>

const entries: Record<KindId, Entry> = kinds
export const authorityOf = (id: AnyKindId): Authority => (isOwnKindId(id) ? ownKinds[id] : entries[id]).authority
export const isAnyKindId = (id: string): id is AnyKindId => isKindId(id) || isOwnKindId(id)
export const anyKindIds: readonly AnyKindId[] = [...kindIds, ...ownKindIds]
/** With any of these one is told the names of a kind: with its own, and with those of kinds that refer to it. */
export const namedBy = (id: KindId): readonly Authority[] => [authorityOf(id), ...(entries[id].named ?? [])]
export const isSingle = (id: KindId): id is SingleKindId => entries[id].single === true
/** Not given to devices: see `shared` above. */
export const isShared = (id: string): boolean => isKindId(id) && entries[id].shared === true
export const listKindIds = kindIds.filter((id): id is ListKindId => !isSingle(id))
export const singleKindIds = kindIds.filter(isSingle)

/** Kinds that share this list page, in the registry's order. */
export const kindsOnPage = (list: string): KindId[] => kindIds.filter(id => entries[id].list === list)

/** Where a kind's list is, below /network/{n}/: with its tab, unless it is the page's first. */
export function listAddress(id: KindId): string {
  const { list, tab } = entries[id]
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
  const form = listKindIds.find(id => entries[id].form === path)
  if (form) return { id: form, page: 'form' }
  const shared = kindsOnPage(path)
  const id = shared.find(one => entries[one].tab === tab) ?? shared[0]
  if (id === undefined) return undefined
  return isSingle(id) ? { id, page: 'single' } : { id: id as ListKindId, page: 'list' }
}
