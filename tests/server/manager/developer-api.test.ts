import { desc, eq } from 'drizzle-orm'
import { type Feature, heldWith, presetLevels } from '@/app/(console)/organization/_parts/levels'
import { accountNetworks, accounts, apiKeys, changelog, ipWhitelist } from '@/db/schema'
import { isPersonal, keyAuthorities } from '@/model/api-keys'
import { authorities } from '@/model/authority'
import { keyPresets } from '@/model/authority-presets'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import { whyNotChange } from '@/model/users'
import { takeOne } from '@/server/kernel/token-bucket'
import { sessionCookie } from '@/server/people/accounts/sessions'
import { type Browser, finishedWizard, owner as first, type Manager, startTestManager } from '../_manager'
import { keyed, network, organization, type Person, person, role } from '../_people'

let manager: Manager
let owner: Browser
const here = 1
let other: number
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
  other = network(manager, 'Other house')
  await owner.post('developer-api/save', { enabled: true })
})
afterAll(() => manager.stop())

const logged = () => {
  const row = manager.runtime.db.select().from(changelog).orderBy(desc(changelog.id)).limit(1).get()
  return row && { ...row, fields: JSON.parse(row.fields) as unknown }
}
type Key = Record<'id' | 'usedAt' | 'expiresAt', number> &
  Record<'name' | 'prefix' | 'owner' | 'usedFrom' | 'state', string> & { authorities: string[]; mine: boolean }
const keysFor = async (browser: Browser) => (await browser.post('developer-api/keys/list')).data.result as Key[]

/** A script that has nothing but a key. */
const script = (key: string, address?: string) => {
  const plain = manager.browser(address)
  const own = { authorization: `Bearer ${key}`, 'x-requested-with': '' }
  return {
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      plain.post(path, body, { ...own, ...headers }),
  }
}
let made = 0
/** A key made the way a person does it. */
async function create(browser: Browser, more: Record<string, unknown> = {}) {
  made += 1
  const input = {
    ...{ name: `Nightly ${made}`, authorities: ['organization_network'], allNetworks: true },
    ...(browser === owner && { password: first.password }),
    ...more,
  }
  const { retCode, data } = await browser.post('developer-api/keys/create', input)
  expect([retCode, data]).toEqual([0, { id: expect.any(Number), key: expect.stringMatching(/^lw_[\w-]{43}$/) }])
  return data as { id: number; key: string }
}
const ids = async (one: Pick<Browser, 'post'>) =>
  ((await one.post('networks/list')).data.result as { id: number }[] | undefined)?.map(row => row.id)

test('a key calls by itself alone: no cookie, no header of a browser; it is told once, its digest is kept', async () => {
  const { id, key } = await create(owner)
  expect(await script(key).post('networks/list')).toMatchObject({ retCode: 0, data: { total: 2 } })
  const row = manager.runtime.db.select().from(apiKeys).where(eq(apiKeys.id, id)).get()
  expect(JSON.stringify(row)).not.toContain(key.slice(12))
  expect(JSON.stringify(logged())).not.toContain(key.slice(12))
  expect((await keysFor(owner)).find(one => one.id === id)).toMatchObject({
    ...{ prefix: key.slice(0, 11), mine: true, state: 'active', usedFrom: '10.0.0.5', expiresAt: 0 },
    usedAt: expect.any(Number),
  })
})

test('a key is made with its maker’s password: a session that somebody else got hold of makes none', async () => {
  const input = { name: 'Taken', authorities: ['organization_network'], allNetworks: true }
  const missing = await owner.post('developer-api/keys/create', input)
  expect(missing).toMatchObject({ retCode: codes.invalidInput, data: { fields: { password: 'required' } } })
  const wrong = await owner.post('developer-api/keys/create', { ...input, password: 'not this 1' })
  expect(wrong).toMatchObject({ retCode: codes.oldPasswordWrong, data: { fields: { password: 'passwordWrong' } } })
  expect((await keysFor(owner)).some(one => one.name === 'Taken')).toBe(false)
})

test.each([
  ['who holds everything', undefined],
  ['who holds little', ['organization_api', 'organization_network', 'devices', 'vouchers_edit', 'clients', 'alerts']],
])('every preset makes a key of %s, of no more than they hold', async (who, rights) => {
  const maker = rights ? await person(manager, { role: role(manager, `Keeper ${who}`, rights), all: true }) : owner
  const areas = (await maker.post('developer-api/get')).data.areas as { features: Feature[] }[]
  const features = areas.flatMap(area => area.features)
  for (const preset of keyPresets) {
    const wanted = heldWith(features, [], presetLevels(preset, features))
    if (wanted.length === 0) {
      // What it would grant, this maker does not hold at all.
      expect([preset.id, rights !== undefined]).toEqual(['backup', true])
      continue
    }
    const { id } = await create(maker, { authorities: wanted })
    const key = (await keysFor(maker)).find(one => one.id === id)
    expect(key?.authorities.toSorted()).toEqual(wanted.toSorted())
    await maker.post('developer-api/keys/delete', { id })
  }
})

test('what it changes stands in the changelog under its name and its owner’s', async () => {
  const { key } = await create(owner, { name: 'Site builder', authorities: ['organization_network_add'] })
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  const answer = await script(key).post('networks/edit', { id: other, networkName: 'Third house', ...place })
  expect(answer).toMatchObject({ retCode: 0 })
  expect(logged()).toMatchObject({ object: 'network', account: expect.stringMatching(/^\S+ · Site builder$/) })
})

test('somebody of single networks sees in the changelog what their key did', async () => {
  const rights = ['organization_users_edit', 'organization_changelog', 'organization_api', 'clients']
  const who = await person(manager, { role: role(manager, 'Local hosts', rights), networks: [here] })
  const { key } = await create(who, { name: 'Front desk', authorities: ['organization_users_edit', 'clients'] })
  const guest = { account: `guest${who.account.id}`, role: role(manager, 'Desk', ['clients']), networks: [here] }
  expect(await script(key).post('users/add', guest)).toMatchObject({ retCode: 0 })
  const mark = `${who.account.account} · Front desk`
  const rows = (await who.post('changelog/list')).data.result as { account: string }[]
  expect(rows.map(row => row.account)).toContain(mark)
  const other = await person(manager, { role: role(manager, 'Other hosts', rights), networks: [here] })
  const seen = (await other.post('changelog/list')).data.result as { account: string }[]
  expect(seen.map(row => row.account)).not.toContain(mark)
})

test('a key that is deleted or ran out is worth nothing from the next call on, nor is one that never was', async () => {
  const { id, key } = await create(owner, { days: 1 })
  expect(await script(key).post('networks/list')).toMatchObject({ retCode: 0 })
  manager.runtime.db.update(apiKeys).set({ expiresAt: Date.now() }).where(eq(apiKeys.id, id)).run()
  const refused = { status: 401, retCode: codes.keyInvalid }
  expect(await script(key).post('networks/list')).toMatchObject(refused)
  expect((await keysFor(owner)).find(one => one.id === id)).toMatchObject({ state: 'expired' })
  manager.runtime.db.update(apiKeys).set({ expiresAt: null }).where(eq(apiKeys.id, id)).run()
  expect(await script(key).post('networks/list')).toMatchObject({ retCode: 0 })
  expect(await owner.post('developer-api/keys/delete', { id })).toMatchObject({ retCode: 0 })
  expect(await script(key).post('networks/list')).toMatchObject(refused)
  for (const wrong of [`lw_${'A'.repeat(43)}`, '', 'lw_', `${key}x`, 'x'.repeat(5000)])
    expect(await script(wrong).post('networks/list')).toMatchObject(refused)
})

test('a wrong key is not made up for by a session: who sends one means it', async () => {
  const headers = { authorization: `Bearer lw_${'A'.repeat(43)}` }
  expect(await owner.post('networks/list', {}, headers)).toMatchObject({ status: 401, retCode: codes.keyInvalid })
  expect(await owner.post('networks/list', {}, { authorization: 'Bearer' })).toMatchObject({
    retCode: codes.keyInvalid,
  })
  // What a proxy in front asks for is not ours.
  expect(await owner.post('networks/list', {}, { authorization: 'Basic eDp5' })).toMatchObject({ retCode: 0 })
  const nobody = await manager.browser().post('networks/list', {}, { authorization: 'Basic eDp5' })
  expect(nobody).toMatchObject({ status: 401, retCode: codes.sessionExpired })
})

describe('a key is never more than its owner is now', () => {
  const admin = { role: 'platformAdministrator' }
  const change = (who: Person, set: Partial<typeof accounts.$inferInsert>) =>
    manager.runtime.db.update(accounts).set(set).where(eq(accounts.id, who.account.id)).run()

  test('a smaller role makes it smaller, and back', async () => {
    const who = await person(manager, admin)
    const { key } = await create(who, { authorities: ['organization_network', 'organization_users'] })
    expect(await script(key).post('users/list')).toMatchObject({ retCode: 0 })
    change(who, { role: role(manager, 'Lookers', ['organization_network']), allNetworks: true })
    expect(await script(key).post('users/list')).toMatchObject({ retCode: codes.noAuthority })
    expect(await ids(script(key))).toEqual([here, other])
    expect(await script(key).post('auth/authority')).toMatchObject({ data: { authorities: ['organization_network'] } })
  })

  test('fewer networks are fewer for it; those it was not made for it never enters', async () => {
    const everywhere = await person(manager, admin)
    const { key: one } = await create(everywhere, { allNetworks: false, networks: [other] })
    expect(await ids(script(one))).toEqual([other])
    const held = role(manager, 'Makers', ['organization_network', 'organization_api', 'devices'])
    const local = await person(manager, { role: held, networks: [here] })
    const { key: two } = await create(local)
    const { key: three } = await create(local, { allNetworks: false, networks: [here] })
    expect([await ids(script(two)), await ids(script(three))]).toEqual([[here], [here]])
    expect(await script(two).post('devices/list', { networkId: other })).toMatchObject({ retCode: codes.noAuthority })
    manager.runtime.db.delete(accountNetworks).where(eq(accountNetworks.account, local.account.id)).run()
    expect([await ids(script(two)), await ids(script(three))]).toEqual([[], []])
  })

  test('a network that it makes it enters, and so does its maker', async () => {
    const rights = ['organization_network', 'organization_network_add', 'organization_api']
    const place = { country: 'PT', timezone: 'Europe/Lisbon' }
    const rows = () => manager.runtime.db.select().from(accountNetworks).all()
    const everywhere = await person(manager, admin)
    const local = await person(manager, { role: role(manager, 'Builders', rights), networks: [here] })
    const before = rows()
    for (const [who, networkName] of [
      [everywhere, 'Built one'],
      [local, 'Built two'],
    ] as const) {
      const scope = { authorities: ['organization_network_add'], allNetworks: false, networks: [here] }
      const { key } = await create(who, scope)
      const { data } = await script(key).post('networks/add', { networkName, ...place })
      expect(await ids(script(key))).toEqual([here, data.id])
      expect(await ids(who)).toContain(data.id)
      await owner.post('networks/delete', { id: data.id })
    }
    // Who enters all was given none for it.
    expect(rows()).toEqual(before)
  })

  test('it ends with its account: disabled, deleted', async () => {
    const who = await person(manager, admin)
    const { id, key } = await create(who)
    change(who, { state: 'disabled' })
    expect(await script(key).post('networks/list')).toMatchObject({ status: 401, retCode: codes.keyInvalid })
    expect((await keysFor(owner)).find(one => one.id === id)).toMatchObject({ state: 'off', mine: false })
    manager.runtime.db.delete(accounts).where(eq(accounts.id, who.account.id)).run()
    expect(await script(key).post('networks/list')).toMatchObject({ status: 401 })
    expect((await keysFor(owner)).some(one => one.id === id)).toBe(false)
  })

  test('the super administrator’s key for people has their own rights only, not the owner’s rank', async () => {
    const who = await person(manager, { role: 'superAdministrator' })
    const small = keyed(manager, who.account, { authorities: ['organization_users_edit'] })
    const made = { account: `keymade${Date.now()}`, role: 'platformAdministrator', allNetworks: true }
    expect(await small.post('users/add', made)).not.toMatchObject({ retCode: 0 })
    const actor = { id: 1, role: 'superAdministrator', authorities: new Set(['organization_users_edit'] as const) }
    const platform = { id: 2, role: 'platformAdministrator', authorities: new Set(['devices'] as const) }
    const more = { createdBy: 1, underDefault: true, networks: 'all' } as const
    expect(whyNotChange({ ...actor, networks: 'all' }, { ...platform, ...more })).toBe('roleAbove')
  })
})

test('a key has to say which network it means', async () => {
  const { key } = await create(owner, { authorities: ['clients'] })
  const missing = await script(key).post('clients/list')
  expect(missing).toMatchObject({ retCode: codes.invalidInput, data: { fields: { networkId: 'required' } } })
  expect(await script(key).post('clients/list', { networkId: 4711 })).toMatchObject({ retCode: codes.networkNotFound })
})

test('the whitelist holds for keys, and over http from elsewhere they are refused before they are looked up', async () => {
  const { key } = await create(owner)
  const plain = { 'x-forwarded-proto': 'http' }
  expect(await script(key).post('networks/list', {}, plain)).toMatchObject({ retCode: codes.secureOnly })
  expect(await script(`${key}x`).post('networks/list', {}, plain)).toMatchObject({ retCode: codes.secureOnly })
  expect(await script(key, '127.0.0.1').post('networks/list', {}, plain)).toMatchObject({ retCode: 0 })
  const entry = { organization: 1, ip: '10.0.0.0/24', createdAt: 1 }
  manager.runtime.db.insert(ipWhitelist).values(entry).run()
  expect(await script(key).post('networks/list')).toMatchObject({ retCode: 0 })
  expect(await script(key, '192.0.2.9').post('networks/list')).toMatchObject({ status: 401, retCode: codes.keyInvalid })
  manager.runtime.db.delete(ipWhitelist).run()
  owner.cookies.set(sessionCookie(false), owner.cookies.get(sessionCookie(true)) ?? '')
  const input = { name: 'Plain', authorities: ['organization_network'], allNetworks: true }
  expect(await owner.post('developer-api/keys/create', input, plain)).toMatchObject({ retCode: codes.secureOnly })
})

test('off means off for every key; the super administrator alone turns it', async () => {
  const admin = await person(manager, { role: 'platformAdministrator' })
  const { key } = await create(admin)
  expect(await admin.post('developer-api/save', { enabled: false })).toMatchObject({ retCode: codes.noAuthority })
  expect(await owner.post('developer-api/save', { enabled: false })).toMatchObject({ retCode: 0 })
  expect(logged()).toMatchObject({ object: 'api', fields: { enabled: [true, false] } })
  expect(await script(key).post('networks/list')).toMatchObject({ status: 403, retCode: codes.apiOff })
  expect(await script(`${key}x`).post('networks/list')).toMatchObject({ status: 401, retCode: codes.keyInvalid })
  const input = { name: 'Late', authorities: ['organization_network'], allNetworks: true }
  expect(await admin.post('developer-api/keys/create', input)).toMatchObject({ retCode: codes.apiOff })
  await owner.post('developer-api/save', { enabled: true })
  expect(await script(key).post('networks/list')).toMatchObject({ retCode: 0 })
})

describe('what is refused at its field', () => {
  const good = { name: 'Good', authorities: ['devices'], allNetworks: true }
  test.each([
    ['no name', { ...good, name: '  ' }, 'name', 'required'],
    ['a name too long', { ...good, name: 'x'.repeat(65) }, 'name', 'tooLong'],
    ['a line break in the name', { ...good, name: 'a\nb' }, 'name', 'controlCharacters'],
    ['no right', { ...good, authorities: [] }, 'authorities', 'required'],
    ['an unknown right', { ...good, authorities: ['flying'] }, 'authorities', 'notAllowed'],
    [
      'a right that its maker lacks',
      { ...good, authorities: ['organization_manager_edit'] },
      'authorities',
      'aboveOwn',
    ],
    ['a right of persons', { ...good, authorities: ['devices', 'account'] }, 'authorities', 'aboveOwn'],
    ['no network', { ...good, allNetworks: false }, 'networks', 'required'],
    ['a network that is not theirs', { ...good, allNetworks: false, networks: [1, 4711] }, 'networks', 'notFound'],
    ['no day', { ...good, days: 0 }, 'days', 'tooSmall'],
    ['too many days', { ...good, days: limits.apiKeyDays + 1 }, 'days', 'tooLarge'],
  ])('%s', async (_what, input, field, message) => {
    const who = await person(manager, { role: 'platformAdministrator' })
    const answer = await who.post('developer-api/keys/create', input)
    expect(answer).toMatchObject({ retCode: codes.invalidInput, data: { fields: { [field]: message } } })
    expect(await keysFor(who)).toEqual([])
  })

  test('a second key of the name, whatever its case; more than there may be; another’s key', async () => {
    const who = await person(manager, { role: 'platformAdministrator' })
    const { id } = await create(who, { name: 'Backup' })
    expect(await who.post('developer-api/keys/create', { ...good, name: 'BACKUP' })).toMatchObject({
      ...{ retCode: codes.keyNameExists, data: { fields: { name: 'nameExists' } } },
    })
    for (let at = 1; at < limits.apiKeysPerAccount; at++) keyed(manager, who.account, { authorities: ['devices'] })
    expect(await who.post('developer-api/keys/create', good)).toMatchObject({ retCode: codes.keyLimit })
    const stranger = await person(manager, { role: 'platformAdministrator' })
    const gone = { retCode: codes.keyNotFound }
    expect(await stranger.post('developer-api/keys/delete', { id })).toMatchObject(gone)
    const far = await person(manager, { role: 'superAdministrator', organization: organization(manager, 'Far') })
    expect(await far.post('developer-api/keys/delete', { id })).toMatchObject(gone)
    expect(await owner.post('developer-api/keys/delete', { id })).toMatchObject({ retCode: 0 })
    expect(logged()).toMatchObject({ object: 'apiKey', fields: { owner: [who.account.account, null] } })
    expect(await owner.post('developer-api/keys/delete', { id })).toMatchObject(gone)
  })
})

test('a key cannot hold what is a person’s; an edit brings what reads it', () => {
  const all = keyAuthorities(authorities)
  expect(all.filter(isPersonal)).toEqual([])
  const ofPersons = ['companies', 'api', 'mail', 'directory', 'security'].flatMap(name => [
    `organization_${name}`,
    `organization_${name}_edit`,
  ])
  expect(authorities.filter(isPersonal)).toEqual([...ofPersons, 'account'])
  expect(keyAuthorities(['devices_edit'])).toEqual(['devices', 'devices_edit'])
})

describe('how often a key may call', () => {
  test('as many calls at once as the bucket holds, then as fast as it fills', () => {
    const drain = (from: ReturnType<typeof takeOne>['bucket'] | undefined, at: number) => {
      let bucket = from
      for (let calls = 0; ; calls++) {
        const next = takeOne(bucket, at, { burst: limits.apiBurst, perSecond: limits.apiPerSecond })
        if (next.wait > 0) return { calls, bucket: next.bucket, wait: next.wait }
        bucket = next.bucket
      }
    }
    const first = drain(undefined, 0)
    expect(first).toMatchObject({ calls: limits.apiBurst, wait: 1 })
    const second = drain(first.bucket, 1000)
    expect(second.calls).toBe(limits.apiPerSecond)
    expect(drain(second.bucket, 1_000_000).calls).toBe(limits.apiBurst)
    // A clock that is set back fills nothing, and takes nothing.
    expect(drain(second.bucket, 0).calls).toBe(0)
  })

  test('one too many is told when to come back; another key is not held up', async () => {
    const [one, two] = [await create(owner), await create(owner)]
    // The clock stands: a slow machine would fill the bucket while they are made.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now())
    const answers = await Promise.all(
      Array.from({ length: limits.apiBurst * 3 }, () => script(one.key).post('auth/authority')),
    )
    clock.mockRestore()
    const late = answers.filter(answer => answer.status === 429)
    expect(late).toHaveLength(limits.apiBurst * 2)
    for (const answer of late) {
      expect(answer).toMatchObject({ retCode: codes.rateLimited, data: { retryAfter: expect.any(Number) } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await script(two.key).post('auth/authority')).toMatchObject({ status: 200 })
  })
})

test('openapi.json answers a key and a person, by GET and by POST, and nobody else', async () => {
  const { key } = await create(owner)
  const headers = { authorization: `Bearer ${key}` }
  const response = await manager.browser().raw('openapi.json', { method: 'GET', headers })
  expect(response.headers.get('content-type')).toMatch('application/json')
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/devices/list': { post: {} } } })
  expect((await owner.raw('openapi.json', { method: 'POST' })).status).toBe(200)
  expect((await manager.browser().raw('openapi.json', { method: 'GET' })).status).toBe(401)
})
