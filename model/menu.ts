import type { Authority } from './authority'

/** One screen in the menu. `name` is a key in locales/en/menu.json; `{n}` in a path is the network's number. */
export type MenuEntry = {
  menuId: string
  name: string
  path: string
  authority: readonly Authority[]
  icon: string
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
      hidden('devices_form', '/network/{n}/devices/form', ['devices_edit']),
      hidden('devices_group_form', '/network/{n}/devices/group/form', ['devices_group_add']),
    ],
  },
  {
    menuId: 'alerts',
    name: 'alerts',
    path: '/network/{n}/alerts',
    authority: ['alerts'],
    icon: 'alerts',
    children: [hidden('alerts_notice_form', '/network/{n}/alerts/notice/form', ['alerts_edit'])],
  },
  {
    menuId: 'settings',
    name: 'settings',
    path: '/network/{n}/settings',
    authority: ['settings_wifi'],
    icon: 'settings',
    children: [
      {
        menuId: 'settings_wifi',
        name: 'wifi',
        path: '/network/{n}/settings/wifi',
        authority: ['settings_wifi'],
        icon: 'wifi',
      },
      hidden('settings_wifi_form', '/network/{n}/settings/wifi/form', ['settings_wifi_edit']),
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
    menuId: 'organization_manager',
    name: 'manager',
    path: '/organization/manager',
    authority: ['organization_manager'],
    icon: 'manager',
  },
  {
    menuId: 'account_settings',
    name: 'account_settings',
    path: '/account/settings',
    authority: ['account'],
    icon: 'user',
  },
  { menuId: 'about', name: 'about', path: '/account/about', authority: ['account'], icon: 'info' },
]
