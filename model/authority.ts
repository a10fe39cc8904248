/**
 * What one may be allowed: the one table behind the menu, the buttons and every call (specification section 6). `name`
 * reads, `edits` change; `area` groups features where roles are made. The rights of a `network` feature hold in the
 * networks that a person may enter, all others in the whole organization.
 */
export const features = [
  { name: 'dashboard', edits: ['speed_test'], area: 'network', network: true },
  { name: 'devices', edits: ['devices_edit', 'devices_group_add'], area: 'network', network: true },
  { name: 'devices_logins', edits: ['devices_logins_edit'], area: 'network', network: true },
  { name: 'clients', edits: ['clients_edit'], area: 'network', network: true },
  { name: 'guests', edits: ['guests_remove'], area: 'network', network: true },
  { name: 'vouchers', edits: ['vouchers_edit', 'vouchers_print'], area: 'network', network: true },
  { name: 'alerts', edits: ['alerts_edit'], area: 'network', network: true },
  { name: 'logs', edits: [], area: 'network', network: true },
  { name: 'records', edits: [], area: 'network', network: true },
  { name: 'troubleshooting', edits: ['troubleshooting_run'], area: 'network', network: true },
  { name: 'exports', edits: [], area: 'network', network: true },
  { name: 'metrics', edits: [], area: 'network', network: true },
  { name: 'settings_wifi', edits: ['settings_wifi_edit'], area: 'settings', network: true },
  { name: 'settings_internet', edits: ['settings_internet_edit'], area: 'settings', network: true },
  { name: 'settings_lan', edits: ['settings_lan_edit'], area: 'settings', network: true },
  { name: 'settings_firewall', edits: ['settings_firewall_edit'], area: 'settings', network: true },
  { name: 'settings_profiles', edits: ['settings_profiles_edit'], area: 'settings', network: true },
  { name: 'settings_traffic', edits: ['settings_traffic_edit'], area: 'settings', network: true },
  { name: 'settings_system', edits: ['settings_system_edit'], area: 'settings', network: true },
  { name: 'organization_network', edits: ['organization_network_add'], area: 'organization', network: false },
  { name: 'organization_users', edits: ['organization_users_edit'], area: 'organization', network: false },
  { name: 'organization_notices', edits: ['organization_notices_edit'], area: 'organization', network: false },
  { name: 'organization_changelog', edits: ['organization_changelog_edit'], area: 'organization', network: false },
  { name: 'organization_manager', edits: ['organization_manager_edit'], area: 'organization', network: false },
  { name: 'organization_companies', edits: ['organization_companies_edit'], area: 'organization', network: false },
  { name: 'organization_api', edits: ['organization_api_edit'], area: 'organization', network: false },
  { name: 'organization_mail', edits: ['organization_mail_edit'], area: 'organization', network: false },
  { name: 'organization_directory', edits: ['organization_directory_edit'], area: 'organization', network: false },
  { name: 'organization_security', edits: ['organization_security_edit'], area: 'organization', network: false },
  { name: 'account', edits: [], area: 'account', network: false },
] as const

export type Feature = (typeof features)[number]
export type Authority = Feature['name'] | Feature['edits'][number]
export type Authorities = ReadonlySet<Authority>

const editsOf = (feature: Feature): readonly Authority[] => feature.edits
export const authorities: readonly Authority[] = features.flatMap(one => [one.name, ...editsOf(one)])

/** Of the super administrator alone: who holds one of these holds the manager, or may make themselves hold it. */
const superOnly = new Set<Authority>([
  'organization_security',
  'organization_security_edit',
  'organization_api_edit',
  'organization_manager_edit',
  'organization_companies',
  'organization_companies_edit',
  'organization_mail',
  'organization_mail_edit',
  'organization_directory',
  'organization_directory_edit',
])

/** About the manager as a whole: nobody of another company on it holds them, whatever their role. */
const ofHost: ReadonlySet<string> = new Set<Feature['name']>([
  'organization_companies',
  'organization_directory',
  'organization_mail',
  'organization_manager',
])
const guests = features.filter(one => !ofHost.has(one.name)).flatMap(one => [one.name, ...editsOf(one)])

/** As much of `held` as people hold of a company that is not the manager's own. */
export const asGuest = (held: Authorities): Authorities => new Set(guests.filter(name => held.has(name)))

const reads = features.map(one => one.name)
const platform = authorities.filter(name => !superOnly.has(name))
const network = features.filter(one => one.network).flatMap(one => [one.name, ...editsOf(one)])

/** Own networks are worth nothing without the list of them; changes there are read by who makes them. */
const beside: readonly Authority[] = ['organization_network', 'organization_changelog', 'account']

/** How far a network is shared: reading alone, or all that those do whose it is. */
export const shareAccesses = ['read', 'manage'] as const
export type ShareAccess = (typeof shareAccesses)[number]

/** Of whose a network is, however far they share it. */
const ofOwners: ReadonlySet<Authority> = new Set(['devices_logins', 'devices_logins_edit', 'records'])

/** As much of `held` as counts in a network that another organization shares. */
export const inShared = (held: Authorities, access: ShareAccess): Authorities =>
  new Set(
    network.filter(
      name => held.has(name) && !ofOwners.has(name) && (access === 'manage' || reads.some(read => read === name)),
    ),
  )

/** What of `held` counts while such a network is on the screen: there as in `inShared`, else as ever. */
export const besideShared = (held: Authorities, access: ShareAccess): Authorities => {
  const inside = inShared(held, access)
  return new Set([...held].filter(name => inside.has(name) || !network.some(own => own === name)))
}

/** To whom a network is offered (rule S6). */
export const receivingRoles: readonly string[] = ['superAdministrator', 'platformAdministrator'] satisfies BuiltInRole[]

/** What the front desk does. */
const desk: readonly Authority[] = [
  'clients',
  'guests',
  'guests_remove',
  'vouchers',
  'vouchers_edit',
  'vouchers_print',
  'account',
]

/** What people did on the network is for who answers for it: of the roles that everybody knows, no other one sees it. */
const ofAdministrators: ReadonlySet<Authority> = new Set(['records'])
const onlyReads = (held: readonly Authority[]): Authority[] =>
  held.filter(name => reads.some(read => read === name) && !ofAdministrators.has(name))

/** Roles that every organization has. */
const builtIn = {
  superAdministrator: authorities,
  platformAdministrator: platform,
  platformReadOnly: onlyReads(platform),
  networkAdministrator: [...network, ...beside, 'organization_users', 'organization_users_edit'],
  networkReadOnly: [...onlyReads(network), ...beside],
  guestAdministrator: [...desk, 'clients_edit', 'exports', ...beside, 'organization_users', 'organization_users_edit'],
  guestEditor: desk,
} as const satisfies Record<string, readonly Authority[]>
/** All that people hold who are there for guests alone. */
const ofDesk: ReadonlySet<Authority> = new Set([...desk, 'exports'])
/** Who sells vouchers and has nothing to do but with guests begins at the front desk. */
export const isAtDesk = (held: Authorities): boolean =>
  held.has('vouchers_edit') && [...held].every(name => ofDesk.has(name))

export type BuiltInRole = keyof typeof builtIn
export const builtInRoles = Object.keys(builtIn) as BuiltInRole[]
export const isBuiltIn = (role: string): role is BuiltInRole => Object.hasOwn(builtIn, role)

export const authoritiesOf = (role: BuiltInRole): Authorities => new Set(builtIn[role])

/**
 * What sends out of every network, and counts only with those who enter all of them: others would have alerts of
 * networks told to them that they may not see.
 */
const ofEverywhere: ReadonlySet<Authority> = new Set(['organization_notices_edit'])
/** As much of `held` as counts with who enters all networks, or some. */
export const withinReach = (held: Authorities, networks: 'all' | ReadonlySet<number>): Authorities =>
  networks === 'all' ? held : new Set([...held].filter(name => !ofEverywhere.has(name)))

/** Roles of the whole organization: whoever has one enters every network, also those made later. */
const everywhere: ReadonlySet<string> = new Set<BuiltInRole>([
  'superAdministrator',
  'platformAdministrator',
  'platformReadOnly',
])
export const entersAll = (role: string): boolean => everywhere.has(role)

/** What nobody can put into a role of their own making. */
export const isSuperOnly = (name: Authority): boolean => superOnly.has(name)

/**
 * What a custom role holds by a list of names: what this version does not know, or the super administrator's alone, is
 * dropped, an edit brings what reads it, the own account is everybody's.
 */
export function completed(names: readonly string[]): Authority[] {
  const wanted = new Set(names.filter(name => !superOnly.has(name as Authority)))
  return features.flatMap(one => {
    const edits = editsOf(one).filter(name => wanted.has(name))
    return edits.length || wanted.has(one.name) || one.name === 'account' ? [one.name, ...edits] : []
  })
}

/** Is all of `wanted` in `held`? */
export const holdsAll = (held: Authorities, wanted: Iterable<Authority>): boolean =>
  [...wanted].every(name => held.has(name))

/** Of whom these make people: of no other role, though they hold as much (specification section 6). */
const makes: Readonly<Record<string, readonly string[]>> = {
  networkAdministrator: ['guestAdministrator', 'guestEditor'],
  guestAdministrator: ['guestEditor'],
} satisfies Partial<Record<BuiltInRole, readonly BuiltInRole[]>>

type Giver = { role: string; authorities: Authorities; networks: 'all' | ReadonlySet<number> }

/**
 * May `giver` put somebody into a role? Never into one above their own, never into the super administrator's
 * (specification section 6).
 */
export function mayGive(giver: Giver, role: { id: string; authorities: Iterable<Authority> }): boolean {
  if (role.id === 'superAdministrator' || !giver.authorities.has('organization_users_edit')) return false
  const below = makes[giver.role]
  if (below) return below.includes(role.id)
  if (giver.networks !== 'all' && entersAll(role.id)) return false
  // One's own account is everybody's, but for API keys, which may make people all the same.
  return holdsAll(
    giver.authorities,
    [...role.authorities].filter(name => name !== 'account'),
  )
}
