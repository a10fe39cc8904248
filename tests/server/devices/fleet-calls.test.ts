import { eq } from 'drizzle-orm'
import { alerts, credentials, devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { fleetOf } from '@/server/devices/link/fleet'
import { startBackups } from '@/server/manager/backups/schedule'
import { backupState } from '@/server/manager/backups/state'
import { liveOfRadios } from '@/server/worker/live-radios'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person } from '../_people'

// Calls on devices that are rows only: nothing listens at their addresses. Real devices: tests/lab/fleet.test.ts.
let one: Manager
let browser: Browser
beforeEach(async () => {
  one = await startTestManager({ starters: [fleetInProcess()] })
  browser = await finishedWizard(one)
})
afterEach(() => one.stop())

const owner = { organization: 1, network: 1 }
type Row = Partial<typeof devices.$inferInsert> & { name: string }

function insert(rows: Row[]): number[] {
  const { runtime } = one
  const login = insertCredential(runtime, owner, { type: 'snmp2c', community: 'secret-community' })
  return rows.map((row, index) => {
    const base = {
      ...owner,
      address: `127.9.0.${index + 1}`,
      port: 9,
      driver: 'snmp',
      kind: 'switch',
      status: 1,
    } as const
    const { id } = runtime.db
      .insert(devices)
      .values({ ...base, credential: login, statusAt: 1000, createdAt: 1000, ...row })
      .returning({ id: devices.id })
      .get()
    return id
  })
}
const live = (id: number, values: object) => {
  const fleet = fleetOf(one.runtime)
  fleet.live.set(fleet.rowOf(id), values)
}
type Listed = { id: number; name: string; cpuPercent?: number }
const list = async (body = {}) => {
  const answer = await browser.post('devices/list', body)
  return answer.data as { result: Listed[]; total: number; page: number; counts: Record<string, unknown> }
}
const namesOf = async (body: object) => (await list(body)).result.map(row => row.name)

test('sorted by any column; numbers in names by their size; the unknown last both ways', async () => {
  const [a, b] = insert([{ name: 'AP 10' }, { name: 'ap 9' }, { name: 'Core', vendor: 'Acme' }])
  live(a as number, { cpuPercent: 5 })
  live(b as number, { cpuPercent: 0 })
  expect(await namesOf({})).toEqual(['ap 9', 'AP 10', 'Core'])
  const by = (field: string, direction: string) => namesOf({ sort: { field, direction } })
  expect(await by('cpuPercent', 'asc')).toEqual(['ap 9', 'AP 10', 'Core'])
  expect(await by('cpuPercent', 'desc')).toEqual(['AP 10', 'ap 9', 'Core'])
  expect((await by('vendor', 'desc'))[0]).toBe('Core')
  const { result } = await list()
  expect(result.find(row => row.name === 'ap 9')?.cpuPercent).toBe(0)
  expect(result.find(row => row.name === 'Core')).not.toHaveProperty('cpuPercent')
})

test('radios and what the maker says of itself are columns: sorted, searched and exported, unknown as a word', async () => {
  const told = { partNumber: 'PN-77', hardware: 'V02', boot: '1.0.0.13', ipv6: '2001:db8::7' }
  const [a, b] = insert([
    { name: 'a', kind: 'ap', ...told },
    { name: 'b', kind: 'ap' },
    { name: 'c', ipv6: '' },
  ])
  const air = (id: number | undefined, channel: number, txPowerDbm?: number) =>
    live(id as number, liveOfRadios([{ key: 'r', name: 'r', band: '5g', channel, txPowerDbm }]))
  air(a, 44, 17.5)
  air(b, 36)
  const by = (field: string) => namesOf({ sort: { field, direction: 'desc' } })
  expect(await by('channel')).toEqual(['a', 'b', 'c'])
  expect((await by('txPower'))[0]).toBe('a')
  for (const field of ['partNumber', 'hardware', 'boot', 'ipv6']) expect((await by(field))[0]).toBe('a')
  expect(await namesOf({ search: 'pn-77' })).toEqual(['a'])
  expect(await namesOf({ search: '2001:DB8::' })).toEqual(['a'])
  const { result } = await list()
  expect(result[0]).toMatchObject({ ...told, radios: [{ band: '5g', channel: 44, txPowerDbm: 17.5 }] })
  expect(result[2]).toMatchObject({ name: 'c', ipv6: '', partNumber: '' })
  expect(result[2]).not.toHaveProperty('radios')
  const file = await (await browser.raw('exports/devices?networkId=1', { method: 'GET' })).text()
  const [head = '', ...lines] = file
    .trim()
    .split('\r\n')
    .map(line => line.split(','))
  const cell = (row: number, name: string) => lines[row]?.[head.indexOf(name)]
  expect(cell(0, 'part number')).toBe('PN-77')
  expect(cell(0, 'tx power dBm')).toBe('17.5')
  expect([cell(1, 'channels'), cell(1, 'tx power dBm'), cell(1, 'ipv6')]).toEqual(['36', 'unknown', 'unknown'])
  expect(cell(2, 'channels')).toBe('unknown')
})

test('clients that were not counted yet are unknown; counted, a missing number is one that the device does not tell', async () => {
  const [a, b, c] = insert([{ name: 'a' }, { name: 'b' }, { name: 'c' }]) as [number, number, number]
  live(a, { cpuPercent: 5 })
  live(b, { cpuPercent: 5, countedAt: 1000 })
  live(c, { cpuPercent: 5, countedAt: 1000, clients: 0 })
  const rows = (await list()).result as { clients?: number; clientsCounted?: boolean }[]
  expect(rows.map(row => [row.clients, row.clientsCounted])).toEqual([
    [undefined, false],
    [undefined, true],
    [0, true],
  ])
  expect(rows[1]).not.toHaveProperty('countedAt')
})

test('searched, filtered by state, kind and group with the groups below, counted, paged', async () => {
  const made = await browser.post('groups/add', { groupName: 'Floor 1' })
  const upper = made.data.groupId as number
  const lower = (await browser.post('groups/add', { groupName: 'East', parentId: upper })).data.groupId as number
  insert([
    { name: 'one', group: upper, kind: 'ap' },
    { name: 'two', group: lower, status: 0 },
    { name: 'three', mac: '02:00:00:00:00:aa' },
  ])
  expect(await namesOf({ search: '00:AA' })).toEqual(['three'])
  expect(await namesOf({ filter: { status: [0] } })).toEqual(['two'])
  expect(await namesOf({ filter: { kind: ['ap'] } })).toEqual(['one'])
  expect(await namesOf({ filter: { groupId: upper } })).toEqual(['one', 'two'])
  expect(await namesOf({ filter: { groupId: -1 } })).toEqual(['three'])
  const page = await list({ page: 9, pageSize: 10 })
  expect(page).toMatchObject({ total: 3, page: 1 })
  expect(page.counts).toMatchObject({ all: 3, online: 2, offline: 1, kinds: { ap: 1, switch: 2 } })
})

test.each([
  ['devices/info', { id: 999 }],
  ['devices/usage', { id: 999 }],
  ['devices/event-log', { id: 999 }],
  ['devices/sync', { id: 999 }],
  ['devices/reboot', { ids: [999] }],
  ['devices/locate', { id: 999 }],
  ['devices/delete', { ids: [999] }],
  ['devices/replace', { id: 999, by: 998 }],
  ['devices/config/save', { id: 999, name: 'x' }],
])('%s on a device that is gone says so', async (path, body) => {
  expect((await browser.post(path, body)).retCode).toBe(codes.deviceNotFound)
})

test('a device of another network answers as if it did not exist; its page is told where it is, to whoever may go there', async () => {
  const added = await browser.post('networks/add', { networkName: 'B', country: 'PT', timezone: 'UTC' })
  const [id] = insert([{ name: 'here' }])
  const other = added.data.networkId ?? added.data.id
  expect(await browser.post('devices/info', { id, networkId: other })).toMatchObject({
    retCode: codes.deviceElsewhere,
    data: { networkId: 1 },
  })
  const there = await person(one, { role: 'networkReadOnly', networks: [Number(other)] })
  expect((await there.post('devices/info', { id, networkId: other })).retCode).toBe(codes.deviceNotFound)
  expect((await browser.post('devices/delete', { ids: [id], networkId: other })).retCode).toBe(codes.deviceNotFound)
  expect((await list()).total).toBe(1)
})

test('N3: a quick rename takes 32 characters', async () => {
  const [id] = insert([{ name: 'old' }])
  const rename = (length: number) => browser.post('devices/config/save', { id, name: 'x'.repeat(length) })
  expect((await rename(33)).data.fields).toEqual({ name: 'tooLong' })
  expect((await rename(32)).retCode).toBe(0)
})

test('A10: a password for a device has 8 to 32 characters of two kinds', async () => {
  const [id] = insert([{ name: 'old' }])
  const refused = async (password: string) =>
    (await browser.post('devices/set-login', { id, password })).data.fields as { password?: string } | undefined
  const wrong = async (password: string) => (await refused(password))?.password
  expect(await wrong('short 1')).toBe('tooShort')
  expect(await wrong(`a1${'x'.repeat(31)}`)).toBe('tooLong')
  for (const one of ['abcdefgh', '12345678', '!!!!!!!!']) expect(await wrong(one)).toBe('devicePassword')
  for (const one of ['abcdefg1', '1234567!', `!${'a'.repeat(31)}`]) expect(await wrong(one)).toBeUndefined()
})

test('N3: a name of 64 is taken, of 65 refused at its field', async () => {
  const [id] = insert([{ name: 'old' }])
  const save = (name: string) => browser.post('devices/config/save', { id, name, remarks: 'By the stairs' })
  expect((await save('x'.repeat(65))).data.fields).toEqual({ name: 'tooLong' })
  expect((await save('  ')).data.fields).toEqual({ name: 'required' })
  expect((await save('x'.repeat(64))).retCode).toBe(0)
  expect(await namesOf({})).toEqual(['x'.repeat(64)])
})

test('an address that another device has is refused', async () => {
  const [id] = insert([{ name: 'a' }, { name: 'b' }])
  const answer = await browser.post('devices/config/save', { id, address: '127.9.0.2' })
  expect(answer).toMatchObject({ retCode: codes.deviceExists, data: { fields: { address: 'deviceExists' } } })
})

test('replace: the new device takes name, remarks and group; the old one is gone', async () => {
  const group = (await browser.post('groups/add', { groupName: 'Roof' })).data.groupId as number
  const [old, next] = insert([{ name: 'Roof AP', remarks: 'north mast', group, status: 0 }, { name: 'fresh' }])
  expect((await browser.post('devices/replace', { id: old, by: old })).data.fields).toEqual({ by: 'notAllowed' })
  expect((await browser.post('devices/replace', { id: old, by: next })).retCode).toBe(0)
  const { result } = await list()
  expect(result).toMatchObject([
    { id: next, name: 'Roof AP', remarks: 'north mast', groupId: group, address: '127.9.0.2' },
  ])
})

test('moved to another network the login goes along, as a copy, and its alerts, one incident as before', async () => {
  const added = await browser.post('networks/add', { networkName: 'B', country: 'PT', timezone: 'UTC' })
  const other = (added.data.networkId ?? added.data.id) as number
  const [id, twin] = insert([{ name: 'wanders' }, { name: 'follows' }, { name: 'stays' }])
  const { runtime } = one
  const raised = { organization: 1, network: 1, level: 10, type: 'deviceOffline', at: 1 }
  const [cause, behind] = [id, twin].map(
    device =>
      runtime.db
        .insert(alerts)
        .values({ ...raised, device })
        .returning()
        .get().id,
  )
  runtime.db
    .update(alerts)
    .set({ parent: cause })
    .where(eq(alerts.id, behind ?? 0))
    .run()
  const heard: unknown[] = []
  const off = runtime.bus.on(event => event.topic === 'alerts' && heard.push(event.network))
  expect((await browser.post('devices/move', { ids: [id, twin], toNetworkId: other })).retCode).toBe(0)
  off()
  expect(heard).toEqual([1, other])
  expect(runtime.db.select({ network: alerts.network, parent: alerts.parent }).from(alerts).all()).toEqual([
    { network: other, parent: null },
    { network: other, parent: cause },
  ])
  expect(await namesOf({})).toEqual(['stays'])
  const there = await browser.post('devices/info', { id, networkId: other })
  expect(there.data.credential).toMatchObject({ type: 'snmp2c' })
  expect(
    one.runtime.db
      .select()
      .from(credentials)
      .all()
      .map(row => row.network),
  ).toEqual([1, other])
})

test('the export defuses formulas and says unknown instead of nothing', async () => {
  insert([{ name: '=HYPERLINK("http://x")', remarks: '+1' }])
  const answer = await browser.raw('exports/devices', { method: 'GET' })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  expect(answer.headers.get('content-disposition')).toMatch(/attachment; filename="devices-\d{4}-\d\d-\d\d\.csv"/)
  const text = await answer.text()
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).toContain(`"'+1"`)
  expect(text).toContain('unknown')
  expect(text).not.toContain('secret-community')
})

describe('import (N20)', () => {
  const load = (file: string, more = {}) => browser.post('devices/import', { file, ...more })
  test('a file is required, with an address column', async () => {
    expect((await load('')).data.fields).toEqual({ file: 'required' })
    expect((await load('name\nx')).data.fields).toEqual({ file: 'addressColumnMissing' })
    expect((await load('address\n')).data.fields).toEqual({ file: 'required' })
  })
  test('every wrong line is named, and nothing is adopted', async () => {
    insert([{ name: 'a' }])
    const file = [
      'Address,name,protocol,port,community,user,password,credential',
      '10.0.0.1,ok,snmpv2c,,public,,,',
      '10.0.0.999,bad address,snmpv2c,,public,,,',
      '10.0.0.3,no community,snmpv2c,,,,,',
      '10.0.0.4,bad port,ssh,70000,,root,x,',
      '10.0.0.5,unknown login,,,,,,nobody',
      '10.0.0.1,twice,snmpv2c,,public,,,',
    ].join('\n')
    const answer = await load(file)
    expect(answer.data).toMatchObject({ rows: 6, jobId: '' })
    const errors = answer.data.errors as { row: number; field: string; problem: string }[]
    expect(errors.map(error => [error.row, error.field])).toEqual([
      [3, 'address'],
      [4, 'community'],
      [5, 'port'],
      [6, 'credential'],
      [7, 'address'],
    ])
    expect((await list()).total).toBe(1)
  })
  test('each line is adopted for itself, and tells why not', async () => {
    const answer = await load('address;protocol;user;password\n127.0.0.1;ssh;root;x\n', { trustHostKeys: true })
    const job = await (async () => {
      for (;;) {
        const { data } = await browser.post('devices/adopt/result', { jobId: answer.data.jobId })
        if (data.state === 'done') return data
        await new Promise(done => setTimeout(done, 50))
      }
    })()
    expect(job.items).toMatchObject([{ address: '127.0.0.1', state: 'failed', failure: { step: 'reach' } }])
  })
})

describe('logins', () => {
  const save = (credential: object, more = {}) => browser.post('credentials/save', { name: 'L', credential, ...more })
  test.each([
    [{ type: 'snmp2c', community: '' }, 'credential.community'],
    [{ type: 'snmp2c', community: 'x'.repeat(65) }, 'credential.community'],
    [
      { type: 'snmp3', user: 'u', level: 'authPriv', authProtocol: 'sha', authKey: 'long-enough' },
      'credential.privProtocol',
    ],
    [{ type: 'snmp3', user: 'u', level: 'authNoPriv', authProtocol: 'sha', authKey: 'short' }, 'credential.authKey'],
    [{ type: 'ssh', user: 'root', privateKey: 'not a key' }, 'credential.privateKey'],
    [{ type: 'ssh', user: 'root', password: 'x', extra: 1 }, 'credential.extra'],
    [{ type: 'telnet', user: 'root' }, 'credential.type'],
  ])('%j is refused at %s', async (credential, field) => {
    expect(Object.keys((await save(credential)).data.fields as object)).toContain(field)
  })
  test('stored sealed, shown without secrets, names unique', async () => {
    expect((await save({ type: 'ssh', user: 'root', password: 'p4ss-w0rd!' })).retCode).toBe(0)
    expect((await save({ type: 'ssh', user: 'root', password: 'other' })).data.fields).toEqual({ name: 'nameExists' })
    const shown = (await browser.post('credentials/list')).data
    expect(shown.result).toMatchObject([
      { name: 'L', user: 'root', login: { type: 'ssh', password: { set: true } }, devices: [] },
    ])
    const stored = one.runtime.sqlite.prepare('SELECT secret FROM credentials').pluck().all().join()
    expect(`${JSON.stringify(shown)}${stored}`).not.toContain('p4ss-w0rd!')
  })
  test('in use: not deleted, and the users are named', async () => {
    insert([{ name: 'uses it' }])
    const answer = await browser.post('credentials/delete', { id: 1 })
    expect(answer).toMatchObject({ retCode: codes.credentialInUse, data: { devices: [{ name: 'uses it' }] } })
  })
})

test('errors on ports and a backup for this machine alone are things to look at', async () => {
  const [a, b] = insert([{ name: 'a' }, { name: 'b' }]) as [number, number]
  live(a, { portErrors: 12.4 })
  live(b, { portErrors: 9.9 })
  type Health = { state: string; notices: { code: string; count: number; devices: { name: string }[] }[] }
  const health = async (who = browser) => (await who.post('dashboard/health', { networkId: 1 })).data as Health
  expect(await health()).toMatchObject({
    state: 'warning',
    notices: [{ code: 'errors', count: 1, devices: [{ name: 'a' }] }],
  })
  live(a, { portErrors: 0 })
  const proven = { name: 'x.tar.gz', at: 1, documents: 0, devices: 0 }
  backupState.change(one.runtime.db, { lastProven: { ...proven, portable: false } })
  startBackups(one.runtime)
  expect(await health()).toMatchObject({ state: 'warning', notices: [{ code: 'backups', count: 1 }] })
  const reader = await person(one, { role: 'networkReadOnly', networks: [1] })
  expect((await health(reader)).notices).toEqual([])
  backupState.change(one.runtime.db, { lastProven: { ...proven, portable: true } })
  expect((await health()).notices).toEqual([])
})

describe('the dashboard without anything to show is honest', () => {
  test('no devices: unknown, and no client count at all', async () => {
    expect((await browser.post('dashboard/health')).data.state).toBe('unknown')
    const clients = (await browser.post('dashboard/clients-count')).data
    expect(clients).not.toHaveProperty('total')
    expect((clients.clients as unknown[]).every(value => value === null)).toBe(true)
    expect((await browser.post('dashboard/top-aps')).data.result).toEqual([])
    expect((await browser.post('dashboard/top-clients')).data).toMatchObject({ result: [], total: 0 })
    expect((await browser.post('dashboard/bandwidth')).data.now).not.toHaveProperty('inBps')
  })
  test('a device that did not answer its last poll counts nowhere as online', async () => {
    insert([
      { name: 'a', kind: 'ap' },
      { name: 'b', kind: 'ap', reason: 'timeout' },
      // It answers, and cannot be read as a whole.
      { name: 'c', kind: 'ap', reason: 'malformed' },
    ])
    const data = async (path: string, body = {}) => (await browser.post(path, body)).data
    const named = async (filter: object) =>
      ((await data('devices/list', { filter })).result as { name: string }[]).map(one => one.name)
    expect(await data('devices/list')).toMatchObject({ counts: { all: 3, online: 2, silent: 1 } })
    expect(await named({ status: [1], silent: false })).toEqual(['a', 'c'])
    expect(await named({ silent: true })).toEqual(['b'])
    expect((await data('dashboard/devices')).result).toContainEqual(
      expect.objectContaining({ kind: 'ap', total: 3, online: 2, silent: 1 }),
    )
    expect((await data('networks/list')).result).toMatchObject([{ devicesOnline: 2 }])
    expect((await data('groups/device-types')).result).toMatchObject([{ type: 'ap', count: 3, online: 2 }])
    expect((await data('dashboard/health')).state).toBe('warning')
  })
  test('all is well only once every device was heard', async () => {
    const state = async () => (await browser.post('dashboard/health')).data.state
    const [, late] = insert([{ name: 'a' }, { name: 'b' }]) as [number, number]
    expect(await state()).toBe('ok')
    one.runtime.db.update(devices).set({ status: 3 }).where(eq(devices.id, late)).run()
    one.runtime.bus.emit({ topic: 'devices' })
    expect(await state()).toBe('unknown')
  })
  test('tiles count by kind and state', async () => {
    insert([
      { name: 'a', kind: 'ap' },
      { name: 'b', kind: 'ap', status: 0 },
      { name: 'c', status: 3 },
    ])
    const { result } = (await browser.post('dashboard/devices')).data as { result: object[] }
    expect(result).toContainEqual({ kind: 'ap', total: 2, online: 1, silent: 0, offline: 1, waiting: 0 })
    expect((await browser.post('dashboard/health')).data).toMatchObject({ state: 'critical', trouble: [{ name: 'b' }] })
  })
})
