// Networks between two companies on one manager, over the calls.
import { eq, isNotNull } from 'drizzle-orm'
import {
  accountNetworks,
  accounts,
  alerts,
  certificates,
  credentials,
  deployments,
  devices,
  documents,
  groups,
  mails,
  networks,
  organizations,
} from '@/db/schema'
import { authorities } from '@/model/authority'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { mailServer } from '@/model/mail/server'
import { startDiscoveries } from '@/server/devices/adoption/discovery'
import type { BusEvent } from '@/server/kernel/bus'
import { startMail } from '@/server/mail/start'
import { mayReceive } from '@/server/people/access/access'
import { until } from '../../lab/_lab'
import { type Company, company } from '../_company'
import { saveMailServer } from '../_mail-server'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { keyed, network, person, role } from '../_people'
import { decoded, smtpServer } from '../_smtp'

let manager: Manager
let owner: Browser
let beta: Company
/** A network of the manager's own company; its first one is the default. */
let shop: number
let ownerAccount: string

beforeEach(async () => {
  manager = await startTestManager({ starters: [startDiscoveries] })
  owner = await finishedWizard(manager)
  ownerAccount = String((await owner.post('account/info')).data.account)
  beta = await company(manager, owner, 'Beta Ltd', 'betahead')
  shop = network(manager, 'Shop')
})
afterEach(() => manager.stop())

const share = (access = 'read', account = 'betahead') =>
  owner.post('networks/share/add', { networkId: shop, account, access })
const accept = (...networkIds: number[]) => beta.head.post('networks/share/accept', { networkIds })
type Option = { value: number; label: string; shareStatus: number; access: string; companies: string[] }
const options = async (browser: Browser) =>
  ((await browser.post('networks/options')).data.result as Option[]).map(({ label, shareStatus }) => [
    label,
    shareStatus,
  ])
const firstOf = async (browser: Browser) =>
  Number(((await browser.post('networks/options')).data.result as Option[])[0]?.value)
/** Actions on networks in the asker's changelog, newest first. */
const logged = async (browser: Browser) => {
  const { data } = await browser.post('changelog/list', { pageSize: 100 })
  return (data.result as { action: string; object: string; name: string }[])
    .filter(one => one.object === 'network')
    .map(({ action, name }) => `${action} ${name}`)
}

describe('companies', () => {
  test('its super administrator holds all but what is about the manager', async () => {
    const { data } = await beta.head.post('auth/authority')
    const missing = authorities.filter(name => !(data.authorities as string[]).includes(name))
    expect(missing.filter(name => !/^organization_(manager|companies|mail|directory)/.test(name))).toEqual([])
    expect(missing).toHaveLength(8)
    const ofManager = ['backups/list', 'companies/list', 'manager/certificate/get', 'mail/list']
    for (const call of [...ofManager, 'system-settings/smtp', 'changelog/syslog/get', 'ldap/get', 'ldap/roles/list'])
      expect([call, (await beta.head.post(call)).retCode]).toEqual([call, codes.noAuthority])
    const security = { sessionTimeout: 30, syncTimeouts: true, passwordNoticeDays: 0, forceMfa: false }
    expect((await beta.head.post('account/security/save', security)).retCode).toBe(codes.noAuthority)
    expect((await owner.post('account/security/save', security)).retCode).toBe(0)
    expect((await beta.head.post('account/security/get')).data).toMatchObject({ sessionTimeout: 30, mayChange: false })
    expect((await owner.post('account/security/get')).data.mayChange).toBe(true)
    const names = async (browser: Browser) =>
      ((await browser.post('menu')).data.menus as { menuId: string; name: string }[])
        .filter(item => item.menuId === 'organization_manager')
        .map(item => item.name)
    expect([await names(owner), await names(beta.head)]).toEqual([['manager'], ['security']])
    expect((await beta.head.post('developer-api/get')).data).toMatchObject({ enabled: false, mayTurn: false })
    expect((await beta.head.post('developer-api/save', { enabled: true })).retCode).toBe(codes.noAuthority)
    expect((await owner.post('developer-api/get')).data).toMatchObject({ enabled: false, mayTurn: true })
  })

  test('its super administrator gives the built-in roles, without what is the manager’s', async () => {
    const { data } = await beta.head.post('users/role')
    expect((data.result as { id: string }[]).map(one => one.id)).toContain('platformAdministrator')
    expect((await beta.head.post('users/add', { account: 'betatwo', role: 'platformAdministrator' })).retCode).toBe(0)
    const areas = (await beta.head.post('roles/tree')).data.result as { features: { read: string }[] }[]
    const shown = areas.flatMap(area => area.features.map(one => one.read))
    expect(shown).toContain('organization_network')
    expect(shown).not.toContain('organization_manager')
  })

  test.each([
    [{ name: '' }, { name: 'required' }],
    [{ name: 'x'.repeat(129) }, { name: 'tooLong' }],
    [{ name: 'beta LTD' }, { name: 'nameExists' }],
    [{ account: 'betahead' }, { account: 'nameExists' }],
    [{ account: 'a b' }, { account: 'alphanumeric' }],
  ])('%j is refused at its field and nothing is made', async (wrong, fields) => {
    const answer = await owner.post('companies/add', { name: 'Gamma', account: 'gammahead', ...wrong })
    expect(answer.data.fields).toEqual(fields)
    expect(manager.runtime.db.select().from(organizations).all()).toHaveLength(2)
  })

  test('is renamed; invited again while nobody came; deleted with its people and networks once it has no device', async () => {
    expect((await owner.post('companies/edit', { id: beta.id, name: 'Beta Inc' })).retCode).toBe(0)
    expect((await owner.post('companies/invite', { id: beta.id })).retCode).toBe(codes.userState)
    const { db } = manager.runtime
    const place = { country: 'PT', timezone: 'Europe/Lisbon' }
    await beta.head.post('networks/add', { networkName: 'Beta house', ...place })
    const theirs = await firstOf(beta.head)
    await beta.head.post('networks/add', { networkName: 'Beta barn', ...place })
    const lent = db.select().from(networks).where(eq(networks.name, 'Beta barn')).get()?.id
    const offered = await beta.head.post('networks/share/add', { networkId: lent, account: ownerAccount })
    expect([offered.retCode, (await owner.post('networks/share/accept', { networkIds: [lent] })).retCode]).toEqual([
      0, 0,
    ])
    const wifi = { networkId: theirs, name: 'Beta air', security: 'wpa2', key: 'correct horse' }
    expect((await beta.head.post('settings/ssid/save', wifi)).retCode).toBe(0)
    const own = { organization: beta.id, network: theirs, name: 'switch', address: '127.9.9.1', port: 9 }
    db.insert(devices)
      .values({ ...own, driver: 'snmp', kind: 'switch', status: 0, statusAt: 1, createdAt: 1 })
      .run()
    expect(await owner.post('companies/delete', { id: beta.id })).toMatchObject({
      retCode: codes.companyHasNetworks,
      data: { names: 'Beta house' },
    })
    db.delete(devices).where(eq(devices.network, theirs)).run()
    expect((await owner.post('companies/delete', { id: 1 })).retCode).toBe(codes.companyKept)
    expect((await owner.post('companies/delete', { id: beta.id })).retCode).toBe(0)
    expect((await options(owner)).map(([name]) => name)).not.toContain('Beta barn')
    expect(db.select().from(documents).all()).toEqual([])
    expect((await beta.head.post('networks/options')).status).toBe(401)
    expect((await owner.post('companies/delete', { id: beta.id })).retCode).toBe(codes.companyNotFound)
  })
})

describe('sharing', () => {
  test('S6: not with oneself, one’s own company, or who is no administrator', async () => {
    await person(manager, { role: 'superAdministrator' }).then(async own => {
      expect((await share('read', own.account.account)).data.fields).toEqual({ account: 'shareOwnCompany' })
    })
    const guard = await person(manager, { role: 'networkAdministrator', organization: beta.id })
    for (const [account, problem] of [
      [ownerAccount, 'shareSelf'],
      [guard.account.account, 'shareNobody'],
      ['nobodythere', 'shareNobody'],
    ])
      expect([account, (await share('read', account)).data.fields]).toEqual([account, { account: problem }])
    expect((await share()).retCode).toBe(0)
    expect((await share('manage')).data.fields).toEqual({ account: 'shareTwice' })
  })

  test('S2, S3: neither default nor deleted until it is cancelled; the default is not shared', async () => {
    const home = await firstOf(owner)
    expect((await owner.post('networks/share/add', { networkId: home, account: 'betahead' })).retCode).toBe(
      codes.networkOfferDefault,
    )
    const stands = async () =>
      ((await owner.post('networks/share/options')).data.result as { share: string; transfer: string }[]).map(
        ({ share: one, transfer }) => [one, transfer],
      )
    const kept = ['networkOfferDefault', 'networkOfferDefault']
    expect(await stands()).toEqual([kept, ['', '']])
    const { id } = (await share()).data
    expect(await stands()).toEqual([kept, ['', 'networkOffered']])
    for (const call of ['networks/default', 'networks/delete'])
      expect([call, await owner.post(call, { id: shop })]).toMatchObject([
        call,
        { retCode: codes.networkOffered, data: { name: 'Shop', companies: 'Beta Ltd' } },
      ])
    expect((await owner.post('networks/transfer/start', { networkId: shop, account: 'betahead' })).retCode).toBe(
      codes.networkOffered,
    )
    expect((await owner.post('networks/share/cancel', { id })).retCode).toBe(0)
    expect((await owner.post('networks/delete', { id: shop })).retCode).toBe(0)
  })

  test('an offer opens nothing; accepted it is entered; the rest is refused (S10: at least one)', async () => {
    const office = network(manager, 'Office')
    await share()
    await owner.post('networks/share/add', { networkId: office, account: 'betahead', access: 'manage' })
    expect(await options(beta.head)).toEqual([])
    expect((await beta.head.post('devices/list', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    expect((await accept()).data.fields).toEqual({ networkIds: 'required' })
    const { received } = (await beta.head.post('networks/share/list')).data as { received: object[] }
    expect(received).toMatchObject([
      { networkId: shop, networkName: 'Shop', accountName: ownerAccount, kind: 'read' },
      { networkId: office, kind: 'manage' },
    ])
    const answer = await beta.head.post('networks/share/accept', { networkIds: [shop], refuseNetworkList: [office] })
    expect(answer.retCode).toBe(0)
    expect(await options(beta.head)).toEqual([['Shop', 2]])
    expect((await options(owner)).filter(([, status]) => status === 1)).toEqual([['Shop', 1]])
    expect((await accept(office)).retCode).toBe(codes.networkNotOffered)
    expect((await logged(beta.head)).slice(0, 4)).toEqual([
      'refuse Office',
      'accept Shop',
      'share Office',
      'share Shop',
    ])
    expect((await logged(owner)).slice(0, 4)).toEqual(['refuse Office', 'accept Shop', 'share Office', 'share Shop'])
  })

  test('how far a network is shared changes at once, both ways, by its owner alone; both changelogs say so', async () => {
    const id = (await share('read')).data.id
    await accept(shop)
    const group = (groupName: string) =>
      beta.head.post('groups/add', { networkId: shop, groupName, parentId: -1, description: '' })
    const change = (browser: Browser, access: string) => browser.post('networks/share/edit', { id, access })
    expect((await change(beta.head, 'manage')).retCode).toBe(codes.networkNotOffered)
    expect((await change(owner, 'transfer')).retCode).toBe(codes.invalidInput)
    expect((await group('Till')).retCode).toBe(codes.notInShared)
    expect((await change(owner, 'manage')).retCode).toBe(0)
    expect((await group('Till')).retCode).toBe(0)
    for (const _ of ['once', 'again']) expect((await change(owner, 'read')).retCode).toBe(0)
    expect((await group('Bar')).retCode).toBe(codes.notInShared)
    for (const browser of [owner, beta.head])
      expect((await logged(browser)).filter(one => one === 'edit Shop')).toHaveLength(2)
  })

  test('read-only reads and changes nothing; co-managed is worked in; nothing else of the owner is there', async () => {
    await share('read')
    await accept(shop)
    const add = { networkId: shop, groupName: 'Till', parentId: -1, description: '' }
    const group = () => beta.head.post('groups/add', add)
    expect((await beta.head.post('groups/tree', { networkId: shop })).retCode).toBe(0)
    expect((await group()).retCode).toBe(codes.notInShared)
    const { given } = (await owner.post('networks/share/list')).data as { given: { id: number }[] }
    await owner.post('networks/share/cancel', { id: given[0]?.id })
    expect((await beta.head.post('groups/tree', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    await share('manage')
    await accept(shop)
    expect((await group()).retCode).toBe(0)
    const made = manager.runtime.db.select().from(groups).where(eq(groups.name, 'Till')).get()
    expect(made).toMatchObject({ organization: 1, network: shop })
    const home = await firstOf(owner)
    expect((await beta.head.post('groups/tree', { networkId: home })).retCode).toBe(codes.networkNotFound)
    for (const call of ['networks/delete', 'networks/default', 'networks/export'])
      expect([call, (await beta.head.post(call, { id: shop })).retCode]).toEqual([call, codes.networkNotFound])
    expect((await beta.head.post('networks/share/add', { networkId: shop, account: ownerAccount })).retCode).toBe(
      codes.networkNotFound,
    )
  })

  test('who does not enter all networks enters a shared one where it is given to them, until it is returned', async () => {
    await share('manage')
    await accept(shop)
    const limited = await person(manager, { role: 'networkAdministrator', organization: beta.id })
    expect((await limited.post('groups/tree', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    const who = { id: limited.account.id, username: 'limited 1', role: 'networkAdministrator' }
    expect((await beta.head.post('users/edit', { ...who, networks: [shop] })).retCode).toBe(0)
    const again = await person(manager, { role: 'networkAdministrator', organization: beta.id, networks: [shop] })
    expect((await again.post('groups/tree', { networkId: shop })).retCode).toBe(0)
    expect((await again.post('networks/share/return', { networkId: shop })).retCode).toBe(codes.noAuthority)
    expect((await beta.head.post('networks/share/return', { networkId: shop })).retCode).toBe(0)
    expect((await again.post('groups/tree', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    expect(manager.runtime.db.select().from(accountNetworks).all()).toEqual([])
    expect((await logged(owner))[0]).toBe('giveBack Shop')
  })

  test('what is done in a shared network stands in both changelogs, its values in the owner’s alone', async () => {
    await share('manage')
    await accept(shop)
    await beta.head.post('groups/add', { networkId: shop, groupName: 'Till', parentId: -1, description: '' })
    const of = async (browser: Browser) => {
      const { data } = await browser.post('changelog/list', { pageSize: 100 })
      return (data.result as { action: string; object: string; name: string; account: string }[]).find(
        one => one.object === 'group',
      )
    }
    expect(await of(owner)).toMatchObject({ action: 'add', name: 'Till', account: 'betahead' })
    expect(await of(beta.head)).toMatchObject({ action: 'add', name: 'Till', account: 'betahead' })
  })

  test('a key of the other company calls in a shared network as its maker would, and lasts no longer than the share', async () => {
    await share('manage')
    await accept(shop)
    const limited = await person(manager, { role: 'networkAdministrator', organization: beta.id, networks: [shop] })
    const held = ['devices', 'devices_group_add']
    const scripts = [beta.head, limited].map(({ account }) =>
      keyed(manager, account, { authorities: held, networks: [shop] }),
    )
    const group = (script: Browser, groupName: string) =>
      script.post('groups/add', { networkId: shop, groupName, parentId: -1, description: '' })
    for (const [at, script] of scripts.entries()) expect((await group(script, `Till ${at}`)).retCode).toBe(0)
    expect((await beta.head.post('developer-api/get')).data.networks).toEqual([{ id: shop, name: 'Shop' }])
    await beta.head.post('networks/share/return', { networkId: shop })
    await share('manage')
    await accept(shop)
    for (const script of scripts) expect((await group(script, 'Late')).retCode).toBe(codes.networkNotFound)
  })

  test('whoever may answer an offer gets a letter with the way there; offering again and again fills nobody’s mailbox', async () => {
    const { db } = manager.runtime
    const address = (id: number, email: string) => db.update(accounts).set({ email }).where(eq(accounts.id, id)).run()
    address(beta.head.account.id, 'head@beta.example')
    for (const [name, more] of [
      ['platformAdministrator', {}],
      ['networkAdministrator', { networks: [shop] }],
      ['platformReadOnly', {}],
    ] as const) {
      const { account } = await person(manager, { role: name, organization: beta.id, ...more })
      address(account.id, `${name}@beta.example`)
    }
    const offerAndTakeBack = async () => {
      expect((await owner.post('networks/share/cancel', { id: (await share()).data.id })).retCode).toBe(0)
    }
    await offerAndTakeBack()
    expect(db.select().from(mails).all()).toEqual([])
    const server = await smtpServer()
    try {
      const settings = { host: '127.0.0.1', port: server.port, security: 'none', from: 'nms@example.test' }
      const shape = mailServer.fields.parse({ ...settings, publicUrl: 'https://nms.example.test:8443' })
      saveMailServer(manager.runtime, { ...shape, password: '' })
      for (let n = 1; n <= limits.offersToldAnHour; n++) await offerAndTakeBack()
      const told = limits.offersToldAnHour - 1
      const sent = ['head@beta.example', 'platformAdministrator@beta.example']
      expect(db.select().from(mails).all()).toHaveLength(told * sent.length)
      startMail(manager.runtime)
      await until(() => server.letters.length === told * sent.length)
      expect([...new Set(server.letters.flatMap(letter => letter.to))].sort()).toEqual(sent)
      const text = decoded(server.letters[0]?.text ?? '')
      expect(text).toMatch(/^https:\/\/nms\.example\.test:8443\/organization\/network\r?$/m)
      expect(text).toContain('wants to share the network Shop with Beta Ltd')
    } finally {
      await server.close()
    }
  })

  test('hears of a shared network while it is shared', async () => {
    const event: BusEvent = { topic: 'devices', organization: 1, network: shop }
    const listens = () => mayReceive(manager.runtime.db, { organization: beta.id, networks: 'all' }, event)
    expect(listens()).toBe(false)
    await share()
    expect(listens()).toBe(false)
    await accept(shop)
    expect(listens()).toBe(true)
    await beta.head.post('networks/share/return', { networkId: shop })
    expect(listens()).toBe(false)
  })

  test('offers are of whoever enters all networks and may add some; others neither see nor answer them', async () => {
    await share()
    const held = ['organization_network_add', 'devices']
    const limited = await person(manager, {
      role: role(manager, 'Adders', held, beta.id),
      organization: beta.id,
    })
    expect((await limited.post('networks/share/list')).data.received).toEqual([])
    for (const call of ['networks/share/accept', 'networks/share/reject'])
      expect([call, (await limited.post(call, { networkIds: [shop] })).retCode]).toEqual([
        call,
        codes.networkNotOffered,
      ])
    expect((await owner.post('networks/share/accept', { networkIds: [shop] })).retCode).toBe(codes.networkNotOffered)
  })
})

describe('transfer', () => {
  const start = (networkId = shop) => owner.post('networks/transfer/start', { networkId, account: 'betahead' })
  const confirm = (more = {}) => beta.head.post('networks/transfer/confirm', { networkId: shop, ...more })
  let made = 0

  test('what the former owner’s sweep knocked at stays with them', async () => {
    const place = network(manager, 'Swept')
    const swept = { segments: ['10.1.2.0/24'], done: 1, total: 1, found: [{ address: '10.1.2.3' }] }
    const task = { id: 'x', network: place, state: 'done', createdAt: 1, endedAt: 2, progress: swept }
    manager.runtime.parts.set('lastSweeps', new Map([[place, task]]))
    const seen = (browser: Browser) => browser.post('devices/discover/result', { networkId: place })
    expect((await seen(owner)).data).toMatchObject({ segments: ['10.1.2.0/24'] })
    expect((await start(place)).retCode).toBe(0)
    expect((await confirm({ networkId: place })).retCode).toBe(0)
    expect((await seen(beta.head)).data).toMatchObject({ state: 'none', segments: [], found: [] })
  })

  /** One of everything in a network. */
  function fill(place: number, mac: string) {
    const { db } = manager.runtime
    made += 1
    const own = { organization: 1, network: place }
    const at = { createdAt: 1, changedAt: 1 }
    const group = db
      .insert(groups)
      .values({ ...own, name: 'Till', createdAt: 1 })
      .returning()
      .get().id
    const login = db
      .insert(credentials)
      .values({ ...own, ...at, name: 'login', type: 'snmp2c', secret: '' })
      .returning()
      .get().id
    const device = db
      .insert(devices)
      .values({
        ...{ ...own, mac, group, credential: login, name: `switch ${made}`, address: `127.9.9.${made}`, port: 9 },
        ...{ driver: 'snmp', kind: 'switch', status: 0, statusAt: 1, createdAt: 1 },
      })
      .returning()
      .get().id
    db.insert(alerts)
      .values({ ...own, level: 5, type: 'noticeTest', at: 1 })
      .run()
    const push = { id: `push${made}`, organization: 1, device, by: 'x', createdAt: 1 }
    db.insert(deployments)
      .values({ ...push, state: 'applied' })
      .run()
    const scopes = { network: place, group, device }
    for (const [scope, scopeId] of Object.entries(scopes))
      db.insert(documents)
        .values({
          ...{ id: `${scope}${made}`, organization: 1, scope: scope as 'network', scopeId, kind: 'lan' },
          ...{ name: `${scope} ${made}`, data: '{}', changedBy: 'x', ...at },
        })
        .run()
    return { device, push: push.id }
  }
  /** In which organization each row of these tables is. */
  const homes = () => {
    const { db } = manager.runtime
    const tables = { groups, credentials, devices, alerts, deployments, documents }
    return Object.fromEntries(
      Object.entries(tables).map(([name, table]) => [
        name,
        db
          .select({ organization: table.organization })
          .from(table)
          .all()
          .map(row => row.organization),
      ]),
    )
  }

  test('everything in it goes along in one step, and the former owner is out', async () => {
    fill(shop, '02:00:00:00:00:01')
    await owner.post('networks/tags/add', { tagName: 'Retail' })
    const tags = (await owner.post('networks/tags/list')).data.result as { tagId: number }[]
    const place = { country: 'PT', timezone: 'Europe/Lisbon' }
    await owner.post('networks/edit', { id: shop, networkName: 'Shop', ...place, tags: [tags[0]?.tagId] })
    const clerk = await person(manager, { role: 'networkAdministrator', networks: [shop] })
    expect((await start()).retCode).toBe(0)
    expect(homes().devices).toEqual([1])
    const going = { devices: 1, groups: 1, credentials: 1, settings: 3, alerts: 1 }
    expect((await beta.head.post('networks/transfer/item', { networkId: shop })).data).toMatchObject(going)
    expect((await beta.head.post('devices/list', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    expect((await confirm({ networkName: 'Shop of old' })).retCode).toBe(0)
    const [theirs] = [beta.id]
    expect(homes()).toEqual({
      ...{ groups: [theirs], credentials: [theirs], devices: [theirs], alerts: [theirs], deployments: [theirs] },
      documents: [theirs, theirs, theirs],
    })
    // S2: the first network of an organization is its default.
    expect((await beta.head.post('networks/list')).data.result).toMatchObject([
      { id: shop, networkName: 'Shop of old', isDefault: true, shareStatus: 0, tags: [{ tagName: 'Retail' }] },
    ])
    for (const browser of [owner, clerk])
      expect((await browser.post('groups/tree', { networkId: shop })).retCode).toBe(codes.networkNotFound)
    expect((await logged(owner))[0]).toBe('transfer Shop')
    expect((await logged(beta.head))[0]).toBe('transfer Shop')
  })

  test('its certificates go along: still of who signed them, whose list of revoked ones they stand in', async () => {
    const here = { networkId: shop }
    const issued = await owner.post('certificates/issue', { ...here, name: 'till@shop' })
    await start()
    expect((await confirm()).retCode).toBe(0)
    const names = async (browser: Browser) =>
      (
        (await browser.post('certificates/list', here)).data.result as { name: string; state: string }[] | undefined
      )?.map(one => [one.name, one.state])
    expect(await names(beta.head)).toEqual([['till@shop', 'valid']])
    expect(await names(owner)).toBeUndefined()
    expect((await beta.head.post('certificates/issue', { ...here, name: 'till@shop' })).retCode).toBe(0)
    expect((await beta.head.post('certificates/revoke', { ...here, id: issued.data.id })).retCode).toBe(0)
    expect(new Set((await names(beta.head))?.map(String))).toEqual(new Set(['till@shop,valid', 'till@shop,revoked']))
    const revoked = manager.runtime.db
      .select({ organization: certificates.organization })
      .from(certificates)
      .where(isNotNull(certificates.revokedAt))
      .all()
    expect(revoked).toEqual([{ organization: 1 }])
  })

  test('S2, S3: not the default, neither shared nor deleted meanwhile; taken back it is as before', async () => {
    expect((await start(await firstOf(owner))).retCode).toBe(codes.networkOfferDefault)
    await start()
    expect((await share()).retCode).toBe(codes.networkOffered)
    for (const call of ['networks/default', 'networks/delete'])
      expect([call, (await owner.post(call, { id: shop })).retCode]).toEqual([call, codes.networkOffered])
    expect((await owner.post('networks/transfer/cancel', { networkId: shop })).retCode).toBe(0)
    expect((await confirm()).retCode).toBe(codes.networkNotOffered)
    expect((await owner.post('networks/default', { id: shop })).retCode).toBe(0)
  })

  test('refused by the other it stays; a share is not taken for good, nor the other way round', async () => {
    await start()
    expect((await accept(shop)).retCode).toBe(codes.networkNotOffered)
    expect((await beta.head.post('networks/share/reject', { networkIds: [shop] })).retCode).toBe(0)
    await share()
    expect((await confirm()).retCode).toBe(codes.networkNotOffered)
    expect((await options(owner)).map(([name]) => name)).toContain('Shop')
  })

  test('N1: a name that the other has is refused at its field', async () => {
    network(manager, 'shop', beta.id)
    await start()
    expect((await confirm()).data.fields).toEqual({ networkName: 'nameExists' })
    expect((await confirm({ networkName: 'Shop 2' })).retCode).toBe(0)
  })

  test('refused with names: a device that the other manages already, a push under way', async () => {
    const { push } = fill(shop, '02:00:00:00:00:01')
    const there = network(manager, 'Beta house', beta.id)
    const twin = fill(there, '02:00:00:00:00:01')
    const { db } = manager.runtime
    db.update(devices).set({ organization: beta.id }).where(eq(devices.id, twin.device)).run()
    await start()
    const torn = await confirm()
    expect([torn.retCode, torn.data.names]).toEqual([codes.networkTransferTorn, expect.stringMatching(/^switch \d+$/)])
    db.update(devices).set({ mac: '02:00:00:00:00:02' }).where(eq(devices.id, twin.device)).run()
    db.update(deployments).set({ state: 'pushing' }).where(eq(deployments.id, push)).run()
    expect((await confirm()).retCode).toBe(codes.networkTransferBusy)
    expect(homes().groups).toEqual([1, 1])
    db.update(deployments).set({ state: 'applied' }).where(eq(deployments.id, push)).run()
    expect((await confirm()).retCode).toBe(0)
  })
})

describe('associated organizations', () => {
  const associated = async (browser: Browser) =>
    ((await browser.post('networks/share/options')).data.companies as { name: string }[]).map(one => one.name)
  const pair = (verb: 'associate' | 'disassociate', more: object = {}) =>
    owner.post(`companies/${verb}`, { id: 1, otherId: beta.id, ...more })
  const offer = (more: object) => owner.post('networks/share/add', { networkId: shop, ...more })

  test('know each other’s name, and offer networks by it; others are not told of', async () => {
    expect((await offer({ companyId: beta.id })).data.fields).toEqual({ companyId: 'notFound' })
    expect([await associated(owner), await associated(beta.head)]).toEqual([[], []])
    expect((await pair('associate')).retCode).toBe(0)
    await company(manager, owner, 'Gamma Ltd', 'gammahead')
    expect(await associated(owner)).toEqual(['Beta Ltd'])
    expect(await associated(beta.head)).toHaveLength(1)
    const { result } = (await owner.post('companies/list')).data as { result: { name: string; associated: object[] }[] }
    expect(result.find(one => one.name === 'Beta Ltd')?.associated).toHaveLength(1)
    expect(result.find(one => one.name === 'Gamma Ltd')?.associated).toEqual([])
    expect((await offer({ companyId: beta.id })).retCode).toBe(0)
    expect((await offer({ companyId: beta.id })).data.fields).toEqual({ companyId: 'shareTwice' })
    expect((await accept(shop)).retCode).toBe(0)
    expect(await options(beta.head)).toContainEqual(['Shop', 2])
  })

  test('ended, what they share stays shared, and nothing more is offered by name', async () => {
    await pair('associate')
    await offer({ companyId: beta.id })
    await accept(shop)
    expect((await pair('disassociate')).retCode).toBe(0)
    expect(await associated(owner)).toEqual([])
    expect(await options(beta.head)).toContainEqual(['Shop', 2])
    const quay = network(manager, 'Quay')
    expect((await owner.post('networks/transfer/start', { networkId: quay, companyId: beta.id })).data.fields).toEqual({
      companyId: 'notFound',
    })
    expect((await offer({})).data.fields).toEqual({ account: 'required' })
  })

  test('neither with itself, nor one that is not there, nor by who may not', async () => {
    expect((await pair('associate', { otherId: 1 })).data.fields).toEqual({ otherId: 'notAllowed' })
    expect((await pair('associate', { otherId: 99 })).retCode).toBe(codes.companyNotFound)
    expect((await beta.head.post('companies/associate', { id: 1, otherId: beta.id })).retCode).toBe(codes.noAuthority)
  })

  test('goes with an organization that is deleted', async () => {
    await pair('associate')
    expect((await owner.post('companies/delete', { id: beta.id })).retCode).toBe(0)
    expect(await associated(owner)).toEqual([])
  })
})
