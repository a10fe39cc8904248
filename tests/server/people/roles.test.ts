import { desc, eq } from 'drizzle-orm'
import { isDenied } from '@/app/(console)/_shell/menu-tree'
import { type Feature, heldWith, lacking, presetLevels } from '@/app/(console)/organization/_parts/levels'
import { accounts, changelog, devices, groups, roles } from '@/db/schema'
import { rolePresets } from '@/model/authority-presets'
import { codes } from '@/model/codes'
import type { BusEvent } from '@/server/kernel/bus'
import { mayReceive } from '@/server/people/access/access'
import type { MenuItem } from '@/server/people/access/menu'
import { actorOf } from '@/server/people/accounts/actor'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person, role, signedIn } from '../_people'

let manager: Manager
let owner: Browser
const here = 1
let other: number
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  other = network(manager, 'Other house')
})
afterAll(() => manager.stop())

const logged = () => {
  const row = manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).limit(1).get()
  return row && { ...row, fields: JSON.parse(row.fields) as unknown }
}
type Role = { id: string; name: string; authorities: string[]; holders: number; givable: boolean; editable: boolean }
const rolesFor = async (browser: Browser) => (await browser.post('roles/list')).data.result as Role[]

describe('roles of one’s own making', () => {
  test('are made of features: an edit brings what reads it; changes stand in the log with before and after', async () => {
    const made = await owner.post('roles/save', { name: 'Wi-Fi people', authorities: ['settings_wifi_edit'] })
    expect(made).toMatchObject({ retCode: 0, data: { id: expect.stringMatching(/^custom:\d+$/) } })
    const held = ['settings_wifi', 'settings_wifi_edit', 'account']
    expect((await rolesFor(owner)).find(one => one.id === made.data.id)).toMatchObject({
      ...{ name: 'Wi-Fi people', authorities: held, builtIn: false },
      ...{ holders: 0, givable: true, editable: true },
    })
    expect(logged()).toMatchObject({ action: 'add', object: 'role', fields: { authorities: [null, held] } })
    await owner.post('roles/save', { id: made.data.id, name: 'Wi-Fi watchers', authorities: ['settings_wifi'] })
    expect(logged()).toMatchObject({
      ...{ action: 'edit', name: 'Wi-Fi watchers' },
      fields: { name: ['Wi-Fi people', 'Wi-Fi watchers'], authorities: [held, ['settings_wifi', 'account']] },
    })
    expect(await owner.post('roles/delete', { id: made.data.id })).toMatchObject({ retCode: 0 })
    expect((await rolesFor(owner)).some(one => one.id === made.data.id)).toBe(false)
  })

  test.each([
    ['no name', { name: ' ', authorities: ['dashboard'] }, codes.invalidInput, 'name'],
    ['a name too long', { name: 'x'.repeat(65), authorities: ['dashboard'] }, codes.invalidInput, 'name'],
    ['a name in use, whatever its case', { name: 'TAKEN', authorities: ['dashboard'] }, codes.roleNameExists, 'name'],
    ['no content', { name: 'Empty', authorities: [] }, codes.invalidInput, 'authorities'],
    ['the own account alone', { name: 'Empty', authorities: ['account'] }, codes.invalidInput, 'authorities'],
    ['an unknown feature', { name: 'Odd', authorities: ['flying'] }, codes.invalidInput, 'authorities'],
    [
      'the super administrator’s alone',
      { name: 'Odd', authorities: ['dashboard', 'organization_security'] },
      codes.roleAboveOwn,
      'authorities',
    ],
  ])('%s is refused at its field', async (_what, input, code, field) => {
    if (!(await rolesFor(owner)).some(one => one.name === 'Taken')) role(manager, 'Taken', ['dashboard'])
    const before = manager.runtime.db.select().from(roles).all().length
    const answer = await owner.post('roles/save', input)
    expect(answer.retCode).toBe(code)
    expect(Object.keys(answer.data.fields as object)).toEqual([field])
    expect(manager.runtime.db.select().from(roles).all()).toHaveLength(before)
  })

  test('S5: one in use is not deleted, and who has it is named', async () => {
    const used = role(manager, 'Used', ['dashboard'])
    const { account } = await person(manager, { role: used })
    const answer = await owner.post('roles/delete', { id: used })
    expect(answer).toMatchObject({ retCode: codes.roleInUse, data: { name: 'Used', users: account.account } })
  })

  test('a change ends the sessions of who has it; a new name does not', async () => {
    const watching = role(manager, 'Watching', ['dashboard', 'organization_network'])
    const watcher = await person(manager, { role: watching, networks: [here] })
    await owner.post('roles/save', {
      id: watching,
      name: 'Watchers',
      authorities: ['dashboard', 'organization_network'],
    })
    expect((await watcher.post('networks/list')).retCode).toBe(0)
    await owner.post('roles/save', { id: watching, name: 'Watchers', authorities: ['dashboard'] })
    expect((await watcher.post('networks/list')).status).toBe(401)
    const again = await signedIn(manager, watcher.account)
    expect((await again.post('networks/list')).retCode).toBe(codes.noAuthority)
  })

  test('nobody makes, changes or gives a role above their own', async () => {
    const mine = role(manager, 'People', ['organization_users_edit', 'dashboard', 'settings_lan'])
    const above = role(manager, 'Above', ['settings_lan_edit'])
    const maker = await person(manager, { role: mine, all: true })
    const edit = { name: 'More', authorities: ['settings_lan_edit'] }
    expect((await maker.post('roles/save', edit)).retCode).toBe(codes.roleAboveOwn)
    expect((await maker.post('roles/save', { ...edit, id: above, authorities: ['dashboard'] })).retCode).toBe(
      codes.roleAboveOwn,
    )
    expect((await maker.post('roles/delete', { id: above })).retCode).toBe(codes.roleAboveOwn)
    expect((await maker.post('roles/save', { name: 'Less', authorities: ['settings_lan'] })).retCode).toBe(0)
    const given = (await maker.post('roles/types')).data.result as Role[]
    expect(given.map(one => one.name)).toEqual(['Less', 'People', 'Watchers', ...['Taken', 'Used']].toSorted())
  })

  test.each([
    ['who holds everything', undefined],
    ['who holds little', ['organization_users_edit', 'dashboard', 'devices', 'settings_wifi_edit', 'vouchers_edit']],
  ])('every preset makes a role of %s, of no more than they hold', async (who, rights) => {
    const own = rights ? role(manager, `Maker ${who}`, rights) : 'platformAdministrator'
    const maker = await person(manager, { role: own, all: true })
    const held = new Set((await maker.post('auth/authority')).data.authorities as string[])
    const features = ((await maker.post('roles/tree')).data.result as { features: Feature[] }[]).flatMap(
      area => area.features,
    )
    for (const preset of rolePresets) {
      const authorities = heldWith(features, [], presetLevels(preset, features))
      expect(authorities.filter(name => !held.has(name))).toEqual([])
      const name = `${preset.id} ${who}`
      expect(await maker.post('roles/save', { name, authorities })).toMatchObject({ retCode: 0 })
      const made = (await rolesFor(maker)).find(one => one.name === name)
      expect(made?.authorities.toSorted()).toEqual([...authorities, 'account'].toSorted())
      // In full where nothing is lacking.
      expect(lacking(preset, features).length > 0).toBe(rights !== undefined)
      await maker.post('roles/delete', { id: made?.id })
    }
  })

  test.each([
    [
      'superAdministrator',
      [
        'platformAdministrator',
        'platformReadOnly',
        'networkAdministrator',
        'networkReadOnly',
        'guestAdministrator',
        'guestEditor',
      ],
    ],
    [
      'platformAdministrator',
      [
        'platformAdministrator',
        'platformReadOnly',
        'networkAdministrator',
        'networkReadOnly',
        'guestAdministrator',
        'guestEditor',
      ],
    ],
    ['networkAdministrator', ['guestAdministrator', 'guestEditor']],
    ['guestAdministrator', ['guestEditor']],
  ])('%s gives these of the built-in roles', async (name, expected) => {
    const giver = await person(manager, { role: name, networks: [here] })
    const given = (await giver.post('roles/types')).data.result as { name: string; builtIn: boolean }[]
    expect(given.filter(one => one.builtIn).map(one => one.name)).toEqual(expected)
    if (name === 'networkAdministrator') expect(given).toHaveLength(2)
  })

  test('alerts are sent out by who enters every network alone: others would be told of networks that they may not see', async () => {
    const teller = role(manager, 'Tellers', ['organization_notices', 'organization_notices_edit'])
    const notice = { mode: 'off', mail: '' }
    const target = { fields: { name: 'Chat', service: 'ntfy', topic: 'alerts' } }
    for (const [of, refused] of [
      [{ networks: [here] }, true],
      [{ all: true }, false],
    ] as const) {
      const one = await person(manager, { role: teller, ...of })
      const answers = [await one.post('alerts/notice/save', notice), await one.post('alerts/targets/save', target)]
      for (const { retCode } of answers) expect(retCode === codes.noAuthority).toBe(refused)
      expect((await one.post('alerts/notice/query')).retCode).toBe(0)
    }
  })

  test('one that is gone, broken, or of another organization allows nothing', async () => {
    const foreign = role(manager, 'Foreign', ['dashboard'], organization(manager, 'Foreigners'))
    const broken = role(manager, 'Broken', [])
    manager.runtime.db.update(roles).set({ authorities: '{"x"' }).where(eq(roles.name, 'Broken')).run()
    for (const name of ['custom:999999', 'custom:x', 'nonsense', 'constructor', '', foreign, broken]) {
      const someone = await person(manager, { role: name, all: true })
      expect([name, (await someone.post('dashboard/alerts')).retCode]).toEqual([name, codes.noAuthority])
    }
  })
})

describe('own networks', () => {
  test('are all that a network administrator lists, opens and lands in', async () => {
    const mine = await person(manager, { role: 'networkAdministrator', networks: [other] })
    const names = async (path: string) => JSON.stringify((await mine.post(path)).data)
    for (const path of ['networks/options', 'networks/list']) {
      expect(await names(path)).toContain('Other house')
      expect(await names(path)).not.toContain('Harbour House')
    }
    expect((await mine.post('menu')).data.network).toEqual({ id: other, name: 'Other house', access: 'own' })
    const gone = { retCode: codes.networkNotFound, data: { networkId: other } }
    expect(await mine.post('devices/list', { networkId: here })).toMatchObject(gone)
    expect(await mine.post('devices/list', { networkId: 4711 })).toMatchObject(gone)
    expect(await mine.post('networks/switch', { networkId: here })).toMatchObject(gone)
    expect((await mine.post('networks/export', { id: other })).retCode).toBe(0)
    expect((await mine.post('networks/export', { id: here })).retCode).toBe(codes.networkNotFound)
  })

  test('nobody without a network sees pages of one', async () => {
    const nobody = await person(manager, { role: 'networkReadOnly' })
    const { menus, network: shown } = (await nobody.post('menu')).data as {
      menus: { path: string }[]
      network: unknown
    }
    expect(shown).toBeNull()
    expect(menus.map(item => item.path).filter(path => path.startsWith('/network'))).toEqual([])
    expect(await nobody.post('dashboard/alerts')).toMatchObject({
      ...{ retCode: codes.networkNotFound, data: { networkId: null } },
    })
  })

  test('who edits devices alone opens the review of changes, below settings that are not theirs', async () => {
    const mine = await person(manager, { role: role(manager, 'Hands', ['devices', 'devices_edit']), networks: [here] })
    const { menus, denied } = (await mine.post('menu')).data as { menus: MenuItem[]; denied: string[] }
    const isOpen = (path: string) => !isDenied(`/network/${here}/${path}`, here, menus, denied)
    expect(['devices', 'settings/review', 'settings', 'settings/wifi', 'alerts'].filter(isOpen)).toEqual([
      'devices',
      'settings/review',
    ])
    expect(
      menus.filter(entry => !entry.hidden && !entry.path.startsWith('/account')).map(entry => entry.menuId),
    ).toEqual(['devices', 'insight'])
  })

  test('whoever makes a network enters it, and orders only what they see', async () => {
    const maker = role(manager, 'Maker', ['organization_network_add', 'dashboard'])
    const mine = await person(manager, { role: maker, networks: [other] })
    const place = { country: 'PT', timezone: 'Europe/Lisbon' }
    const { data } = await mine.post('networks/add', { networkName: 'Third house', ...place })
    const own = async () => ((await mine.post('networks/options')).data.result as { value: number }[]).map(n => n.value)
    expect(await own()).toEqual([other, data.id])
    const whole = async () =>
      ((await owner.post('networks/options')).data.result as { label: string }[]).map(n => n.label)
    expect(await whole()).toEqual(['Harbour House', 'Other house', 'Third house'])
    expect((await mine.post('networks/sort', { ids: [data.id, other] })).retCode).toBe(0)
    expect(await whole()).toEqual(['Harbour House', 'Third house', 'Other house'])
    expect((await mine.post('networks/sort', { ids: [data.id, other, here] })).retCode).toBe(codes.invalidInput)
  })

  test('what happened elsewhere is not heard', async () => {
    const { account } = await person(manager, { role: 'networkReadOnly', networks: [other] })
    const { db } = manager.runtime
    const row = db.select().from(accounts).where(eq(accounts.id, account.id)).get()
    const actor = row && actorOf(db, row, { id: '', network: null })
    const heard = (event: Omit<BusEvent, 'topic'>) =>
      actor && mayReceive(manager.runtime.db, actor, { topic: 'devices', ...event })
    expect(heard({ organization: 1, network: other })).toBe(true)
    expect(heard({ organization: 1, network: here })).toBe(false)
    expect(heard({ organization: 1 })).toBe(true)
    expect(heard({ organization: 2 })).toBe(false)
  })
})

test('who sets settings without reading devices chooses devices by name, in their networks alone', async () => {
  const { db } = manager.runtime
  const [near, far] = ['near', 'far'].map(name => {
    const place = network(manager, `House ${name}`)
    db.insert(groups)
      .values({ organization: 1, network: place, name: `floor ${name}`, createdAt: 1 })
      .run()
    const found = { driver: 'snmp', kind: 'ap', status: 0, statusAt: 1, createdAt: 1 } as const
    const address = { address: `127.9.8.${place}`, port: 9 }
    db.insert(devices)
      .values({ ...found, ...address, organization: 1, network: place, name: `ap ${name}` })
      .run()
    return place
  })
  const editing = role(manager, 'Only Wi-Fi', ['settings_wifi_edit'])
  const mine = await person(manager, { role: editing, networks: [near as number] })
  expect((await mine.post('settings/targets', { networkId: near })).data).toEqual({
    groups: [{ id: expect.any(Number), name: 'floor near' }],
    devices: [{ id: expect.any(Number), name: 'ap near' }],
    ...{ chosen: [], total: 1 },
  })
  expect((await mine.post('devices/list', { networkId: near })).retCode).toBe(codes.noAuthority)
  expect((await mine.post('settings/targets', { networkId: far })).retCode).toBe(codes.networkNotFound)
  const none = await person(manager, { role: role(manager, 'Alerts alone', ['alerts']), networks: [near as number] })
  expect((await none.post('settings/targets', { networkId: near })).retCode).toBe(codes.noAuthority)
})
