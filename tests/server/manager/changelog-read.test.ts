// The changelog as people read it: found, told in their own networks alone, exported, and undone entry by entry.
import { eq } from 'drizzle-orm'
import { changelog } from '@/db/schema'
import { codes } from '@/model/codes'
import { appendLog } from '@/server/kernel/changelog'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

let manager: Manager
let browser: Browser
beforeEach(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterEach(() => manager.stop())

const must = async (path: string, body: object = {}, who = browser) => {
  const answer = await who.post(path, body)
  expect([path, answer.retCode, answer.data]).toEqual([path, 0, expect.anything()])
  return answer.data
}
type Entry = {
  id: number
  at: number
  account: string
  address: string
  action: string
  object: string
  name: string
  network: { id: number; name: string } | null
  fields: Record<string, [unknown, unknown]>
}
const list = async (body: object = {}, who = browser) =>
  (await must('changelog/list', body, who)) as { result: Entry[]; total: number; page: number }
const newest = async () => (await list()).result[0] as Entry
const ssid = { name: 'Café', security: 'wpa2', key: 'harbour1234', vlan: 20 }
type Saved = { id: string; revision: number }
const save = async (kind: string, body: object) => (await must(`settings/${kind}/save`, body)) as Saved
const get = (kind: string, id: string) => must(`settings/${kind}/get`, { id })
const log = (entry: object) =>
  appendLog(manager.runtime.db, manager.runtime.secrets, {
    ...{ organization: 1, network: null, at: 5000, account: 'marta7', address: '10.0.0.5' },
    ...{ action: 'edit', object: 'network', name: '', fields: {} },
    ...entry,
  })

const many = (count: number, name: (at: number) => string) =>
  manager.runtime.db.transaction(() => {
    for (let at = 0; at < count; at++) log({ object: 'x', name: name(at) })
  })

describe('reading', () => {
  test('who, when, from where, what, before and after; secrets are masked', async () => {
    const { id, revision } = await save('ssid', ssid)
    await save('ssid', { ...ssid, id, revision, vlan: 30, key: 'another-key-1' })
    const entry = await newest()
    expect(entry).toMatchObject({
      ...{ account: 'marta7', address: '10.0.0.5', action: 'edit', object: 'ssid', name: 'Café' },
      network: { id: 1, name: expect.any(String) },
      fields: { vlan: [20, 30], key: [{ set: true }, { set: true }] },
    })
    expect(Math.abs(entry.at - Date.now())).toBeLessThan(600_000)
    expect(Object.keys(entry)).not.toContain('kept')
  })

  test('filtered by person, network, kind of thing, action and time, and searched; the filters go together', async () => {
    const second = network(manager, 'Second')
    log({ account: 'ana.1', network: second, action: 'push', object: 'device', name: 'ap_100%', at: 1000 })
    log({ account: 'ana.1', action: 'edit', object: 'device', name: 'Roof', at: 2000, fields: { vlan: [7, 'Ária'] } })
    const names = async (filter: object, search?: string) =>
      (await list({ filter, ...(search && { search }) })).result.map(one => one.name)
    expect(await names({ account: 'ana.1' })).toEqual(['Roof', 'ap_100%'])
    expect(await names({ network: second })).toEqual(['ap_100%'])
    expect(await names({ object: 'device', action: 'edit' })).toEqual(['Roof'])
    expect(await names({ from: 1000, to: 1000 })).toEqual(['ap_100%'])
    expect(await names({ to: 2000 })).toEqual(['Roof', 'ap_100%'])
    expect(await names({}, 'ROOF')).toEqual(['Roof'])
    expect(await names({}, 'ria"')).toEqual(['Roof'])
    // What LIKE takes for a pattern is itself.
    expect(await names({}, 'p_1')).toEqual(['ap_100%'])
    expect(await names({}, 'p_0')).toEqual([])
    expect(await names({}, '0%')).toEqual(['ap_100%'])
    expect(await names({ account: 'ana.1', action: 'push' }, 'Roof')).toEqual([])
    expect(await must('changelog/options')).toMatchObject({
      accounts: ['ana.1', 'marta7'],
      objects: expect.arrayContaining(['device']),
      actions: expect.arrayContaining(['push']),
      networks: expect.arrayContaining([{ id: second, name: 'Second' }]),
    })
  })

  test('pages are newest first, and a page past the end is the last', async () => {
    many(25, at => `entry ${at}`)
    const first = await list({ filter: { object: 'x' }, pageSize: 10 })
    expect([first.total, first.result[0]?.name, first.result.length]).toEqual([25, 'entry 24', 10])
    const last = await list({ filter: { object: 'x' }, pageSize: 10, page: 99 })
    expect([last.page, last.result.map(one => one.name)]).toEqual([3, ['4', '3', '2', '1', '0'].map(n => `entry ${n}`)])
  })

  test('every filter is answered out of an index', () => {
    const { sqlite } = manager.runtime
    const filters = ['', 'AND network = 1', "AND account = 'x'", "AND object = 'x'", 'AND at BETWEEN 1 AND 2']
    for (const filter of filters) {
      const sql = `EXPLAIN QUERY PLAN SELECT id FROM changelog WHERE organization = 1 ${filter} ORDER BY id DESC LIMIT 20`
      const plan = sqlite.prepare(sql).all() as { detail: string }[]
      expect(plan[0]?.detail).toMatch(/^SEARCH changelog USING COVERING INDEX/)
    }
  })

  test('people see what happened in their networks and what they did; nothing of another organization', async () => {
    const [second, third] = [network(manager, 'Second'), network(manager, 'Third')]
    const ana = await person(manager, { role: 'networkReadOnly', networks: [second] })
    log({ network: second, name: 'theirs' })
    log({ network: third, name: 'of others' })
    log({ organization: 2, network: second, name: 'elsewhere' })
    log({ account: ana.account.account, object: 'account', name: 'own' })
    expect((await list({}, ana)).result.map(one => one.name)).toEqual(['own', 'theirs'])
    expect((await list({ filter: { network: third } }, ana)).total).toBe(0)
    expect(JSON.stringify(await must('changelog/options', {}, ana))).not.toContain('Third')
    const others = (await list()).result.find(one => one.name === 'of others')
    expect((await list()).result.map(one => one.name)).not.toContain('elsewhere')
    expect((await ana.post('changelog/get', { id: others?.id })).retCode).toBe(codes.logEntryNotFound)
    const file = await (await ana.raw('exports/log?format=json', { method: 'GET' })).json()
    expect((file as { result: Entry[] }).result.map(one => one.name)).toEqual(['own', 'theirs'])
    expect((await ana.post('changelog/revert', { id: others?.id })).retCode).toBe(codes.noAuthority)
  })
})

describe('exported', () => {
  const file = async (query: string) => (await browser.raw(`exports/log?${query}`, { method: 'GET' })).text()

  test('as CSV: all that match, and no cell is a formula', async () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r']) log({ object: 'x', name: `${start}cmd|' /C calc'!A0` })
    const rows = (await file('object=x')).split('\r\n')
    expect(rows[0]).toBe('number,time,account,address,network,action,object,name,changes')
    expect(rows).toHaveLength(8)
    for (const row of rows.slice(1, 7)) expect(row).toMatch(/,x,"'[=+\-@\t\r]cmd/)
    expect(rows[1]).toContain('1970-01-01T00:00:05.000Z')
  })

  test('as JSON, with the newest entry of the chain; more than one batch, each once', async () => {
    many(1001, at => `"${at}`)
    const { head, result } = JSON.parse(await file('format=json&object=x')) as { head: string; result: Entry[] }
    expect(head).toMatch(/^\d+:[0-9a-f]{64}$/)
    expect(result.map(one => one.name)).toEqual(Array.from({ length: 1001 }, (_, at) => `"${1000 - at}`))
    expect(JSON.parse(await file('format=json&object=none'))).toMatchObject({ result: [] })
  })
})

describe('undone', () => {
  const revert = (id: number, who = browser) => who.post('changelog/revert', { id })
  const view = async (id: number) => (await must('changelog/get', { id })).revert

  test('an edit of a field that had another name then', async () => {
    const portal = { name: 'Lobby', methods: ['free'], useLimit: 'client', dailyData: '10 MB' }
    const { id, revision } = await save('portal', portal)
    await save('portal', { ...portal, id, revision, dailyData: '20 MB' })
    const entry = await newest()
    const fields = JSON.stringify({ dailyMegabytes: [10, 20] })
    manager.runtime.db.update(changelog).set({ fields }).where(eq(changelog.id, entry.id)).run()
    expect(await view(entry.id)).toEqual({
      ...{ can: true, does: 'edit' },
      changes: [{ field: 'dailyData', now: '20 MB', becomes: '10 MB' }],
    })
    await must('changelog/revert', { id: entry.id })
    expect(await get('portal', id)).toMatchObject({ dailyData: '10 MB' })
  })

  test('an edit: its fields alone go back, by the settings’ own call, and it is an entry of its own', async () => {
    const { id, revision } = await save('ssid', ssid)
    const changed = await save('ssid', { ...ssid, id, revision, vlan: 30, name: 'Pier' })
    const entry = await newest()
    await save('ssid', { ...ssid, id, revision: changed.revision, vlan: 30, name: 'Pier', hidden: true })
    expect(await view(entry.id)).toEqual({
      can: true,
      does: 'edit',
      changes: expect.arrayContaining([{ field: 'vlan', now: 30, becomes: 20 }]),
    })
    expect(await revert(entry.id)).toMatchObject({ retCode: 0 })
    expect(await get('ssid', id)).toMatchObject({
      name: 'Café',
      vlan: 20,
      hidden: true,
      key: { set: true },
      revision: 4,
    })
    const own = await newest()
    expect(own).toMatchObject({ action: 'revert', object: 'ssid', fields: { vlan: [30, 20], name: ['Pier', 'Café'] } })
    // And that one can be undone as well.
    expect(await revert(own.id)).toMatchObject({ retCode: 0 })
    expect(await get('ssid', id)).toMatchObject({ name: 'Pier', vlan: 30 })
  })

  test('refused where a later change touched the same fields, which are named with their entry', async () => {
    const { id, revision } = await save('ssid', ssid)
    const changed = await save('ssid', { ...ssid, id, revision, vlan: 30, hidden: true })
    const entry = await newest()
    await save('ssid', { ...ssid, id, revision: changed.revision, vlan: 40, hidden: true })
    const later = [{ field: 'vlan', entry: (await newest()).id }]
    expect(await view(entry.id)).toEqual({ can: false, reason: 'changedLater', later })
    expect(await revert(entry.id)).toMatchObject({
      retCode: codes.revertImpossible,
      data: { reason: 'changedLater', later },
    })
    expect(await get('ssid', id)).toMatchObject({ vlan: 40, hidden: true })
  })

  test('a replaced secret goes back without ever being shown', async () => {
    const { id, revision } = await save('ssid', ssid)
    await save('ssid', { ...ssid, id, revision, key: 'another-key-1' })
    const entry = await newest()
    const shown = JSON.stringify(await must('changelog/get', { id: entry.id }))
    expect(shown).not.toMatch(/harbour1234|another-key-1|v1\./)
    expect(await revert(entry.id)).toMatchObject({ retCode: 0 })
    const row = manager.runtime.sqlite.prepare('SELECT data FROM documents WHERE id = ?').get(id) as { data: string }
    const { key } = JSON.parse(row.data) as { key: string }
    expect(manager.runtime.secrets.open(key, `documents:${id}:key`)).toBe('harbour1234')
  })

  test('a secret does not go back to where it was not sent then', async () => {
    const office = { name: 'Office', server: '10.77.0.9', secret: 'the-house-secret' }
    const { id, revision } = await save('radius', office)
    const own = await save('radius', { ...office, id, revision, secret: 'of-mine' })
    const entry = await newest()
    await save('radius', { ...office, id, revision: own.revision, server: '10.77.0.66', secret: 'of-mine' })
    const later = [{ field: 'server', entry: (await newest()).id }]
    expect(await revert(entry.id)).toMatchObject({ data: { reason: 'changedLater', later } })
  })

  test('what was deleted comes back with its secret and its devices; what was added goes', async () => {
    const { id } = await save('ssid', { ...ssid, assign: { all: false, groups: [], devices: [] } })
    await must('settings/ssid/delete', { ids: [id] })
    const deleted = await newest()
    expect(await view(deleted.id)).toMatchObject({ can: true, does: 'add' })
    expect(await revert(deleted.id)).toMatchObject({ retCode: 0 })
    const { result } = await must('settings/ssid/list')
    expect(result).toMatchObject([{ ...ssid, key: { set: true }, assign: { all: false, groups: [], devices: [] } }])
    const back = await newest()
    expect(await view(back.id)).toMatchObject({ can: true, does: 'delete' })
    expect(await revert(back.id)).toMatchObject({ retCode: 0 })
    expect(await must('settings/ssid/list')).toMatchObject({ total: 0 })
    expect(await view(back.id)).toMatchObject({ can: false, reason: 'documentGone' })
  })

  test('the rules of the settings hold: a name that is taken meanwhile is told at its field', async () => {
    const { id } = await save('ssid', ssid)
    await must('settings/ssid/delete', { ids: [id] })
    const deleted = await newest()
    await save('ssid', { ...ssid, vlan: 99 })
    expect(await revert(deleted.id)).toMatchObject({
      retCode: codes['ssid:nameExists'],
      data: { fields: { name: 'nameExists' } },
    })
  })

  test('a setting that exists once: what was set is inherited again', async () => {
    const { id: group } = (await must('groups/add', { groupName: 'Upstairs', parentId: -1 })) as {
      id?: number
      groupId?: number
    }
    const scope = { group: group ?? 1 }
    await must('settings/system/save', { scope, revision: 0, timeZone: 'Europe/Madrid' })
    const entry = await newest()
    expect(entry.fields).toEqual({ timeZone: [null, 'Europe/Madrid'] })
    expect(await revert(entry.id)).toMatchObject({ retCode: 0 })
    expect(await must('settings/system/get', { scope })).toMatchObject({ own: {}, revision: 2 })
  })

  test('refused for what is no setting, for who may not change that setting, and for what is not there', async () => {
    await must('networks/tags/add', { tagName: 'Coast' })
    expect(await view((await newest()).id)).toMatchObject({ can: false, reason: 'noSetting' })
    expect((await revert((await newest()).id)).data).toMatchObject({ reason: 'noSetting' })
    expect((await revert(99_999)).retCode).toBe(codes.logEntryNotFound)
    await save('ssid', ssid)
    const entry = await newest()
    const reader = await person(manager, { role: 'platformReadOnly', all: true })
    expect((await revert(entry.id, reader)).retCode).toBe(codes.noAuthority)
    expect(await must('changelog/get', { id: entry.id }, reader)).toMatchObject({ revert: { reason: 'noAuthority' } })
    expect(await must('settings/ssid/list')).toMatchObject({ total: 1 })
  })
})
