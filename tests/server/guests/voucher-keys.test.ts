// Vouchers that are keys of a Wi-Fi network: which access points are given, what they tell, and what is printed.
import { pbkdf2Sync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { vouchers } from '@/db/schema'
import { codes } from '@/model/codes'
import { codeAlphabet, normalCode } from '@/model/guests/voucher-code'
import { giveKeys, startVoucherKeys } from '@/server/guests/sessions/voucher-keys'
import { keyOf } from '@/server/guests/vouchers/key-list'
import { drawVouchers } from '@/server/guests/vouchers/print/draw'
import { drawWith } from '@/server/guests/vouchers/print/prints'
import { renewVouchers } from '@/server/guests/vouchers/renew'
import { until } from '../../lab/_lab'
import { type House, house } from './_house'
import { codesOf, textOf } from './_pdf'

let one: House
let ssid: string
const give = () => giveKeys(one.manager.runtime, 1)
const [phone, tablet, laptop] = ['02:00:00:00:09:01', '02:00:00:00:09:02', '02:00:00:00:09:03']
const keyed = (code: string) => keyOf(one.manager.runtime, 1, normalCode(code) ?? code)
const listed = () => one.gateway.keyList?.keys ?? []

/** A voucher of a group of its own. */
function sold(terms: Parameters<House['codes']>[1] = {}) {
  const [code = ''] = one.codes(1, terms)
  const row = one.manager.runtime.db.select().from(vouchers).all().at(-1)
  if (!row) throw new Error('no voucher')
  return { code, id: row.id, group: row.group }
}
const rowOf = ({ id }: { id: number }) =>
  one.manager.runtime.db.select().from(vouchers).where(eq(vouchers.id, id)).get()
const now = () => Math.floor(Date.now() / 1000)

beforeAll(async () => {
  one = await house()
  drawWith(one.manager.runtime, drawVouchers)
  for (const gateway of [one.gateway, one.other]) gateway.keys = { uses: [], present: [] }
  const { retCode, data } = await one.owner.post('settings/ssid/save', {
    ...{ name: 'Quay', security: 'ppsk', vouchers: true },
    assign: { all: true, groups: [], devices: [] },
  })
  expect([retCode, data.fields]).toEqual([0, undefined])
  ssid = String(data.id)
})
afterAll(() => one.end())

test('access points are given the vouchers as keys that phones make of their passphrase', async () => {
  const voucher = sold({ downloadKbps: 8000 })
  await give()
  const key = keyed(voucher.code)
  expect(key).toMatch(new RegExp(`^[${codeAlphabet}]{13}$`))
  expect(key.startsWith(normalCode(voucher.code) ?? '?')).toBe(true)
  const psk = pbkdf2Sync(key, 'Quay', 4096, 32, 'sha1').toString('hex')
  expect(listed()).toContainEqual({
    ...{ ssid, voucher: voucher.id, psk, end: expect.any(Number), seconds: 3600, most: 1, down: 8000 },
  })
  expect(one.other.keyList?.keys).toEqual(listed())
  // Nothing changed: nobody is written to.
  const before = one.gateway.keyList
  await give()
  expect(one.gateway.keyList).toBe(before)
})

test('a first use is merged once, the earliest of all access points; time runs on from it', async () => {
  const voucher = sold()
  await give()
  const at = now() - 600
  one.gateway.keys = { uses: [{ at: at + 60, voucher: voucher.id, mac: tablet }], present: [] }
  one.other.keys = { uses: [{ at, voucher: voucher.id, mac: phone }], present: [] }
  one.manager.runtime.db
    .update(vouchers)
    .set({ validFrom: (at - 60) * 1000 })
    .where(eq(vouchers.id, voucher.id))
    .run()
  await give()
  expect(rowOf(voucher)).toMatchObject({ keySince: at * 1000, firstUsedAt: at * 1000 })
  expect(rowOf(voucher)?.usedSeconds).toBeGreaterThanOrEqual(600)
  expect([one.gateway.keys?.uses, one.other.keys?.uses]).toEqual([[], []])
  const key = listed().find(of => of.voucher === voucher.id)
  expect(key).toMatchObject({ end: at + 3600 })
  expect(key?.seconds).toBeUndefined()
  // The portal has the same of it.
  const guest = { mac: laptop, ip: '10.66.9.3' }
  await one.send(guest, { method: 'voucher', code: voucher.code })
  expect(one.gateway.in.get(laptop)?.bounds.seconds).toBeLessThanOrEqual(3000)
})

test('used up it is a key no more, renewed it is one again for all its time', async () => {
  const voucher = sold({ seconds: 60 })
  const at = now() - 61
  one.manager.runtime.db
    .update(vouchers)
    .set({ validFrom: (at - 60) * 1000 })
    .where(eq(vouchers.id, voucher.id))
    .run()
  one.gateway.keys = { uses: [{ at, voucher: voucher.id, mac: phone }], present: [] }
  await give()
  expect(rowOf(voucher)?.usedSeconds).toBe(60)
  expect(listed().map(of => of.voucher)).not.toContain(voucher.id)
  const { data } = await one.owner.post('vouchers/list', { groupId: voucher.group })
  expect((data.result as { state: number }[])[0]?.state).toBe(2)
  renewVouchers(one.manager.runtime.db, [voucher.id], Date.now())
  await give()
  expect(listed().find(of => of.voucher === voucher.id)).toMatchObject({ seconds: 60 })
})

test('a full voucher is for who was there first, on all access points together', async () => {
  const voucher = sold({ maxDevices: 2 })
  one.gateway.keys = { uses: [], present: [{ mac: phone, voucher: voucher.id, seconds: 50 }] }
  one.other.keys = {
    uses: [],
    present: [
      { mac: tablet, voucher: voucher.id, seconds: 20 },
      { mac: laptop, voucher: voucher.id, seconds: 30 },
    ],
  }
  await give()
  const of = (list = listed()) => list.find(key => key.voucher === voucher.id)?.only
  expect([of(), of(one.other.keyList?.keys as never)]).toEqual([
    [phone, laptop],
    [phone, laptop],
  ])
  one.other.keys = { uses: [], present: [] }
  await give()
  expect(of()).toBeUndefined()
})

test('a voucher with a data limit or a reset is no key, one that is deleted is none at once', async () => {
  const [data, reset, deleted] = [sold({ byteLimitMb: 5 }), sold({ resetDays: 1 }), sold()]
  await give()
  const all = () => listed().map(of => of.voucher)
  expect([all().includes(data.id), all().includes(reset.id), all().includes(deleted.id)]).toEqual([false, false, true])
  await one.owner.post('vouchers/delete', { groupId: deleted.group, ids: [deleted.id] })
  await give()
  expect(all()).not.toContain(deleted.id)
  const { data: shown } = await one.owner.post('vouchers/desk/code', { id: data.id })
  expect(shown.keys).toEqual([])
})

test('a voucher that is taken away goes from where it was given before anything else is asked', async () => {
  startVoucherKeys(one.manager.runtime, 3_600_000)
  const [mine, other] = [sold(), sold()]
  await give()
  // Whatever is asked takes longer than anybody may be in by a voucher that is void.
  const { keys } = one.gateway
  one.gateway.takesMs = 2000
  delete one.gateway.keys
  await one.owner.post('vouchers/delete', { groupId: mine.group, ids: [mine.id] })
  await until(() => one.gateway.voided?.includes(mine.id))
  expect([one.gateway.voided, one.other.voided]).toEqual([[mine.id], [mine.id]])
  delete one.gateway.takesMs
  if (keys) one.gateway.keys = keys
  await give()
  expect(listed().map(of => of.voucher)).toContain(other.id)
})

test('an access point that does not answer, or takes none, keeps no other from its list', async () => {
  delete one.other.keys
  const voucher = sold()
  await give()
  expect(listed().map(of => of.voucher)).toContain(voucher.id)
  one.other.keys = { uses: [], present: [] }
})

test('the desk shows the key; the print has it as text and as a code that joins', async () => {
  const voucher = sold()
  const key = keyed(voucher.code)
  const { data } = await one.owner.post('vouchers/desk/code', { id: voucher.id })
  expect(data.keys).toEqual([{ ssid: 'Quay', key }])
  const print = async (groupId: number) =>
    one.owner.post('vouchers/groups/print', { groupId, format: 'a4', perPage: 8, ssid, qr: 'wifi' })
  const { data: job } = await print(voucher.group)
  const { jobId } = job
  await until(async () => (await one.owner.post('vouchers/groups/print/result', { jobId })).data.state === 'done')
  const file = await one.owner.raw(`vouchers/groups/print/file?networkId=1&jobId=${jobId}`, { method: 'GET' })
  const pdf = Buffer.from(await file.arrayBuffer())
  expect(codesOf(pdf)).toEqual([`WIFI:T:WPA;S:Quay;P:${key};;`])
  expect(textOf(pdf).pages[0]?.text.join(' ')).toContain(key)
  const refused = await print(sold({ byteLimitMb: 5 }).group)
  expect([refused.retCode, refused.data.fields]).toEqual([codes.invalidInput, { qr: 'noVoucherKeys' }])
})

test('a network whose vouchers are keys has no portal', async () => {
  const portal = await one.save('portal', { name: 'Other', methods: ['free'] })
  const { data } = await one.owner.post('settings/ssid/save', {
    ...{ name: 'Two', security: 'ppsk', vouchers: true, vlan: 66, portal },
    assign: { all: true, groups: [], devices: [] },
  })
  expect(data.fields).toMatchObject({ vouchers: 'voucherPortal' })
})
