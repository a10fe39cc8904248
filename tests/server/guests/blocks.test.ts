// Guests who are given more time, and devices that the portal keeps out.
import { eq } from 'drizzle-orm'
import { guestBlocks, guests } from '@/db/schema'
import { limits } from '@/model/limits'
import { giveLists } from '@/server/guests/portal/away'
import { trimGuests } from '@/server/guests/sessions/store'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { until } from '../../lab/_lab'
import { type Guest, type House, house, used } from './_house'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:03:${count.toString(16).padStart(2, '0')}`, ip: `10.66.3.${count}` }
}
const db = () => one.manager.runtime.db
const row = ({ mac }: Guest) =>
  one
    .rows()
    .filter(guest => guest.mac === mac)
    .at(-1)
const ask = (path: string, input: object) => one.owner.post(path, input)
const block = (guest: Guest, more: object = {}) => ask('guests/block', { macs: [guest.mac], ...more })
const blockRow = ({ mac }: Guest) => db().select().from(guestBlocks).where(eq(guestBlocks.mac, mac)).get()
const inOneHour = () => `${new Date(Date.now() + 3_600_000).toJSON().slice(0, 19)}Z`
type Listed = { mac: string; until: number | null; note: string; by: string }
const blocked = async (search = '') => (await ask('guests/blocked/list', { search })).data.result as Listed[]

beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

describe('blocking', () => {
  test('a guest is cut off at once, is told so whatever is sent, and gets in again once released', async () => {
    const [code = ''] = one.codes(1)
    const guest = device()
    await one.send(guest, { method: 'free' })
    expect((await block(guest, { note: 'noise' })).data).toEqual({ blocked: 1, ended: 1, silent: [] })
    expect(one.gateway.in.has(guest.mac)).toBe(false)
    expect(row(guest)).toMatchObject({ state: 0, why: 'blocked', token: null })
    const asked = await one.get(one.query(guest))
    expect([asked.status, asked.text]).toEqual([403, expect.stringContaining('This device is blocked')])
    expect(asked.text).not.toMatch(/<form|<script|can sign in again/)
    const forms: Record<string, string>[] = [{ method: 'free' }, { method: 'voucher', code }, { act: 'resume' }]
    for (const form of forms) expect((await one.send(guest, form)).text).toContain('This device is blocked')
    expect(row(guest)).toMatchObject({ state: 2, why: 'blocked' })
    expect(await blocked(guest.mac)).toEqual([
      expect.objectContaining({ mac: guest.mac, until: null, note: 'noise', by: expect.any(String) }),
    ])
    const listed = (await ask('guests/list', { search: guest.mac })).data as { result: object[] }
    expect(listed.result[0]).toMatchObject({ blocked: { until: null } })
    expect((await ask('guests/unblock', { macs: [guest.mac] })).data).toEqual({ released: 1 })
    expect((await one.send(guest, { method: 'voucher', code })).text).toContain('You are online')
  })

  test('a block with an end tells it, and ends by itself; one that is blocked gets another end', async () => {
    const guest = device()
    await block(guest, { until: inOneHour() })
    expect((await one.get(one.query(guest))).text).toContain('It can sign in again after')
    await block(guest)
    expect(blockRow(guest)?.until).toBeNull()
    db()
      .update(guestBlocks)
      .set({ until: Date.now() - 1 })
      .where(eq(guestBlocks.mac, guest.mac))
      .run()
    expect(await blocked(guest.mac)).toEqual([])
    expect((await one.send(guest, { method: 'free' })).text).toContain('You are online')
    trimGuests(one.manager.runtime, Date.now())
    expect(blockRow(guest)).toBeUndefined()
  })

  test.each([
    ['a moment that has passed', { until: '2020-01-01T00:00:00Z' }, 'until'],
    ['no moment', { until: 'tomorrow' }, 'until'],
    ['no device', { macs: [] }, 'macs'],
    ['a note that is too long', { note: 'x'.repeat(limits.guestNoteCharacters + 1) }, 'note'],
  ])('%s is refused at its field, and nobody is blocked', async (_, wrong, field) => {
    const guest = device()
    const answer = await block(guest, wrong)
    expect([answer.retCode !== 0, Object.keys(answer.data.fields ?? {})]).toEqual([true, [field]])
    expect(blockRow(guest)).toBeUndefined()
  })

  test('a gateway that does not answer is named, and cuts off when it is back', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    one.gateway.answers = false
    expect((await block(guest)).data).toEqual({ blocked: 1, ended: 1, silent: [one.gateway.id] })
    one.gateway.answers = true
    await lookAtGuests(one.manager.runtime, 1)
    expect(one.gateway.in.has(guest.mac)).toBe(false)
  })

  test('gateways know it for when the manager is away; who came in there nevertheless is out', async () => {
    const guest = device()
    await block(guest, { until: inOneHour() })
    await until(() => one.gateway.list?.text.includes(`x ${guest.mac} `))
    await giveLists(one.manager.runtime, 1)
    expect(one.gateway.list?.text).toMatch(new RegExp(`^x ${guest.mac} \\d{10}$`, 'm'))
    expect(one.gateway.list?.pages[0]?.say.blocked).toContain('This device is blocked')
    one.codes(1)
    const voucher = one.manager.runtime.db.query.vouchers.findMany().sync().at(-1)?.id ?? 0
    const at = Math.floor(Date.now() / 1000) - 60
    one.gateway.uses = [{ at, mac: guest.mac, address: guest.ip, voucher, lan: one.lan, seconds: 3600 }]
    const bounds = { mac: guest.mac, lan: one.lan, seconds: 3600, idleSeconds: 300 }
    const use = { mac: guest.mac, secondsLeft: 3600, bytes: 5, idleSeconds: 1, addresses: [] }
    one.gateway.in.set(guest.mac, { bounds, use })
    await lookAtGuests(one.manager.runtime, 1)
    expect(row(guest)).toMatchObject({ voucher, why: 'blocked' })
    expect(one.gateway.in.has(guest.mac)).toBe(false)
  })

  test('forgetting a guest leaves the device blocked', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    await block(guest)
    await ask('guests/forget', { ids: [row(guest)?.id] })
    expect(row(guest)).toBeUndefined()
    expect((await one.send(guest, { method: 'free' })).text).toContain('This device is blocked')
  })

  test('the 1,001st device of a network is refused, with nobody of the same call blocked', async () => {
    const held = (await blocked()).length
    const mac = (at: number) =>
      `02:00:00:01:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`
    const rows = Array.from({ length: limits.guestBlocks - held - 1 }, (_, at) => ({
      ...{ network: 1, mac: mac(at), at: 0, by: 'x' },
    }))
    db().insert(guestBlocks).values(rows).run()
    const [last, over] = [device(), device()]
    expect((await ask('guests/block', { macs: [last.mac, over.mac] })).retCode).toBe(40012)
    expect([blockRow(last), blockRow(over)]).toEqual([undefined, undefined])
    expect((await block(last)).retCode).toBe(0)
    // Who is on the list already needs no other place.
    expect((await block(last, { note: 'again' })).retCode).toBe(0)
    expect((await block(over)).retCode).toBe(40012)
    await ask('guests/unblock', { macs: rows.slice(0, 200).map(one => one.mac) })
    expect((await block(over)).retCode).toBe(0)
  })
})

describe('extending', () => {
  const extend = (guest: Guest, minutes: number) => ask('guests/extend', { ids: [row(guest)?.id], minutes })

  test('a guest has so much more time, on the gateway, too; bytes go on', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    const before = row(guest)?.ends ?? 0
    used(one.gateway, guest.mac, 7000)
    expect((await extend(guest, 90)).data).toEqual({ extended: 1, less: 0, silent: 0 })
    expect(row(guest)).toMatchObject({ ends: before + 90 * 60_000, bytes: 7000, ended: null })
    const seconds = Math.ceil((before + 90 * 60_000 - Date.now()) / 1000)
    expect(Math.abs((one.gateway.in.get(guest.mac)?.bounds.seconds ?? 0) - seconds)).toBeLessThan(30)
    used(one.gateway, guest.mac, 500)
    await lookAtGuests(one.manager.runtime, 1)
    expect(row(guest)).toMatchObject({ ends: before + 90 * 60_000, bytes: 7500 })
  })

  test('who is not in, or in by a voucher, is refused, and so is everybody chosen with them', async () => {
    const [code = ''] = one.codes(1)
    const [free, sold, gone] = [device(), device(), device()]
    await one.send(free, { method: 'free' })
    await one.send(sold, { method: 'voucher', code })
    await one.send(gone, { method: 'free' })
    await ask('guests/remove', { ids: [row(gone)?.id] })
    const ends = row(free)?.ends
    for (const [other, retCode] of [
      [sold, 40011],
      [gone, 40010],
    ] as const)
      expect((await ask('guests/extend', { ids: [row(free)?.id, row(other)?.id], minutes: 5 })).retCode).toBe(retCode)
    expect(row(free)?.ends).toBe(ends)
    for (const minutes of [0, 1.5, limits.guestExtensionDays * 1440 + 1])
      expect((await extend(free, minutes)).data.fields).toEqual({ minutes: expect.anything() })
  })

  test('no session lasts longer than a year from now', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    expect((await extend(guest, limits.guestExtensionDays * 1440)).data).toMatchObject({ extended: 1, less: 1 })
    const year = limits.guestExtensionDays * 86_400_000
    expect(Math.abs((row(guest)?.ends ?? 0) - Date.now() - year)).toBeLessThan(60_000)
  })

  test('what the portal leaves of a day holds, and is told', async () => {
    const policy = { name: 'Day', methods: ['free'], hours: 0, minutes: 30, useLimit: 'client', dailyMinutes: 60 }
    const portal = await one.save('portal', policy)
    const own = { name: 'Day LAN', vlan: 71, address: '10.71.0.1/24', dhcp: false, portal, assign: { all: true } }
    const lan = await one.save('lan', own)
    const guest = device()
    await one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free' }, {}, lan)
    db()
      .update(guests)
      .set({ countedAt: Date.now() })
      .where(eq(guests.id, row(guest)?.id ?? 0))
      .run()
    expect((await extend(guest, 20)).data).toMatchObject({ extended: 1, less: 0 })
    const { data } = await extend(guest, 1440)
    expect(data).toMatchObject({ extended: 1, less: 1 })
  })

  test('where no gateway answers the next look tells it', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    const ends = row(guest)?.ends ?? 0
    one.gateway.answers = false
    expect((await extend(guest, 60)).data).toEqual({ extended: 1, less: 0, silent: 1 })
    one.gateway.answers = true
    expect(row(guest)?.ends).toBe(ends + 3_600_000)
    const told = () => (one.gateway.in.get(guest.mac)?.bounds.seconds ?? 0) * 1000
    expect(told()).toBeLessThan(ends - Date.now() + 60_000)
    used(one.gateway, guest.mac, 900)
    await lookAtGuests(one.manager.runtime, 1)
    expect(told()).toBeGreaterThan(ends + 3_500_000 - Date.now())
    expect(row(guest)?.bytes).toBe(900)
  })
})
