/**
 * Authorities: what a role may do. The one table behind the menu, the buttons and every call (specification section 6).
 * A name ending in `_edit` changes things, its stem reads them.
 */
export const authorities = [
  'dashboard',
  'dashboard_edit',
  'devices',
  'devices_edit',
  'devices_group_add',
  'clients',
  'alerts',
  'alerts_edit',
  'settings_wifi',
  'settings_wifi_edit',
  'settings_internet',
  'settings_internet_edit',
  'settings_lan',
  'settings_lan_edit',
  'settings_firewall',
  'settings_firewall_edit',
  'settings_profiles',
  'settings_profiles_edit',
  'settings_traffic',
  'settings_traffic_edit',
  'settings_system',
  'settings_system_edit',
  'organization_network',
  'organization_network_add',
  'organization_manager',
  'organization_manager_edit',
  'account',
] as const
export type Authority = (typeof authorities)[number]

export const roles = ['superAdministrator'] as const
export type Role = (typeof roles)[number]

const granted: Record<Role, ReadonlySet<Authority>> = { superAdministrator: new Set(authorities) }

/** What a role may do; a role this version does not know may do nothing. */
export const authoritiesOf = (role: string): ReadonlySet<Authority> => granted[role as Role] ?? new Set()
