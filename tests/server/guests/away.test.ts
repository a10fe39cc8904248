// Vouchers while the manager is away: what a gateway is given, and what becomes of what it took by itself. Gateways keep to
// their contract here; the real ones are in tests/lab/away.test.ts.
import { eq } from 'drizzle-orm'
import { devices, voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import type { AwayUse } from '@/server/drivers/guests'
import { giveLists } from '@/server/guests/portal/away'
import { lookAtGuests, startGuests } from '@/server/guests/sessions/watch'
import { gatewayKey, listHash, networkKey, slowHash } from '@/server/guests/vouchers/away-list'
import { until } from '../../lab/_lab'
import { type House, house } from './_house'

let one: House
beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

const look = () => lookAtGuests(one.manager.runtime, 1)
const give = () => giveLists(one.manager.runtime, 1)
const db = () => one.manager.runtime.db
let last = 0
/** Vouchers of a group of their own, and its newest one. */
function sold(terms: Parameters<House['codes']>[1] = {}) {
  const [code = ''] = one.codes(1, terms)
  const row = db().select().from(vouchers).all().at(-1)
  // Yesterday.
  const validFrom = Date.now() - 86_400_000
  db()
    .update(vouchers)
    .set({ validFrom, createdAt: validFrom })
    .where(eq(vouchers.id, row?.id ?? 0))
    .run()
  return { code, id: row?.id ?? 0, group: row?.group ?? 0 }
}
const rowOf = (id: number) => db().select().from(vouchers).where(eq(vouchers.id, id)).get()
const device = () => {
  last += 1
  return `02:00:00:00:10:${String(last).padStart(2, '0')}`
}
const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
/** The gateway took it so long ago, and has the guest in. */
function took(voucher: number, more: Partial<AwayUse> = {}, inside = true): AwayUse {
  const use = { at: ago(600), mac: device(), address: '10.66.0.9', voucher, lan: one.lan, seconds: 3600, ...more }
  one.gateway.uses.push(use)
  if (inside) {
    const bounds = { mac: use.mac, lan: use.lan, seconds: 3000, idleSeconds: 300 }
    one.gateway.in.set(use.mac, {
      bounds,
      use: { mac: use.mac, secondsLeft: 3000, bytes: use.bytes ?? 0, idleSeconds: 5, addresses: [] },
    })
  }
  return use
}
const sessions = (mac: string) => one.rows().filter(row => row.mac === mac)

test('a gateway is given hashes that its own shell makes of a code, and never a code', async () => {
  const { code, id } = sold({ byteLimitMb: 1, downloadKbps: 512 })
  await give()
  const { list } = one.gateway
  const runtime = one.manager.runtime
  const slow = await slowHash(networkKey(runtime, 1), code)
  const line = list?.text.split('\n').find(text => /^v /.test(text) && text.includes(` ${id} `))
  expect(line).toMatch(
    new RegExp(`^v ${listHash(gatewayKey(runtime, one.gateway.id), slow)} ${id} 3600 0 1048576 v 1 512 - \\d+ -$`),
  )
  expect(list?.keys).toEqual([networkKey(runtime, 1), gatewayKey(runtime, one.gateway.id)])
  expect(JSON.stringify(list)).not.toContain(code)
  expect(list?.pages).toHaveLength(1)
  expect(list?.pages[0]?.entry).toContain('action="http://10.66.0.1:19543/"')
  expect(list?.text).toContain(`p ${one.lan} - - 0\n`)
})

test('what was used is known once, however often it is read', async () => {
  const { id } = sold()
  const use = took(id, { bytes: 5000 })
  const again = { ...use }
  await look()
  one.gateway.uses = [again]
  await look()
  await look()
  expect(sessions(use.mac)).toMatchObject([{ voucher: id, started: use.at * 1000, ended: null, bytes: 5000 }])
  expect(rowOf(id)).toMatchObject({ firstUsedAt: use.at * 1000, usedBytes: 5000 })
  expect(rowOf(id)?.usedSeconds).toBeGreaterThanOrEqual(600)
  expect(rowOf(id)?.usedSeconds).toBeLessThan(620)
  expect(one.gateway.in.has(use.mac)).toBe(true)
  await give()
  expect(one.gateway.uses).toEqual([])
  const line = one.gateway.list?.text.split('\n').find(text => /^v /.test(text) && text.includes(` ${id} `))
  expect(line).toContain(`${use.mac}/0/5000`)
})

test('two gateways that let one voucher in at the same time count its time once', async () => {
  const { id } = sold({ maxDevices: 2 })
  const [first, second] = [took(id), took(id, { at: ago(300) })]
  await look()
  expect(rowOf(id)?.usedSeconds).toBeLessThan(620)
  expect(db().select().from(voucherDevices).where(eq(voucherDevices.voucher, id)).all()).toHaveLength(2)
  expect([first, second].flatMap(use => sessions(use.mac)).map(row => row.ended)).toEqual([null, null])
})

test('of a device that used two vouchers, each is counted for its own time', async () => {
  const [short, next] = [sold({ seconds: 60 }), sold()]
  const first = took(short.id, { seconds: 60 }, false)
  took(next.id, { mac: first.mac, at: ago(500) })
  await look()
  expect(rowOf(short.id)?.usedSeconds).toBe(60)
  expect(rowOf(next.id)?.usedSeconds).toBeLessThan(520)
  expect(sessions(first.mac)).toMatchObject([
    { voucher: short.id, why: 'time', ended: (first.at + 60) * 1000 },
    { voucher: next.id, ended: null },
  ])
})

test('a deletion wins: who came in by the voucher is cut off', async () => {
  const { id } = sold()
  const use = took(id)
  db().delete(vouchers).where(eq(vouchers.id, id)).run()
  await look()
  expect(sessions(use.mac)).toMatchObject([{ voucher: id, why: 'voucher' }])
  expect(one.gateway.in.has(use.mac)).toBe(false)
})

test('a renewal wins over what was used before it', async () => {
  const { id } = sold()
  const use = took(id, { bytes: 7000 })
  const renewed = Date.now() - 60_000
  db()
    .update(vouchers)
    .set({ validFrom: renewed, countedAt: renewed, usedSeconds: 0, usedBytes: 0 })
    .where(eq(vouchers.id, id))
    .run()
  await look()
  expect(rowOf(id)?.usedSeconds).toBeLessThan(70)
  expect(rowOf(id)?.usedBytes).toBe(0)
  expect(sessions(use.mac)).toMatchObject([{ ended: null }])
})

test('the group’s bounds of now hold', async () => {
  const { id, group } = sold()
  const use = took(id)
  db().update(voucherGroups).set({ seconds: 900 }).where(eq(voucherGroups.id, group)).run()
  await look()
  const [row] = sessions(use.mac)
  expect((row?.ends ?? 0) - Date.now()).toBeLessThan(310_000)
  const short = sold({ seconds: 60 })
  const over = took(short.id)
  await look()
  expect(sessions(over.mac)[0]?.ended).not.toBeNull()
  expect(one.gateway.in.has(over.mac)).toBe(false)
})

test('what a gateway says of another’s LAN, or of another network’s voucher, lets nobody in', async () => {
  const { id } = sold()
  const use = took(id, { lan: '00000000-0000-4000-8000-000000000099' })
  await look()
  expect(sessions(use.mac)).toEqual([])
  expect(one.gateway.in.has(use.mac)).toBe(false)
})

test('a list goes out again only where something changed', async () => {
  await give()
  const before = one.gateway.list
  await give()
  expect(one.gateway.list).toBe(before)
  sold()
  await give()
  expect(one.gateway.list).not.toBe(before)
})

test('what a gateway took is known as soon as it is there again, and it is told so', async () => {
  const { runtime } = one.manager
  const isThere = (status: number) => db().update(devices).set({ status }).where(eq(devices.id, one.gateway.id)).run()
  const use = took(sold().id)
  isThere(3)
  startGuests(runtime, 3_600_000)
  await look()
  expect(sessions(use.mac)).toEqual([])
  const told: unknown[] = []
  runtime.bus.on(({ topic, network }) => void (topic === 'vouchers' && told.push(network)))
  isThere(1)
  runtime.bus.emit({ topic: 'device', id: one.gateway.id, network: 1 })
  await until(() => sessions(use.mac).length === 1)
  await until(() => told.includes(1))
})
