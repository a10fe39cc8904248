import type { Authority } from './authority'
import { type KindId, kindIds, kinds, kindsOnPage, listKindIds } from './registry'

/** One screen in the menu. `name` is a key in locales/en/menu.json; `{n}` in a path is the network's number. */
export type MenuEntry = {
  menuId: string
  name: string
  path: string
  authority: readonly Authority[]
  icon: string
  /** What it is to whoever holds not the first of `authority`. */
  lesser?: { name: string; icon: string }
  /** Shown in no menu, but a route of its own (forms, details). */
  hidden?: boolean
  children?: readonly MenuEntry[]
}

const hidden = (menuId: string, path: string, authority: readonly Authority[]): MenuEntry => ({
  menuId,
  name: menuId,
  path,
  authority,
  icon: '',
  hidden: true,
})

/** Settings pages in the menu's order with their icons. A page stands in the menu when a kind of the registry lies on it. */
const settingsPages = [
  ['wifi', 'wifi'],
  ['lan', 'networks'],
  ['internet', 'globe'],
  ['vpn', 'lock'],
  ['traffic', 'gateway'],
  ['firewall', 'firewall'],
  ['profiles', 'tag'],
  ['system', 'manager'],
] as const

const idOf = (path: string) => path.replaceAll('/', '_')
const readers = (ids: readonly KindId[]): Authority[] => [...new Set(ids.map(id => kinds[id].authority))]

const settingsEntries: readonly MenuEntry[] = settingsPages.flatMap(([name, icon]) => {
  const list = `settings/${name}`
  const ids = kindsOnPage(list)
  if (!ids.length) return []
  return [{ menuId: idOf(list), name, path: `/network/{n}/${list}`, authority: readers(ids), icon }]
})

const settingsForms: readonly MenuEntry[] = listKindIds.map(id => ({
  ...hidden(idOf(kinds[id].form), `/network/{n}/${kinds[id].form}`, [kinds[id].authority]),
  name: 'settings_form',
}))

/** The tree of screens that are built, each with the authority it needs (one of the list is enough). */
export const menu: readonly MenuEntry[] = [
  {
    menuId: 'dashboard',
    name: 'dashboard',
    path: '/network/{n}/dashboard',
    authority: ['dashboard'],
    icon: 'dashboard',
  },
  {
    menuId: 'devices',
    name: 'devices',
    path: '/network/{n}/devices',
    authority: ['devices'],
    icon: 'devices',
    children: [
      hidden('devices_detail', '/network/{n}/devices/detail', ['devices']),
      hidden('devices_form', '/network/{n}/devices/form', ['devices_edit', 'devices_logins']),
      hidden('devices_group_form', '/network/{n}/devices/group/form', ['devices_group_add']),
    ],
  },
  {
    menuId: 'alerts',
    name: 'alerts',
    path: '/network/{n}/alerts',
    authority: ['alerts'],
    icon: 'alerts',
    children: [hidden('alerts_notice_form', '/network/{n}/alerts/notice/form', ['organization_notices'])],
  },
  {
    menuId: 'settings',
    name: 'settings',
    path: '/network/{n}/settings',
    authority: readers(kindIds),
    icon: 'settings',
    children: [
      ...settingsEntries,
      ...settingsForms,
      hidden('settings_review', '/network/{n}/settings/review', ['devices']),
    ],
  },
  {
    menuId: 'organization_network',
    name: 'networks',
    path: '/organization/network',
    authority: ['organization_network'],
    icon: 'networks',
    children: [hidden('organization_network_add', '/organization/overview/form', ['organization_network_add'])],
  },
  {
    menuId: 'organization_users',
    name: 'users',
    path: '/organization/users',
    authority: ['organization_users'],
    icon: 'clients',
    children: [
      hidden('roles_form', '/organization/users/roles/form', ['organization_users']),
      hidden('saml_form', '/organization/users/saml/form', ['organization_security']),
      hidden('ldap_form', '/organization/users/ldap/form', ['organization_directory']),
    ],
  },
  {
    menuId: 'organization_api',
    name: 'api',
    path: '/organization/api',
    authority: ['organization_api'],
    icon: 'terminal',
  },
  {
    menuId: 'organization_manager',
    name: 'manager',
    path: '/organization/manager',
    authority: ['organization_manager', 'organization_security'],
    icon: 'manager',
    lesser: { name: 'security', icon: 'lock' },
  },
  {
    menuId: 'organization_changelog',
    name: 'changelog',
    path: '/organization/changelog',
    authority: ['organization_changelog'],
    icon: 'history',
  },
  {
    menuId: 'account_settings',
    name: 'account_settings',
    path: '/account/settings',
    authority: ['account'],
    icon: 'user',
  },
  { menuId: 'guide', name: 'guide', path: '/account/guide', authority: ['account'], icon: 'check' },
  { menuId: 'feedback', name: 'feedback', path: '/account/feedback', authority: ['account'], icon: 'edit' },
  { menuId: 'help', name: 'help', path: '/account/help', authority: ['account'], icon: 'help' },
  { menuId: 'about', name: 'about', path: '/account/about', authority: ['account'], icon: 'info' },
]
