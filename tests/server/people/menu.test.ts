// What a console asks first: init info, menu, rights and account, as the specification names their fields.
import { codes } from '@/model/codes'
import type { MenuItem } from '@/server/people/access/menu'
import { company } from '../_company'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person, role, sharedNetwork } from '../_people'

let manager: Manager
let owner: Browser

beforeEach(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const menuOf = async (browser: Browser, of: object = {}) => {
  const { retCode, data } = await browser.post('menu', of)
  return { retCode, menus: (data.menus ?? []) as MenuItem[], network: data.network as { id: number } | null }
}
const entry = (menus: readonly MenuItem[], id: string): MenuItem | undefined =>
  menus.flatMap(one => [one, ...one.children]).find(one => one.menuId === id)

test('each entry carries its network, its parent and its tabs with what they need', async () => {
  const { menus } = await menuOf(owner)
  expect(entry(menus, 'devices')).toMatchObject({ networkId: 1, parent: null, tabs: [] })
  expect(entry(menus, 'devices_detail')?.parent).toEqual({ menuId: 'devices', path: '/network/1/devices' })
  expect(entry(menus, 'organization_users')).toMatchObject({
    networkId: null,
    tabs: [
      { id: 'users', path: '/organization/users', authority: ['organization_users'], tabs: [] },
      { id: 'roles', path: '/organization/users?tab=roles', authority: ['organization_users'], tabs: [] },
      { id: 'companies', path: '/organization/users?tab=companies', authority: ['organization_companies'], tabs: [] },
      { id: 'requests', path: '/organization/users?tab=requests', authority: ['organization_users'], tabs: [] },
    ],
  })
  const wifi = entry(menus, 'settings_wifi')?.tabs.map(tab => [tab.id, tab.path])
  expect(wifi?.slice(0, 2)).toEqual([
    ['ssid', '/network/1/settings/wifi'],
    ['radio', '/network/1/settings/wifi?tab=radio'],
  ])
})

test('a tab that somebody may not open is none of theirs', async () => {
  const admin = await person(manager, { role: 'platformAdministrator' })
  const { menus } = await menuOf(admin)
  expect(entry(menus, 'organization_users')?.tabs.map(tab => tab.id)).toEqual(['users', 'roles', 'requests'])
})

test('the menu of a network that is named leads to that one; of what is shared to read, without what changes', async () => {
  const shop = network(manager, 'Shop')
  expect((await menuOf(owner, { network: shop })).network).toMatchObject({ id: shop, access: 'own' })
  expect(entry((await menuOf(owner, { network: shop })).menus, 'devices')?.path).toBe(`/network/${shop}/devices`)
  const beta = await company(manager, owner, 'Beta Ltd', 'betahead')
  const lent = sharedNetwork(manager, 'Lent', beta.id, 1, 'read')
  const shown = await menuOf(owner, { network: lent })
  expect(shown.network).toMatchObject({ id: lent, access: 'read' })
  expect(entry(shown.menus, 'devices')).toBeDefined()
  expect(entry(shown.menus, 'devices_group_form')).toBeUndefined()
  expect(entry(shown.menus, 'organization_users')).toBeDefined()
  expect((await menuOf(owner, { network: 999 })).retCode).toBe(codes.networkNotFound)
})

test('a network that is handed over is told by its key, to whoever may take it, and to nobody else', async () => {
  const beta = await company(manager, owner, 'Beta Ltd', 'betahead')
  const shop = network(manager, 'Shop')
  await owner.post('networks/transfer/start', { networkId: shop, account: 'betahead' })
  const { data } = await beta.head.post('networks/transfer/list')
  const [offer] = data.received as { transferKey: string }[]
  const transferKey = offer?.transferKey ?? ''
  const shown = await menuOf(beta.head, { transferKey })
  expect(shown.network).toMatchObject({ id: shop, access: 'own' })
  expect(entry(shown.menus, 'devices')?.path).toBe(`/network/${shop}/devices`)
  for (const list of ['countries', 'timezones'])
    expect((await beta.head.post(list, { transferKey })).data.current).toMatch(/^PT$|^Europe/)
  for (const browser of [owner, await person(manager, { role: 'networkReadOnly', organization: beta.id })])
    expect((await menuOf(browser, { transferKey })).retCode).toBe(codes.networkNotFound)
  expect((await owner.post('countries')).data.current).toBeUndefined()
  expect((await owner.post('countries', { networkId: 1 })).data.current).toBeDefined()
})

test('the rights come with the time options, the init info and the enterprise setting', async () => {
  const { data } = await owner.post('auth/authority')
  expect(data.initialInfo).toEqual({ account_domain: '', localDeploy: 1, setup_wizard: '1' })
  expect(data.timeOption).toMatchObject({ format: 'yyyy-MM-dd', hour: 24, hours: [12, 24] })
  expect((data.timeOption as { formats: string[] }).formats).toHaveLength(8)
  expect(data.enterpriseSetting).toMatchObject({ forceMfa: false, syncTimeouts: true, signUp: false })
  expect((await owner.post('init-info')).data).toMatchObject(data.initialInfo as object)
})

test('account info has every field that the specification names', async () => {
  const { data } = await owner.post('account/info')
  const named = [
    ...['username', 'account', 'email', 'company', 'region', 'regionUrl', 'networkId', 'system', 'locale', 'register'],
    ...['upgradeTip', 'managerUpgradeTip', 'transferNetworkRole', 'localDeploy', 'timeFormat', 'timezone', 'role'],
    ...['selectNetwork', 'pageAuthority', 'isGuestCountShowInDashboard', 'isShowTopWebsitesInReport', 'gwn702x'],
    ...['enterpriseSetting', 'appearance', 'autoAddSsid', 'special'],
  ]
  expect(named.filter(name => data[name] === undefined)).toEqual([])
  expect(data).toMatchObject({ networkId: 1, transferNetworkRole: 1, localDeploy: 1, system: 'networking' })
  const looker = await person(manager, { role: role(manager, 'Cables', ['settings_lan']), networks: [1] })
  expect((await looker.post('account/info')).data).toMatchObject({
    networkId: 1,
    transferNetworkRole: 0,
    pageAuthority: ['settings_lan', 'account'],
  })
})
