// Voucher groups and their vouchers by the calls, as people and scripts use them.
import { eq } from 'drizzle-orm'
import { changelog, voucherDevices, vouchers } from '@/db/schema'
import { codes } from '@/model/codes'
import { normalCode } from '@/model/guests/voucher-code'
import { limits } from '@/model/limits'
import { count, redeem } from '@/server/guests/vouchers/redeem'
import type { BusEvent } from '@/server/kernel/bus'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person, role, sharedNetwork } from '../_people'

let one: Manager
let owner: Browser
let told: BusEvent[]
beforeAll(async () => {
  one = await startTestManager()
  owner = await finishedWizard(one)
  one.runtime.bus.on(event => told.push(event))
})
beforeEach(() => {
  told = []
})
afterAll(() => one.stop())

const terms = { days: 0, hours: 24, minutes: 0, validityDays: 30 }
const fits = { days: 1, hours: 0, minutes: 0, validityDays: 30 }
let groups = 0
const save = (own: object = {}, browser = owner) => {
  groups += 1
  return browser.post('vouchers/groups/save', { name: `Group ${groups}`, quantity: 3, ...fits, ...own })
}
async function made(own: object = {}): Promise<number> {
  const { retCode, data } = await save(own)
  expect([retCode, data]).toEqual([0, { id: expect.any(Number), revision: 1 }])
  return data.id as number
}
type Row = { id: number; code: string | null; state: number; secondsLeft: number; devices: string[] }
const rows = async (groupId: number, own: object = {}, browser = owner) =>
  (await browser.post('vouchers/list', { groupId, ...own })).data as { result: Row[]; total: number; counts: object }
const idsOf = (list: Row[]) => list.map(row => row.id)
const phone = '02:00:00:00:00:01'
const use = (code: string | null, mac = phone) =>
  redeem(one.runtime, { network: 1, code: code ?? '', mac, now: Date.now() })
const usedUp = (voucher: number) =>
  count(one.runtime, { voucher, mac: phone, seconds: 86_400, bytes: 5, now: Date.now() + 1000 })
const lastEntry = () => one.runtime.db.select().from(changelog).all().at(-1)

test('a group is made with its vouchers, and each lets somebody in', async () => {
  const id = await made({ name: 'Weekend', quantity: 5, notes: 'For the front desk' })
  const group = (await owner.post('vouchers/groups/get', { id })).data
  expect(group).toMatchObject({ name: 'Weekend', ...fits, maxDevices: 1, bytesPer: 'voucher', revision: 1 })
  expect(group.counts).toEqual({ unused: 5, inUse: 0, used: 0, expired: 0, total: 5 })
  expect(group).not.toHaveProperty('organization')
  const { result } = await rows(id)
  expect(result.map(row => normalCode(row.code ?? ''))).not.toContain(undefined)
  expect(use(result[0]?.code ?? '')).toMatchObject({ seconds: 86_400, group: id })
  expect(lastEntry()).toMatchObject({ action: 'add', object: 'voucherGroup', name: 'Weekend', network: 1 })
})

test.each([
  ['G8', { name: '' }, 'name'],
  ['G9', { quantity: 0 }, 'quantity'],
  ['G9', { quantity: 1001 }, 'quantity'],
  ['G9', { quantity: undefined }, 'quantity'],
  ['G10', { maxDevices: 10_001 }, 'maxDevices'],
  ['G11', { days: 0 }, 'days'],
  ['G11', { days: 365, minutes: 1 }, 'days'],
  ['G12', { validityDays: 1096 }, 'validityDays'],
  ['G13', { byteLimitMb: 0 }, 'byteLimitMb'],
  ['G13', { downloadKbps: 1500 }, 'downloadKbps'],
  ['G15', { resetDays: 366 }, 'resetDays'],
  ['G15', { resetHour: 24 }, 'resetHour'],
  ['G21', terms, 'hours'],
  ['unknown', { colour: 'red' }, 'colour'],
  ['name taken', { name: 'weekend' }, 'name'],
])('%s: %j is refused at its field, and nothing is made', async (_rule, wrong, field) => {
  const before = one.runtime.db.select().from(vouchers).all().length
  const { retCode, data } = await save(wrong)
  expect([retCode === 0, Object.keys(data.fields as object)]).toEqual([false, [field]])
  expect(one.runtime.db.select().from(vouchers).all()).toHaveLength(before)
})

test('other terms are those of all vouchers of the group, and whoever is in is told about', async () => {
  const id = await made({ name: 'Terms' })
  const [first] = (await rows(id)).result
  use(first?.code ?? '')
  told = []
  const edit = { id, revision: 1, name: 'Terms', ...fits, days: 2, maxDevices: 3 }
  expect((await owner.post('vouchers/groups/save', { ...edit, quantity: 9 })).data.fields).toEqual({
    quantity: 'notUsed',
  })
  expect((await owner.post('vouchers/groups/save', edit)).data).toEqual({ id, revision: 2 })
  expect(told).toContainEqual({ topic: 'vouchersChanged', organization: 1, network: 1, ids: [first?.id] })
  expect(use(first?.code ?? '', '02:00:00:00:00:02').seconds).toBe(172_800)
  expect(JSON.parse(lastEntry()?.fields ?? '')).toEqual({ voucherSeconds: [86_400, 172_800], maxDevices: [1, 3] })
  expect((await owner.post('vouchers/groups/save', edit)).retCode).toBe(codes.staleRevision)
})

test('S1: in use and used vouchers are renewed; with an unused or an expired one among them none is', async () => {
  const id = await made({ quantity: 4 })
  const [a, b, c, d] = (await rows(id)).result as [Row, Row, Row, Row]
  const shown = async () =>
    Object.fromEntries((await rows(id)).result.map(row => [row.id, [row.state, row.secondsLeft]]))
  for (const row of [a, b, c]) use(row.code)
  usedUp(b.id)
  const old = Date.now() - 31 * 86_400_000
  one.runtime.db.update(vouchers).set({ validFrom: old }).where(eq(vouchers.id, c.id)).run()
  const before = { [a.id]: [1, 86_400], [b.id]: [2, 0], [c.id]: [3, 86_400], [d.id]: [0, 86_400] }
  expect(await shown()).toEqual(before)
  const renew = (...ids: number[]) => owner.post('vouchers/renew', { groupId: id, ids })
  expect((await renew(a.id, d.id)).retCode).toBe(codes.voucherNotRenewable)
  expect((await renew(b.id, c.id)).retCode).toBe(codes.voucherNotRenewable)
  expect(await shown()).toEqual(before)
  told = []
  expect((await renew(a.id, b.id)).data).toEqual({ renewed: 2 })
  expect(await shown()).toEqual({ ...before, [b.id]: [1, 86_400] })
  expect(told.find(event => event.topic === 'vouchersChanged')?.ids?.toSorted()).toEqual([a.id, b.id].toSorted())
  const row = one.runtime.db.select().from(vouchers).where(eq(vouchers.id, b.id)).get()
  expect(row).toMatchObject({ usedSeconds: 0, usedBytes: 0 })
  expect(row?.validFrom).toBeGreaterThan(b.id)
  expect(one.runtime.db.select().from(voucherDevices).where(eq(voucherDevices.voucher, b.id)).all()).toHaveLength(1)
  expect(lastEntry()).toMatchObject({ action: 'renew', object: 'vouchers' })
})

test('the list finds by state, number, device and whole code, sorts and counts', async () => {
  const id = await made({ quantity: 12 })
  const all = (await rows(id)).result
  const [first, second] = all as [Row, Row]
  use(first.code, '02:00:00:00:00:aa')
  expect(await rows(id, { filter: { state: 1 } })).toMatchObject({
    total: 1,
    counts: { unused: 11, inUse: 1, total: 12 },
  })
  expect(idsOf((await rows(id, { search: '00:AA' })).result)).toEqual([first.id])
  expect(idsOf((await rows(id, { search: (second.code ?? '').toLowerCase() })).result)).toEqual([second.id])
  expect(idsOf((await rows(id, { search: String(second.id) })).result)).toContain(second.id)
  expect((await rows(id, { pageSize: 10, page: 2 })).result).toHaveLength(2)
  expect(idsOf((await rows(id, { sort: { field: 'state', direction: 'desc' } })).result)[0]).toBe(first.id)
  const found = (await owner.post('vouchers/groups/list', { search: second.code })).data.result as { id: number }[]
  expect(found.map(group => group.id)).toEqual([id])
  const { data } = await owner.post('vouchers/states', { groupId: id })
  expect(data).toEqual({ unused: 11, inUse: 1, used: 0, expired: 0, total: 12 })
})

test('what is deleted lets nobody in, and those it let in are told about', async () => {
  const id = await made()
  const [a, b, c] = (await rows(id)).result as [Row, Row, Row]
  use(a.code)
  use(b.code)
  told = []
  const gone = await owner.post('vouchers/delete', { groupId: id, ids: [a.id, c.id] })
  expect(gone.data).toEqual({ deleted: 2 })
  expect(told.filter(event => event.topic === 'vouchersChanged').map(event => event.ids)).toEqual([[a.id]])
  expect(() => use(a.code)).toThrow('voucherUnavailable')
  expect((await owner.post('vouchers/delete', { groupId: id, ids: [b.id, a.id] })).retCode).toBe(codes.voucherNotFound)
  told = []
  expect((await owner.post('vouchers/groups/delete', { ids: [id] })).data).toEqual({ deleted: 1 })
  expect(told.filter(event => event.topic === 'vouchersChanged').map(event => event.ids)).toEqual([[b.id]])
  expect((await owner.post('vouchers/list', { groupId: id })).retCode).toBe(codes.voucherGroupNotFound)
})

test('a group holds 10,000, a network 500 groups', async () => {
  const id = await made({ quantity: 1000 })
  for (let at = 1; at < 10; at++)
    expect((await owner.post('vouchers/add', { groupId: id, quantity: 1000 })).retCode).toBe(0)
  expect((await owner.post('vouchers/add', { groupId: id, quantity: 1 })).retCode).toBe(codes.voucherLimit)
  const held = ((await owner.post('vouchers/groups/list')).data.total as number) ?? 0
  for (let at = held; at < limits.voucherGroups; at++) expect((await save({ quantity: 1 })).retCode).toBe(0)
  expect((await save({ quantity: 1 })).retCode).toBe(codes.voucherGroupLimit)
})

describe('who sees and does what', () => {
  test('codes are for whoever may print them: in the list, in the file, and to search by', async () => {
    const far = network(one, 'Codes')
    const boss = await person(one, { role: 'networkAdministrator', networks: [far] })
    const id = (await save({ networkId: far }, boss)).data.id as number
    const [row] = (await rows(id, { networkId: far }, boss)).result
    expect(normalCode(row?.code ?? '')).toBeDefined()
    const reader = await person(one, { role: role(one, 'Readers', ['vouchers', 'exports']), networks: [far] })
    const seen = await rows(id, { networkId: far }, reader)
    expect(seen.result.map(one => one.code)).toEqual([null, null, null])
    expect((await rows(id, { networkId: far, search: row?.code }, reader)).total).toBe(0)
    const found = await reader.post('vouchers/groups/list', { networkId: far, search: row?.code })
    expect(found.data.total).toBe(0)
    const file = async (who: Browser) =>
      (await who.raw(`exports/vouchers?networkId=${far}&groupId=${id}`, { method: 'GET' })).text()
    expect(await file(reader)).not.toContain(row?.code)
    expect(await file(boss)).toContain(`${row?.id},${row?.code},unused,`)
  })

  test('a guest editor makes, sells and renews; a network administrator who only reads does not', async () => {
    const far = network(one, 'Rights')
    const desk = await person(one, { role: 'guestEditor', networks: [far] })
    expect((await save({ networkId: far }, desk)).retCode).toBe(0)
    const reader = await person(one, { role: 'networkReadOnly', networks: [far] })
    expect((await save({ networkId: far }, reader)).retCode).toBe(codes.noAuthority)
  })

  test('a group of another network is not there', async () => {
    const id = one.runtime.db.select().from(vouchers).all()[0]?.group ?? 0
    const far = network(one, 'Elsewhere')
    const desk = await person(one, { role: 'guestEditor', networks: [far] })
    for (const [path, input] of [
      ['vouchers/list', { groupId: id }],
      ['vouchers/groups/get', { id }],
      ['vouchers/add', { groupId: id, quantity: 1 }],
      ['vouchers/groups/delete', { ids: [id] }],
    ] as const)
      expect([path, (await desk.post(path, { networkId: far, ...input })).retCode]).toEqual([
        path,
        codes.voucherGroupNotFound,
      ])
  })

  test('in a shared network they are its owner’s', async () => {
    const [lender, other] = [organization(one, 'Lender'), organization(one, 'Other')]
    const lent = sharedNetwork(one, 'Lent', lender, other, 'manage')
    const helper = await person(one, { role: 'networkAdministrator', networks: [lent], organization: other })
    const { data } = await save({ networkId: lent }, helper)
    const row = one.runtime.db
      .select()
      .from(vouchers)
      .where(eq(vouchers.group, data.id as number))
      .get()
    expect(row).toMatchObject({ organization: lender, network: lent })
  })
})
