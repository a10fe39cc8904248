// Who is in, as it is counted, ended and put right by what gateways say.
import { eq } from 'drizzle-orm'
import { devices, guests, voucherGroups, vouchers } from '@/db/schema'
import { limits } from '@/model/limits'
import type { GuestUse } from '@/server/drivers/guests'
import { type Held, idleLeft, judge, type Reading } from '@/server/guests/sessions/judge'
import { trimGuests } from '@/server/guests/sessions/store'
import { lookAtGuests, startGuests } from '@/server/guests/sessions/watch'
import { until } from '../../lab/_lab'
import { type Guest, type House, house, used } from './_house'

const now = 1_800_000_000_000
const held: Held = {
  ...{ id: 1, mac: '02:00:00:00:00:01', lan: 'a', ends: now + 60_000, activeAt: now - 10_000, idleSeconds: 300 },
  ...{ bytes: 1000, byteLimit: null, readings: { 7: 400 } },
}
const use = (own: Partial<GuestUse> = {}): GuestUse => ({
  ...{ mac: held.mac, secondsLeft: 60, bytes: 400, idleSeconds: 5, addresses: ['10.66.0.5'], ...own },
})
const said = (device: number, uses: GuestUse[], lans = ['a']): Reading => ({
  ...{ device, lans: new Set(lans), uses: new Map(uses.map(one => [one.mac, one])) },
})

describe('one guest', () => {
  test('what gateways count since the last look is added, however often they begin anew', () => {
    const verdict = judge(held, [said(7, [use({ bytes: 900 })]), said(8, [use({ bytes: 30 })])], 2, now)
    expect(verdict).toMatchObject({ bytes: 1530, readings: { 7: 900, 8: 30 }, missing: [] })
    expect(judge(held, [said(7, [use({ bytes: 120 })])], 1, now).bytes).toBe(1120)
    expect(judge(held, [], 1, now)).toMatchObject({ bytes: 1000, readings: { 7: 400 } })
  })

  test('the gateway where the guest was active last is where they are', () => {
    const readings = [said(7, [use({ idleSeconds: 40 })]), said(8, [use({ idleSeconds: 2, addresses: ['10.66.0.9'] })])]
    expect(judge(held, readings, 2, now).seen).toEqual({ device: 8, address: '10.66.0.9' })
  })

  test.each([
    ['W18: idle for 299 seconds', {}, [use({ idleSeconds: 299 })], 1, undefined],
    ['W18: idle for 300 seconds', { activeAt: now - 400_000 }, [use({ idleSeconds: 300 })], 1, 'idle'],
    ['idle on this gateway, while another does not answer', { activeAt: 0 }, [use({ idleSeconds: 900 })], 2, undefined],
    ['gone from a gateway that forgets the idle', { activeAt: now - 300_000 }, [], 1, 'idle'],
    ['gone from a gateway, active before', {}, [], 1, undefined],
    ['a second before the end', { ends: now + 1000 }, [use()], 1, undefined],
    ['the end', { ends: now }, [use()], 1, 'time'],
    ['a byte less than the limit', { byteLimit: 1101 }, [use({ bytes: 500 })], 1, undefined],
    ['the last byte', { byteLimit: 1100 }, [use({ bytes: 500 })], 1, 'bytes'],
  ])('%s', (_, own, uses, gateways, ended) => {
    expect(judge({ ...held, ...own }, [said(7, uses)], gateways, now).ended).toBe(ended)
  })

  test.each([
    [60, []],
    [59, [7]],
  ])('an end in two minutes is told again to a gateway that has %d s', (secondsLeft, missing) => {
    const later = { ...held, ends: now + 120_000 }
    expect(judge(later, [said(7, [use({ secondsLeft })])], 1, now).missing).toEqual(missing)
  })

  test.each([
    ['is told anew that is about to forget a guest who is active elsewhere', 241, 2, [8]],
    ['is told a minute before, and not sooner', 240, 2, []],
    ['is told where the guest was active since, if not lately', 290, 200, [8]],
    ['is not told where the guest is idle everywhere', 290, 290, []],
    ['is not told for what rounding makes of it', 290, 285, []],
  ])('roaming: a gateway %s', (_, here, elsewhere, forgetting) => {
    const readings = [said(7, [use({ idleSeconds: elsewhere })]), said(8, [use({ idleSeconds: here })])]
    expect(judge(held, readings, 2, now)).toMatchObject({ forgetting, missing: [] })
  })

  test('roaming: a gateway alone forgets the idle by itself, one that knows nobody is told as such', () => {
    const long = { ...held, activeAt: now - 200_000 }
    expect(judge(long, [said(7, [use({ idleSeconds: 290 })])], 1, now)).toMatchObject({ forgetting: [], missing: [] })
    const restarted = judge(held, [said(7, [use({ idleSeconds: 2 })]), said(8, [])], 2, now)
    expect(restarted).toMatchObject({ forgetting: [], missing: [8] })
    const over = { ...held, ends: now }
    const both = [said(7, [use({ idleSeconds: 2 })]), said(8, [use({ idleSeconds: 290 })])]
    expect(judge(over, both, 2, now)).toMatchObject({ forgetting: [], ended: 'time' })
  })

  test.each([
    ['with as much as is left', 500, []],
    ['with a tenth more', 550, []],
    ['with more than that', 551, [8]],
    ['with all of it still', 10_000, [8]],
    ['that does not say', undefined, []],
  ])('roaming: data used behind one gateway is told to another one %s', (_, bytesLeft, loose) => {
    const limited = { ...held, byteLimit: 2000, readings: { 7: 400, 8: 0 } }
    const there = use({ bytes: 0, ...(bytesLeft !== undefined && { bytesLeft }) })
    const readings = [said(7, [use({ bytes: 900, bytesLeft: 500 })]), said(8, [there])]
    expect(judge(limited, readings, 2, now)).toMatchObject({ bytes: 1500, loose, missing: [], forgetting: [] })
    expect(judge({ ...limited, byteLimit: null }, readings, 2, now).loose).toEqual([])
    expect(judge({ ...limited, byteLimit: 1500 }, readings, 2, now)).toMatchObject({ ended: 'bytes', loose: [] })
  })

  test.each([
    ['who was active a second ago', 1, 299],
    ['who was active 200 seconds ago', 200, 100],
    ['who was active long ago, so that there is time to come', 299, 60],
    ['whose gateway’s clock is ahead', -5, 300],
  ])('roaming: told is what is left of the idle time of a guest %s', (_, ago, left) => {
    expect(idleLeft({ activeAt: now - ago * 1000, idleSeconds: 300 }, now)).toBe(left)
  })

  test('a gateway of the LAN that does not know the guest is to be told, one of another LAN is not', () => {
    const { missing } = judge(held, [said(7, []), said(8, [use()]), said(9, [], ['b'])], 2, now)
    expect(missing).toEqual([7])
  })
})

describe('a house', () => {
  let one: House
  let count = 0
  const device = (): Guest => {
    count += 1
    return { mac: `02:00:00:00:01:${count.toString(16).padStart(2, '0')}`, ip: `10.66.1.${count}` }
  }
  const look = () => lookAtGuests(one.manager.runtime, 1)
  const row = ({ mac }: Guest) =>
    one
      .rows()
      .filter(guest => guest.mac === mac)
      .at(-1)
  const list = async (filter: object = {}) => {
    const { data } = await one.owner.post('guests/list', { filter })
    return data as unknown as { result: Record<string, unknown>[]; total: number; counts: Record<string, unknown> }
  }
  const shift = (guest: Guest, own: Partial<typeof guests.$inferInsert>) =>
    one.manager.runtime.db
      .update(guests)
      .set(own)
      .where(eq(guests.id, row(guest)?.id ?? 0))
      .run()

  beforeAll(async () => {
    one = await house()
  })
  afterAll(() => one.end())

  test('what somebody uses is listed; a time that is up ends the session, and the gateway is told', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    used(one.gateway, guest.mac, 5000, 1, ['10.66.1.77'])
    await look()
    expect((await list({ state: 1 })).result).toEqual([
      expect.objectContaining({
        ...{
          mac: guest.mac,
          address: '10.66.1.77',
          method: 0,
          bytes: 5000,
          ended: null,
          stale: false,
          lanName: 'Guest LAN',
        },
        device: { id: one.gateway.id, name: 'gw' },
      }),
    ])
    shift(guest, { ends: Date.now() - 1 })
    await look()
    expect(row(guest)).toMatchObject({ state: 0, why: 'time', bytes: 5000, token: null })
    expect(one.gateway.in.has(guest.mac)).toBe(false)
  })

  test('a gateway that restarted is given everybody again, with what is left', async () => {
    const [code = ''] = one.codes(1, { byteLimitMb: 5 })
    const guest = device()
    await one.send(guest, { method: 'voucher', code })
    used(one.gateway, guest.mac, 2_000_000)
    await look()
    one.gateway.in.clear()
    await look()
    const all = 5 * 1_048_576
    expect(one.gateway.in.get(guest.mac)?.bounds.bytes).toBe(all - 2_000_000)
    used(one.gateway, guest.mac, 500_000)
    await look()
    expect(row(guest)?.bytes).toBe(2_500_000)
    // The guest need not wait for it: whoever is led to the page again is in at once.
    one.gateway.in.clear()
    expect((await one.get(one.query(guest))).text).toContain('You are online')
    expect(one.gateway.in.get(guest.mac)?.bounds.bytes).toBe(all - 2_500_000)
  })

  test('sending the form again does not begin the count of bytes again', async () => {
    const [code = ''] = one.codes(1, { byteLimitMb: 1 })
    const guest = device()
    await one.send(guest, { method: 'voucher', code })
    for (const bytes of [400_000, 800_000]) {
      used(one.gateway, guest.mac, bytes)
      await one.send(guest, { method: 'voucher', code })
    }
    expect(row(guest)?.bytes).toBe(800_000)
    used(one.gateway, guest.mac, 1_048_576)
    await look()
    expect(row(guest)?.why).toMatch(/bytes|voucher/)
    expect((await one.send(guest, { method: 'voucher', code })).text).toContain('Nothing is left on this voucher')
  })

  test('whoever walks to and fro between gateways is known to both, and idle where both say so', async () => {
    const portal = await one.save('portal', { name: 'Both', methods: ['free'] })
    const own = { name: 'Walk', vlan: 71, address: '10.71.0.1/24', dhcp: false, assign: { all: true } }
    const lan = await one.save('lan', { ...own, portal })
    const guest = device()
    await one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free' }, {}, lan)
    const told = () => one.other.in.get(guest.mac)?.bounds.idleSeconds
    shift(guest, { activeAt: Date.now() - 250_000 })
    used(one.gateway, guest.mac, 5000, 60)
    used(one.other, guest.mac, 0, 200)
    await look()
    expect(told()).toBe(300)
    used(one.gateway, guest.mac, 9000, 50)
    used(one.other, guest.mac, 0, 241)
    await look()
    expect(told()).toBe(250)
    // As the gateway counts it from then on.
    used(one.gateway, guest.mac, 9000, 300)
    used(one.other, guest.mac, 0, 300)
    shift(guest, { activeAt: Date.now() - 300_000 })
    await look()
    expect(row(guest)).toMatchObject({ why: 'idle', bytes: 9000 })
    expect([one.gateway, one.other].map(gateway => gateway.in.has(guest.mac))).toEqual([false, false])
  })

  test('what somebody used behind one gateway is no more to be had behind another', async () => {
    const portal = await one.save('portal', {
      ...{ name: 'Both by data', methods: ['free'], useLimit: 'client', dailyData: '1000 KB' },
    })
    const own = { name: 'Walk by data', vlan: 72, address: '10.72.0.1/24', dhcp: false, assign: { all: true } }
    const lan = await one.save('lan', { ...own, portal })
    const guest = device()
    await one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free' }, {}, lan)
    const told = () => [one.gateway, one.other].map(({ in: all }) => all.get(guest.mac)?.bounds.bytes)
    const kb = (count: number) => count * 1024
    used(one.gateway, guest.mac, kb(600))
    used(one.other, guest.mac, 0)
    await look()
    expect(told()).toEqual([kb(1000), kb(400)])
    // What it used there since is no other's: nothing is told where nothing is loose.
    used(one.other, guest.mac, kb(20))
    used(one.gateway, guest.mac, kb(600))
    await look()
    expect(told()).toEqual([kb(1000), kb(400)])
    used(one.other, guest.mac, kb(390))
    await look()
    expect(told()).toEqual([kb(10), kb(400)])
    expect(row(guest)).toMatchObject({ bytes: kb(990), ended: null })
  })

  test('whoever was ended while the gateway was away is cut off when it is back', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    one.gateway.answers = false
    const { data } = await one.owner.post('guests/remove', { ids: [row(guest)?.id] })
    expect(data).toEqual({ removed: 1, silent: [one.gateway.id] })
    expect(one.gateway.in.has(guest.mac)).toBe(true)
    one.gateway.answers = true
    await look()
    expect(one.gateway.in.has(guest.mac)).toBe(false)
    expect(row(guest)?.why).toBe('removed')
  })

  test('a gateway that does not answer ends nobody, and is told so', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    await look()
    const status = (value: number) =>
      one.manager.runtime.db.update(devices).set({ status: value }).where(eq(devices.id, one.gateway.id)).run()
    shift(guest, { activeAt: 0 })
    status(0)
    await look()
    expect(row(guest)?.ended).toBeNull()
    const listed = await list({ state: 1 })
    expect(listed.result.find(one => one.mac === guest.mac)).toMatchObject({ stale: true })
    status(1)
    await look()
    expect(row(guest)?.ended).toBeNull()
    used(one.gateway, guest.mac, 0, 300)
    shift(guest, { activeAt: 0 })
    await look()
    expect(row(guest)?.why).toBe('idle')
  })

  test('removing cuts off at once, and is kept in the changelog', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    expect((await one.owner.post('guests/remove', { ids: [row(guest)?.id] })).data).toEqual({ removed: 1, silent: [] })
    expect(one.gateway.in.has(guest.mac)).toBe(false)
    expect((await one.owner.post('guests/remove', { ids: [row(guest)?.id] })).data).toEqual({ removed: 0, silent: [] })
    expect((await one.owner.post('guests/remove', { ids: [999_999] })).retCode).toBe(40003)
    const { data } = await one.owner.post('changelog/list', {})
    const entries = data.result as { action: string; object: string; name: string }[]
    expect(entries.filter(entry => entry.object === 'guest' && entry.name === guest.mac)).toHaveLength(1)
  })

  test('a voucher that is deleted or renewed ends or lengthens the sessions that it let in', async () => {
    const { runtime } = one.manager
    startGuests(runtime, 3_600_000)
    const [short = '', gone = ''] = one.codes(2, { seconds: 3600 })
    const [stays, goes] = [device(), device()]
    await one.send(stays, { method: 'voucher', code: short })
    await one.send(goes, { method: 'voucher', code: gone })
    const ofRow = (guest: Guest) => eq(vouchers.id, row(guest)?.voucher ?? 0)
    // Of its hour all but five minutes was used before: so it ends then, until it is renewed.
    runtime.db.update(vouchers).set({ usedSeconds: 3300, countedAt: Date.now() }).where(ofRow(stays)).run()
    await look()
    expect(one.gateway.in.get(stays.mac)?.bounds.seconds).toBeLessThanOrEqual(300)
    runtime.db.update(vouchers).set({ usedSeconds: 0 }).where(ofRow(stays)).run()
    runtime.db.delete(vouchers).where(ofRow(goes)).run()
    runtime.bus.emit({ topic: 'vouchersChanged', network: 1 })
    await until(() => row(goes)?.why === 'voucher')
    await until(() => (one.gateway.in.get(stays.mac)?.bounds.seconds ?? 0) > 3500)
    expect(one.gateway.in.has(goes.mac)).toBe(false)
  })

  test('another speed of a group of vouchers holds for who is in at once, and none for the portal’s own', async () => {
    const { runtime } = one.manager
    startGuests(runtime, 3_600_000)
    const [code = ''] = one.codes(1, { seconds: 3600, downloadKbps: 2000 })
    const guest = device()
    await one.send(guest, { method: 'voucher', code })
    const rates = () => {
      const { download, upload } = one.gateway.in.get(guest.mac)?.bounds ?? {}
      return [download, upload]
    }
    const [, own] = rates()
    expect(rates()).toEqual([2000, own])
    const { group } =
      runtime.db
        .select()
        .from(vouchers)
        .where(eq(vouchers.id, row(guest)?.voucher ?? 0))
        .get() ?? {}
    const set = (speeds: { downloadKbps: number | null; uploadKbps: number | null }) => {
      runtime.db
        .update(voucherGroups)
        .set(speeds)
        .where(eq(voucherGroups.id, group ?? 0))
        .run()
      runtime.bus.emit({ topic: 'vouchersChanged', network: 1 })
    }
    set({ downloadKbps: 8000, uploadKbps: 512 })
    await until(() => rates().join() === '8000,512')
    set({ downloadKbps: null, uploadKbps: null })
    await until(() => rates()[1] === own && rates()[0] !== 8000)
    expect(row(guest)?.ended).toBeNull()
  })

  test('a LAN that is for guests no more has none', async () => {
    const portal = await one.save('portal', { name: 'Short', methods: ['free'] })
    const own = { name: 'Pool', vlan: 70, address: '10.70.0.1/24', dhcp: false, assign: { all: true } }
    const lan = await one.save('lan', { ...own, portal })
    const guest = device()
    await one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free' }, {}, lan)
    expect(row(guest)?.ended).toBeNull()
    await one.save('lan', { ...own, id: lan, revision: 1 })
    await look()
    expect(row(guest)?.why).toBe('closed')
    expect(one.gateway.in.has(guest.mac)).toBe(false)
  })

  test('the list is searched, filtered and sorted, counts what there is, and goes into a file', async () => {
    const guest = device()
    await one.send(guest, { method: 'simplePassword', password: 'no' })
    await one.send(guest, { method: 'simplePassword', password: 'nor this' })
    const { result, counts } = await list({ state: 2 })
    // Who tries again and again is one line.
    expect(result.filter(one => one.mac === guest.mac)).toHaveLength(1)
    expect(result.every(one => one.state === 2)).toBe(true)
    expect(result.map(one => one.why)).toContain('wrongPassword')
    expect(counts.failed).toBe(result.length)
    const found = await one.owner.post('guests/list', { search: guest.mac.toUpperCase() })
    expect(found.data.total).toBe(1)
    const sorted = await one.owner.post('guests/list', { sort: { field: 'bytes', direction: 'desc' } })
    const bytes = (sorted.data.result as { bytes: number }[]).map(one => one.bytes)
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a))
    const file = await (await one.owner.raw('exports/guests?state=2', { method: 'GET' })).text()
    expect(file).toContain(`failed,${guest.mac},${guest.ip},simplePassword`)
    expect(file).not.toContain(',free,')
  })

  test('what is over is kept for 30 days, and no more than so many; who is in stays', async () => {
    const { runtime } = one.manager
    const [old, recent, within] = [device(), device(), device()]
    for (const guest of [old, recent, within]) await one.send(guest, { method: 'free' })
    const day = 86_400_000
    shift(old, { started: 0, ended: Date.now() - limits.guestDays * day - 1000, why: 'time' })
    shift(recent, { ended: Date.now() - limits.guestDays * day + 60_000, why: 'time' })
    shift(within, { started: 0 })
    trimGuests(runtime, Date.now())
    expect([old, recent, within].map(guest => row(guest) !== undefined)).toEqual([false, true, true])
  })
})
