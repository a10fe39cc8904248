// The front desk over its calls: each press once, however often it arrives, and what was done is really done.
import { randomUUID } from 'node:crypto'
import { eq, isNotNull } from 'drizzle-orm'
import { changelog, guests, mails, voucherDevices, vouchers } from '@/db/schema'
import { codes } from '@/model/codes'
import { normalCode } from '@/model/guests/voucher-code'
import { limits } from '@/model/limits'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { awayVouchers } from '@/server/guests/vouchers/away-list'
import { voucherKeys } from '@/server/guests/vouchers/key-list'
import { saveMailServer } from '../_mail-server'
import { network, type Person, person } from '../_people'
import { type House, house } from './_house'

let one: House
let desk: Person
let group: number
let changed: number[]
beforeAll(async () => {
  one = await house()
  one.manager.runtime.bus.on(({ topic, ids = [] }) => topic === 'vouchersChanged' && changed.push(...ids))
  desk = await clerk()
  group = await preset('1 day', { days: 1, maxDevices: 2 })
})
beforeEach(() => {
  changed = []
})
afterAll(() => one.end())

/** Somebody at the desk of the house. */
async function clerk(role = 'guestEditor'): Promise<Person> {
  const made = await person(one.manager, { role, networks: [1] })
  return { ...made, post: (path, body = {}) => made.post(path, { networkId: 1, ...(body as object) }) }
}
const db = () => one.manager.runtime.db
async function preset(name: string, own: object = {}): Promise<number> {
  const terms = { days: 0, hours: 0, minutes: 0, validityDays: 30, desk: true }
  const { retCode, data } = await one.owner.post('vouchers/groups/save', { name, ...terms, ...own })
  expect([retCode, data.fields]).toEqual([0, undefined])
  return data.id as number
}
type Row = { id: number; code: string; state: number; note: string; devices: string[]; secondsLeft: number }
const press = (what: string, own: object, browser: Person = desk) =>
  browser.post(`vouchers/desk/${what}`, { act: randomUUID(), ...own })
async function sold(note = '', groupId = group): Promise<Row> {
  const { retCode, data } = await press('sell', { groupId, note })
  expect(retCode).toBe(0)
  return data.voucher as Row
}
const find = async (search?: string, browser: Person = desk) =>
  (await browser.post('vouchers/desk/find', search === undefined ? {} : { search })).data as unknown as {
    result: Row[]
    more: boolean
  }
const rowOf = async (id: number) => (await find(String(id))).result.find(row => row.id === id)
const phone = { mac: '02:00:00:00:00:51', ip: '10.66.0.51' }
const other = { mac: '02:00:00:00:00:52', ip: '10.66.0.52' }
const enter = (code: string, guest = phone) => one.send(guest, { method: 'voucher', code })
const inNow = () =>
  one
    .rows()
    .filter(row => row.ended === null)
    .map(row => row.mac)
/** Those whose vouchers changed are looked at, as the manager does when it hears of it. */
const settled = async (voucher: number) => {
  expect(changed).toContain(voucher)
  await lookAtGuests(one.manager.runtime, 1)
}

test('a group that the desk sells needs no vouchers to begin with; another does', async () => {
  const { data } = await one.owner.post('vouchers/groups/save', {
    name: 'Plain',
    days: 1,
    hours: 0,
    minutes: 0,
    validityDays: 30,
  })
  expect(data.fields).toEqual({ quantity: 'required' })
  const { presets, mail } = (await desk.post('vouchers/desk/presets')).data
  expect([presets, mail]).toEqual([
    [{ id: group, name: '1 day', seconds: 86_400, maxDevices: 2, byteLimitMb: null }],
    false,
  ])
})

test('what is sold lets a guest in, and is found by room, code and device', async () => {
  const voucher = await sold('Room 108')
  expect(normalCode(voucher.code)).toBeDefined()
  await enter(voucher.code)
  expect(inNow()).toEqual([phone.mac])
  for (const wanted of ['room 108', voucher.code.toLowerCase().replaceAll('-', ' '), phone.mac])
    expect((await find(wanted)).result.map(row => row.id)).toEqual([voucher.id])
  expect((await find()).result[0]).toMatchObject({ id: voucher.id, note: 'Room 108', devices: [phone.mac], state: 1 })
  expect((await find('nowhere')).result).toEqual([])
})

test('a doubled sale makes one voucher and answers with the same, also when both arrive at once', async () => {
  const act = randomUUID()
  const before = db().select().from(vouchers).all().length
  const input = { act, groupId: group, note: 'Twice' }
  const answers = await Promise.all([0, 1, 2].map(() => desk.post('vouchers/desk/sell', input)))
  const later = await desk.post('vouchers/desk/sell', input)
  const made = [...answers, later].map(answer => (answer.data.voucher as Row).code)
  expect(new Set(made).size).toBe(1)
  expect(db().select().from(vouchers).all()).toHaveLength(before + 1)
  expect(later.data.qr).toMatchObject({ size: expect.any(Number) })
})

test('an id that stands for another press, or is of another person, is refused at its field', async () => {
  const act = randomUUID()
  const { data } = await desk.post('vouchers/desk/sell', { act, groupId: group })
  const { id } = data.voucher as Row
  expect((await desk.post('vouchers/desk/void', { act, id })).data.fields).toEqual({ act: 'invalid' })
  const colleague = await clerk()
  expect((await colleague.post('vouchers/desk/sell', { act, groupId: group })).data.fields).toEqual({ act: 'invalid' })
  expect((await desk.post('vouchers/desk/sell', { act: 'x', groupId: group })).data.fields).toEqual({ act: 'invalid' })
  expect(await rowOf(id)).toBeDefined()
})

test.each([
  ['a note of two lines', { note: 'a\nb' }, 'note'],
  ['a note that is too long', { note: 'x'.repeat(limits.deskNoteCharacters + 1) }, 'note'],
])('%s is refused at its field, and nothing is sold', async (_what, wrong, field) => {
  const before = db().select().from(vouchers).all().length
  const { data } = await press('sell', { groupId: group, ...wrong })
  expect(Object.keys(data.fields as object)).toEqual([field])
  expect(db().select().from(vouchers).all()).toHaveLength(before)
})

test('a group that is not sold at the desk, or is of another network, is not there', async () => {
  const plain = await preset('Not here', { days: 1, desk: false, quantity: 1 })
  expect((await press('sell', { groupId: plain })).retCode).toBe(codes.voucherGroupNotFound)
  const far = network(one.manager, 'Far')
  const { data } = await one.owner.post('vouchers/groups/save', {
    ...{ networkId: far, name: 'Far', days: 1, hours: 0, minutes: 0, validityDays: 30, desk: true },
  })
  expect((await press('sell', { groupId: data.id })).retCode).toBe(codes.voucherGroupNotFound)
})

test('S1: a voucher in use is extended once for a doubled press; an unused one is refused', async () => {
  const voucher = await sold('Room 9')
  expect((await press('extend', { id: voucher.id })).retCode).toBe(codes.voucherNotRenewable)
  await enter(voucher.code, other)
  const spent = { usedSeconds: 80_000, countedAt: Date.now() }
  db().update(vouchers).set(spent).where(eq(vouchers.id, voucher.id)).run()
  const act = randomUUID()
  await desk.post('vouchers/desk/extend', { act, id: voucher.id })
  expect((await rowOf(voucher.id))?.secondsLeft).toBe(86_400)
  db().update(vouchers).set(spent).where(eq(vouchers.id, voucher.id)).run()
  // The same press arrives once more: nothing is done now.
  await desk.post('vouchers/desk/extend', { act, id: voucher.id })
  expect((await rowOf(voucher.id))?.secondsLeft).toBe(6400)
  await press('void', { id: voucher.id })
})

describe('time is added to one voucher', () => {
  const addTime = (id: number, more: object) => press('add-time', { id, days: 0, hours: 0, minutes: 0, ...more })
  const stored = (id: number) => db().select().from(vouchers).where(eq(vouchers.id, id)).get()
  const ended = (mac: string) => one.rows().find(row => row.mac === mac && row.ended === null)?.ends ?? 0

  test('its guest stays in, once for a doubled press, and all lists know', async () => {
    const { id, code } = await sold('Room 11')
    await enter(code, other)
    const before = ended(other.mac)
    const act = randomUUID()
    const input = { act, id, days: 0, hours: 3, minutes: 30 }
    await Promise.all([desk.post('vouchers/desk/add-time', input), desk.post('vouchers/desk/add-time', input)])
    await settled(id)
    expect(Math.abs(ended(other.mac) - before - 12_600_000)).toBeLessThan(5000)
    expect(one.gateway.in.get(other.mac)?.bounds.seconds ?? 0).toBeGreaterThan(86_400)
    expect(await rowOf(id)).toMatchObject({ seconds: 99_000, secondsLeft: 99_000 })
    const { result } = (await one.owner.post('vouchers/list', { groupId: group, search: String(id) })).data
    expect(result).toEqual([expect.objectContaining({ id, secondsLeft: 99_000 })])
    const [away] = (await awayVouchers(one.manager.runtime, 1, 1, Date.now())).filter(row => row.voucher === id)
    expect(away?.use.seconds).toBe(99_000)
    const entry = { action: 'edit', object: 'vouchers', name: '1 day' }
    expect(db().select().from(changelog).all()).toContainEqual(expect.objectContaining(entry))
    await press('void', { id })
  })

  test('what was used up lets in again for just that time; renewed it is as it was sold', async () => {
    const { id, code } = await sold('Room 12')
    await enter(code, other)
    db().update(vouchers).set({ usedSeconds: 86_400, countedAt: Date.now() }).where(eq(vouchers.id, id)).run()
    expect(await rowOf(id)).toMatchObject({ state: 2, secondsLeft: 0 })
    await addTime(id, { hours: 1 })
    expect(await rowOf(id)).toMatchObject({ state: 1, secondsLeft: 3600 })
    const { counts } = (await one.owner.post('vouchers/list', { groupId: group, filter: { state: 2 } })).data
    expect(counts).toMatchObject({ used: 0 })
    await press('extend', { id })
    expect(await rowOf(id)).toMatchObject({ seconds: 86_400, secondsLeft: 86_400 })
    await press('void', { id })
  })

  test('validity ends no earlier than that time is over, and no later than it did where it fits', async () => {
    const short = await preset('Valid a day', { hours: 12, validityDays: 1 })
    const { id } = await sold('', short)
    const first = stored(id)?.validFrom ?? 0
    await addTime(id, { hours: 1 })
    expect(stored(id)?.validFrom).toBe(first)
    const now = Date.now()
    await addTime(id, { days: 3 })
    const since = (stored(id)?.validFrom ?? 0) + 86_400_000 - (12 + 1 + 72) * 3_600_000
    expect([since >= now, since <= Date.now()]).toEqual([true, true])
  })

  test('a key whose time ran out runs on from now', async () => {
    const { id } = await sold('Room 13')
    const longAgo = Date.now() - 9 * 86_400_000
    const ran = { keySince: longAgo, firstUsedAt: longAgo, usedSeconds: 86_400, countedAt: longAgo }
    db().update(vouchers).set(ran).where(eq(vouchers.id, id)).run()
    const now = Math.floor(Date.now() / 1000)
    await addTime(id, { hours: 2 })
    const [key] = (
      await voucherKeys(one.manager.runtime, 1, [{ id: 's', name: 'Keys' }], new Map(), Date.now())
    ).filter(row => row.voucher === id)
    const from = (key?.end ?? 0) - 7200
    expect([from >= now, from <= Date.now() / 1000]).toEqual([true, true])
    await press('void', { id })
  })

  test.each([
    [{ minutes: 0 }, 'voucherDuration'],
    [{ minutes: 1 }, undefined],
    [{ days: 365 }, undefined],
    [{ days: 365, minutes: 1 }, 'voucherDuration'],
  ])('G11: %j more', async (more, problem) => {
    const { id } = await sold()
    const { data } = await addTime(id, more)
    expect(data.fields).toEqual(problem && { days: problem })
    expect((stored(id)?.addedSeconds ?? 0) > 0).toBe(problem === undefined)
  })

  test.each([
    [{ days: 366 }, 'days'],
    [{ hours: 24 }, 'hours'],
    [{ minutes: 60 }, 'minutes'],
    [{ minutes: -1 }, 'minutes'],
    [{ minutes: 1.5 }, 'minutes'],
  ])('G21: %j is refused at its field', async (more, field) => {
    const { id } = await sold()
    expect(Object.keys((await addTime(id, more)).data.fields as object)).toEqual([field])
    expect(stored(id)?.addedSeconds).toBe(0)
  })

  test('more than 365 days in all, and an expired voucher, are refused', async () => {
    const { id } = await sold()
    await addTime(id, { days: 365 })
    expect((await addTime(id, { minutes: 1 })).data.fields).toEqual({ days: 'voucherDuration' })
    const { id: old } = await sold()
    db().update(vouchers).set({ validFrom: 0 }).where(eq(vouchers.id, old)).run()
    expect((await addTime(old, { hours: 1 })).retCode).toBe(codes.voucherUnavailable)
  })
})

describe('the speed of one voucher', () => {
  const speed = (id: number, downloadKbps: number | null, uploadKbps: number | null = null) =>
    press('speed', { id, downloadKbps, uploadKbps })
  const inAt = ({ mac }: { mac: string }) => {
    const { download, upload } = (one.gateway.in.get(mac) ?? one.other.in.get(mac))?.bounds ?? {}
    return [download, upload]
  }

  test('holds at once for whoever is in, over what its group says, until it is as sold again', async () => {
    const terms = { hours: 1, downloadKbps: 512, uploadKbps: 256, maxDevices: 2 }
    const slow = await preset('Slow', terms)
    const { id, code } = await sold('Room 14', slow)
    const neighbour = await sold('Room 15', slow)
    const third = { mac: '02:00:00:00:00:54', ip: '10.66.0.54' }
    await enter(code, other)
    await enter(neighbour.code, third)
    expect([inAt(other), inAt(third)]).toEqual([
      [512, 256],
      [512, 256],
    ])
    await speed(id, 20_000, 0)
    await settled(id)
    expect([inAt(other), inAt(third)]).toEqual([
      [20_000, undefined],
      [512, 256],
    ])
    expect(await rowOf(id)).toMatchObject({ downloadKbps: 20_000, uploadKbps: null, ownSpeed: true })
    const [away] = (await awayVouchers(one.manager.runtime, 1, 1, Date.now())).filter(row => row.voucher === id)
    expect([away?.down, away?.up]).toEqual([20_000, null])
    const { revision } = (await one.owner.post('vouchers/groups/get', { id: slow })).data
    const faster = { id: slow, revision, name: 'Slow', days: 0, minutes: 0, validityDays: 30, desk: true, ...terms }
    expect((await one.owner.post('vouchers/groups/save', { ...faster, downloadKbps: 900 })).retCode).toBe(0)
    await settled(id)
    expect([inAt(other), inAt(third)]).toEqual([
      [20_000, undefined],
      [900, 256],
    ])
    await speed(id, null)
    await settled(id)
    expect(inAt(other)).toEqual([900, 256])
    expect(await rowOf(id)).toMatchObject({ downloadKbps: 900, ownSpeed: false })
    for (const one of [id, neighbour.id]) {
      await press('void', { id: one })
      await settled(one)
    }
  })

  test('is set once for a doubled press', async () => {
    const { id } = await sold()
    const input = { act: randomUUID(), id, downloadKbps: 100, uploadKbps: null }
    await desk.post('vouchers/desk/speed', input)
    await speed(id, 200)
    await desk.post('vouchers/desk/speed', input)
    expect(await rowOf(id)).toMatchObject({ downloadKbps: 200 })
  })

  test.each([
    [null, true],
    [0, true],
    [1, true],
    [1023, true],
    [1024, false],
    [2000, true],
    [2001, false],
    [1_023_000, true],
    [1_024_000, false],
    [-1, false],
    [1.5, false],
  ])('G13: %s kbit/s', async (rate, right) => {
    const { id } = await sold()
    for (const [name, answer] of [
      ['downloadKbps', await speed(id, rate)],
      ['uploadKbps', await speed(id, null, rate)],
    ] as const)
      expect([name, Object.keys(answer.data.fields ?? {})]).toEqual([name, right ? [] : [name]])
  })
})

test('a device that is freed is out, and another comes in by its place', async () => {
  const one = await preset('One device', { hours: 1 })
  const voucher = await sold('', one)
  await enter(voucher.code, other)
  expect((await rowOf(voucher.id))?.devices).toEqual([other.mac])
  const third = { mac: '02:00:00:00:00:53', ip: '10.66.0.53' }
  expect((await enter(voucher.code, third)).text).toContain('devices')
  await press('free', { id: voucher.id, mac: other.mac })
  await settled(voucher.id)
  expect(inNow()).toEqual([phone.mac])
  await enter(voucher.code, third)
  expect(inNow()).toEqual([phone.mac, third.mac])
  expect((await rowOf(voucher.id))?.devices).toEqual([third.mac])
})

test('a voucher that is void lets nobody in, and its guest is out; a second press finds it done', async () => {
  const voucher = await sold('Room 7')
  await enter(voucher.code, other)
  expect(inNow()).toContain(other.mac)
  const act = randomUUID()
  expect((await desk.post('vouchers/desk/void', { act, id: voucher.id })).retCode).toBe(0)
  expect((await desk.post('vouchers/desk/void', { act, id: voucher.id })).retCode).toBe(0)
  await settled(voucher.id)
  expect(inNow()).not.toContain(other.mac)
  expect((await press('void', { id: voucher.id })).retCode).toBe(codes.voucherNotFound)
  const { sold: many, voided } = (await desk.post('vouchers/desk/presets')).data
  expect([Number(many) > 3, Number(voided) >= 2]).toEqual([true, true])
  expect(db().select().from(voucherDevices).where(eq(voucherDevices.voucher, voucher.id)).all()).toEqual([])
  const entry = { action: 'delete', object: 'vouchers', name: '1 day', account: desk.account.account }
  expect(db().select().from(changelog).all()).toContainEqual(expect.objectContaining(entry))
})

test('a doubled letter goes out once; without a mail server nothing is done', async () => {
  const voucher = await sold('Room 3')
  const input = { act: randomUUID(), id: voucher.id, email: 'guest@example.test' }
  expect((await desk.post('vouchers/desk/mail', input)).retCode).toBe(codes.mailNotSet)
  const place = { host: '192.0.2.9', port: 25, security: 'none', from: 'wifi@example.test', publicUrl: '' } as const
  saveMailServer(one.manager.runtime, place)
  expect((await desk.post('vouchers/desk/mail', { ...input, email: 'nobody' })).data.fields).toEqual({
    email: 'emailFormat',
  })
  await Promise.all([desk.post('vouchers/desk/mail', input), desk.post('vouchers/desk/mail', input)])
  expect(db().select().from(mails).all()).toEqual([
    expect.objectContaining({ recipient: 'guest@example.test', template: 'voucher' }),
  ])
})

test('the dashboard counts who is in, who came and who was refused today, by method', async () => {
  const day = { started: Date.now() - 48 * 3_600_000 }
  const before = (await one.owner.post('dashboard/guest-counts')).data
  const counted = one.rows().filter(row => row.state !== 2).length
  expect(before).toMatchObject({ ever: true, in: inNow().length, came: counted })
  const stranger = { mac: '02:00:00:00:00:5f', ip: '10.66.0.95' }
  await enter('no code at all', stranger)
  const after = (await one.owner.post('dashboard/guest-counts')).data
  expect(after).toMatchObject({ in: before.in, came: before.came, refused: Number(before.refused) + 1 })
  expect(after.methods).toEqual([{ method: 12, in: before.in, came: before.came, refused: after.refused }])
  // What began the day before yesterday is of today only while it goes on.
  db().update(guests).set(day).where(isNotNull(guests.ended)).run()
  expect((await one.owner.post('dashboard/guest-counts')).data).toMatchObject({ came: inNow().length, refused: 0 })
  expect((await desk.post('dashboard/guest-counts')).retCode).toBe(codes.noAuthority)
})

test('who may not see codes sells and extends all the same, without one', async () => {
  const role = await one.owner.post('roles/save', { name: 'No codes', authorities: ['vouchers_edit'] })
  const helper = await clerk(String(role.data.id))
  const { data } = await press('sell', { groupId: group }, helper)
  expect([(data.voucher as Row).code, data.qr]).toEqual([null, null])
  expect((await helper.post('vouchers/desk/code', { id: (data.voucher as Row).id })).retCode).toBe(codes.noAuthority)
})
