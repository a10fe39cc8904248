import type words from '@/locales/en/menu.json'
import type { Authority } from './authority'
import { type KindId, kindIds, kinds, kindsOnPage, listKindIds } from './registry'

/** A key in locales/en/menu.json. */
export type MenuName = keyof typeof words

/** One screen in the menu; `{n}` in a path is the network's number. */
export type MenuEntry = {
  menuId: string
  name: MenuName
  path: string
  authority: readonly Authority[]
  icon: string
  /** What it is to whoever holds not the first of `authority`. */
  lesser?: { name: MenuName; icon: string }
  /** Shown in no menu, but a route of its own (forms, details). */
  hidden?: boolean
  children?: readonly MenuEntry[]
  /** In their order; the first one's address is the page's own. */
  tabs?: readonly MenuTab[]
}

/** A tab of a page: `?tab=<id>`. One of `authority` is enough. */
export type MenuTab = { id: string; authority: readonly Authority[] }

const hidden = (menuId: MenuName, path: string, authority: readonly Authority[]): MenuEntry => ({
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
  const tabs = ids.length > 1 ? ids.map(id => ({ id: kinds[id].tab ?? id, authority: [kinds[id].authority] })) : []
  return [{ menuId: idOf(list), name, path: `/network/{n}/${list}`, authority: readers(ids), icon, tabs }]
})

const settingsForms: readonly MenuEntry[] = listKindIds.map(id => ({
  ...hidden('settings_form', `/network/{n}/${kinds[id].form}`, [kinds[id].authority]),
  menuId: idOf(kinds[id].form),
}))

export const userTabs = [
  { id: 'users', authority: ['organization_users'] },
  { id: 'roles', authority: ['organization_users'] },
  { id: 'companies', authority: ['organization_companies'] },
  { id: 'requests', authority: ['organization_users'] },
] as const satisfies readonly MenuTab[]

export const apiTabs = [
  { id: 'keys', authority: ['organization_api'] },
  { id: 'webhooks', authority: ['organization_api'] },
  { id: 'calls', authority: ['organization_api'] },
  { id: 'metrics', authority: ['organization_api'] },
] as const satisfies readonly MenuTab[]

export const logTabs = [
  { id: 'lines', authority: ['logs'] },
  { id: 'url', authority: ['records'] },
  { id: 'nat', authority: ['records'] },
] as const satisfies readonly MenuTab[]

export const managerTabs = [
  { id: 'general', authority: ['organization_manager'] },
  { id: 'backups', authority: ['organization_manager'] },
  { id: 'mail', authority: ['organization_mail'] },
  { id: 'security', authority: ['organization_security'] },
] as const satisfies readonly MenuTab[]

/** Those of a page's tabs that somebody may open. */
export const openTabs = <T extends MenuTab>(tabs: readonly T[], held: ReadonlySet<Authority>): T[] =>
  tabs.filter(tab => tab.authority.some(name => held.has(name)))

/** The tree of screens that are built, each with the authority it needs (one of the list is enough). */
export const menu: readonly MenuEntry[] = [
  {
    menuId: 'dashboard',
    name: 'dashboard',
    path: '/network/{n}/dashboard',
    authority: ['dashboard'],
    icon: 'dashboard',
    children: [
      hidden('dashboard_form', '/network/{n}/dashboard/form', ['dashboard']),
      hidden('dashboard_speed_test', '/network/{n}/dashboard/speed-test', ['dashboard']),
    ],
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
    menuId: 'clients',
    name: 'clients',
    path: '/network/{n}/clients',
    authority: ['clients'],
    icon: 'clients',
    children: [hidden('clients_detail', '/network/{n}/clients/detail', ['clients'])],
  },
  {
    menuId: 'guests',
    name: 'guests',
    path: '/network/{n}/guests',
    authority: ['guests', 'vouchers'],
    icon: 'guests',
    children: [
      {
        menuId: 'guests_status',
        name: 'guests_status',
        path: '/network/{n}/guests/status',
        authority: ['guests'],
        icon: 'clients',
      },
      {
        menuId: 'guests_voucher',
        name: 'guests_voucher',
        path: '/network/{n}/guests/voucher',
        authority: ['vouchers'],
        icon: 'guests',
      },
      {
        menuId: 'guests_desk',
        name: 'guests_desk',
        path: '/network/{n}/guests/desk',
        authority: ['vouchers_edit'],
        icon: 'phone',
      },
      hidden('guests_voucher_form', '/network/{n}/guests/voucher/form', ['vouchers_edit']),
      hidden('guests_voucher_template', '/network/{n}/guests/voucher/template', ['vouchers_print']),
      hidden('guests_voucher_detail', '/network/{n}/guests/voucher/detail', ['vouchers']),
    ],
  },
  {
    menuId: 'insight',
    name: 'insight',
    path: '/network/{n}/insight',
    authority: ['devices', 'troubleshooting'],
    icon: 'insight',
    children: [
      {
        menuId: 'insight_topology',
        name: 'insight_topology',
        path: '/network/{n}/insight/topology',
        authority: ['devices'],
        icon: 'share',
      },
      {
        menuId: 'insight_troubleshooting',
        name: 'insight_troubleshooting',
        path: '/network/{n}/insight/troubleshooting',
        authority: ['troubleshooting'],
        icon: 'locate',
      },
      hidden('insight_topology_detail', '/network/{n}/insight/topology/detail', ['devices']),
    ],
  },
  {
    menuId: 'alerts',
    name: 'alerts',
    path: '/network/{n}/alerts',
    authority: ['alerts'],
    icon: 'alerts',
    children: [
      hidden('alerts_detail', '/network/{n}/alerts/detail', ['alerts']),
      hidden('alerts_config_form', '/network/{n}/alerts/config/form', ['alerts']),
      hidden('alerts_notice_form', '/network/{n}/alerts/notice/form', ['organization_notices']),
    ],
  },
  {
    menuId: 'logs',
    name: 'logs',
    path: '/network/{n}/insight/logs',
    authority: ['logs', 'records'],
    icon: 'file',
    tabs: logTabs,
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
      hidden('settings_syslog_detail', '/network/{n}/settings/system/syslog/detail', ['settings_system']),
      hidden('settings_staff', '/network/{n}/settings/staff', ['settings_profiles']),
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
    tabs: userTabs,
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
    tabs: apiTabs,
  },
  {
    menuId: 'organization_manager',
    name: 'manager',
    path: '/organization/manager',
    authority: ['organization_manager', 'organization_security'],
    icon: 'manager',
    tabs: managerTabs,
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
