import { firstPath, isKept, networkIn, trailTo } from '@/app/(console)/_shell/menu-tree'
import { type MenuEntry, menu } from '@/model/menu'
import type { MenuItem } from '@/server/people/access/menu'

const item = (entry: MenuEntry): MenuItem => ({
  menuId: entry.menuId,
  pathId: entry.path,
  name: entry.name,
  path: entry.path.replace('{n}', '1'),
  icon: entry.icon,
  hasChild: false,
  hidden: entry.hidden ?? false,
  authority: [],
  networkId: null,
  parent: null,
  tabs: [],
  children: (entry.children ?? []).map(item),
})
const menus = menu.map(item)
const trail = (path: string) => trailTo(menus, path, 7).map(entry => entry.menuId)

test.each([
  ['/network/7/dashboard', ['dashboard']],
  ['/network/7/devices/detail', ['devices', 'devices_detail']],
  ['/network/7/settings/wifi', ['settings', 'settings_wifi']],
  ['/network/7/settings/wifi/form', ['settings', 'settings_wifi', 'settings_wifi_form']],
  ['/organization/overview/form', ['organization_network', 'organization_network_add']],
  ['/network/8/dashboard', []],
])('the way to %s', (path, expected) => expect(trail(path)).toEqual(expected))

test('the network of an address, and the first screen', () => {
  expect(networkIn('/network/12/devices')).toBe(12)
  expect(networkIn('/network/12x/devices')).toBeNull()
  expect(firstPath(menus, 7)).toBe('/network/7/dashboard')
})

test.each([
  ['/network/7/devices', 'q=ap&status=0', true],
  ['/network/9/settings/wifi', 'tab=radio', true],
  ['/network/7/devices', 'group=3', true],
  ['/organization/users', 'tab=roles', true],
  ['/network/7/settings/wifi', 'tab=radio&device=4', false],
  ['/network/7/devices/detail', 'id=4', false],
  ['/network/7/settings/wifi/form', '', false],
  ['/router/processing', '', false],
])('the page %s?%s comes back as it was left: %j', (path, query, kept) => expect(isKept(menus, path, query)).toBe(kept))
