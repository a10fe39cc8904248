// What a voucher gives, and to whom.
import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { networks, voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import { shownCode } from '@/model/guests/voucher-code'
import { openCode } from '@/server/guests/vouchers/codes'
import { makeVouchers } from '@/server/guests/vouchers/make'
import { placeName, type VoucherDevice } from '@/server/guests/vouchers/places'
import { count, redeem, remaining } from '@/server/guests/vouchers/redeem'
import { isRefusal } from '@/server/kernel/fail'
import { times } from '../../_sample'
import { finishedWizard, type Manager, startTestManager } from '../_manager'
import { network } from '../_people'

let one: Manager
let here: number
beforeAll(async () => {
  one = await startTestManager()
  await finishedWizard(one)
  here = 1
})
afterAll(() => one.stop())

const start = Date.parse('2026-11-22T12:00:00Z')
const day = 86_400_000
const [phone, tablet] = ['02:00:00:00:00:01', '02:00:00:00:00:02']
const terms: Omit<typeof voucherGroups.$inferInsert, 'organization' | 'network' | 'name' | 'createdAt' | 'createdBy'> =
  {
    ...{ seconds: 3600, validityDays: 30, maxDevices: 1, byteLimitMb: null, bytesPer: 'voucher' },
    ...{ downloadKbps: null, uploadKbps: null, resetDays: 0, resetHour: 0, notes: '' },
  }

let groups = 0
/** Codes of a new group. */
function made(own: Partial<typeof voucherGroups.$inferInsert> = {}, quantity = 1): string[] {
  const { db, secrets } = one.runtime
  groups += 1
  const place = { organization: 1, network: here, name: `group ${groups}`, createdAt: start, createdBy: 'x' }
  const group = db
    .insert(voucherGroups)
    .values({ ...place, ...terms, ...own })
    .returning()
    .get()
  db.transaction(() => makeVouchers(one.runtime, db, group, { quantity, now: start }))
  return db
    .select()
    .from(vouchers)
    .where(eq(vouchers.group, group.id))
    .all()
    .map(row => openCode(secrets, row) ?? '')
}
const [use, left] = [
  (code: string, mac = phone, now = start) => redeem(one.runtime, { network: here, code, mac, now }),
  (voucher: number, mac = phone, now = start) => remaining(one.runtime, { voucher, mac, now }),
]
const counted = (voucher: number, mac: string, seconds: number, bytes: number, now: number) =>
  count(one.runtime, { voucher, mac, seconds, bytes, now })
function refusalOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return isRefusal(error) ? [error.code, error.data] : error
  }
  return undefined
}

test('a voucher lets in by its code however it is typed, with what its group says', () => {
  const [code = ''] = made({ name: 'Harbour', byteLimitMb: 5, downloadKbps: 8000, uploadKbps: 2000 })
  const wanted = { name: 'Harbour', seconds: 3600, bytes: 5_242_880, download: 8000, upload: 2000 }
  expect(use(shownCode(code).toLowerCase())).toMatchObject(wanted)
  const [plain = ''] = made()
  expect(Object.keys(use(plain)).toSorted()).toEqual(['group', 'name', 'seconds', 'voucher'])
})

test('neither codes nor what they are sealed from stand in the database', () => {
  const codes = made({}, 50)
  one.runtime.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const file = readFileSync(`${one.runtime.generation}/lanward.sqlite`).toString('latin1')
  expect(codes.filter(code => file.includes(code))).toEqual([])
})

test('no code, none of this network, one that is gone: each is refused, and changes nothing', () => {
  const [code = ''] = made()
  expect(refusalOf(() => use('NONE'))).toEqual(['voucherMistyped', {}])
  const other = network(one, 'Other house')
  expect(refusalOf(() => redeem(one.runtime, { network: other, code, mac: phone, now: start }))).toEqual([
    'voucherUnavailable',
    {},
  ])
  expect(refusalOf(() => use(code, phone, start + 30 * day))).toEqual(['voucherUnavailable', {}])
  expect(use(code, phone, start + 30 * day - 61_000).seconds).toBe(61)
})

test('a device keeps its place; as many others as the group allows get one', () => {
  const [code = ''] = made({ maxDevices: 2 })
  const { voucher } = use(code)
  use(code, tablet)
  const full = ['voucherDevicesFull', { voucher, movable: true }]
  expect(refusalOf(() => use(code, '02:00:00:00:00:03'))).toEqual(full)
  expect(use(code).voucher).toBe(voucher)
  const [any = ''] = made({ maxDevices: 0 })
  for (let at = 0; at < 40; at++) use(any, `02:00:00:00:01:${at}`)
})

test('its time runs while one of its devices is in, once for all of them, and then it is used up', () => {
  const [code = ''] = made({ maxDevices: 2 })
  const { voucher } = use(code)
  use(code, tablet)
  counted(voucher, phone, 600, 0, start + 600_000)
  counted(voucher, tablet, 600, 0, start + 600_000)
  expect(left(voucher, phone, start + 600_000)?.seconds).toBe(3000)
  // Nobody was in for an hour.
  counted(voucher, tablet, 30, 0, start + 4_200_000)
  expect(use(code, phone, start + 4_200_000).seconds).toBe(2970)
  counted(voucher, phone, 2970, 0, start + 8_000_000)
  expect(left(voucher, phone, start + 8_000_000)).toBeUndefined()
  expect(refusalOf(() => use(code, phone, start + 8_000_000))).toEqual(['voucherUsedUp', {}])
})

test('bytes count for the voucher, or for each device', () => {
  const shared = use(made({ maxDevices: 2, byteLimitMb: 10 })[0] ?? '')
  counted(shared.voucher, phone, 0, 4_485_760, start + 1000)
  expect(left(shared.voucher)?.bytes).toBe(6_000_000)
  counted(shared.voucher, phone, 0, 6_000_001, start + 2000)
  expect(left(shared.voucher)).toBeUndefined()
  const [each = ''] = made({ maxDevices: 2, byteLimitMb: 10, bytesPer: 'device' })
  const { voucher } = use(each)
  use(each, tablet)
  counted(voucher, phone, 0, 10_485_760, start + 1000)
  expect([left(voucher), left(voucher, tablet)?.bytes]).toEqual([undefined, 10_485_760])
  expect(refusalOf(() => use(each))).toEqual(['voucherUsedUp', {}])
})

test('G15: at its reset a voucher begins anew, and until then says when', () => {
  one.runtime.db.update(networks).set({ timezone: 'Europe/Lisbon' }).where(eq(networks.id, here)).run()
  const [code = ''] = made({ resetDays: 1, resetHour: 4, byteLimitMb: 1 })
  const { voucher } = use(code)
  counted(voucher, phone, 3600, 1_048_576, start + 3_600_000)
  const next = Date.parse('2026-11-23T04:00:00Z')
  expect(refusalOf(() => use(code, phone, next - 1))).toEqual(['voucherUsedUp', { nextReset: next }])
  expect(use(code, phone, next)).toMatchObject({ seconds: 3600, bytes: 1_048_576 })
  counted(voucher, phone, 60, 1, next + 60_000)
  expect(left(voucher, phone, next + 60_000)).toMatchObject({ seconds: 3540, bytes: 1_048_575 })
  // What was used over the reset counts from it on.
  const [night = ''] = made({ resetDays: 1, resetHour: 4 })
  const guest = use(night, phone, next - 600_000)
  counted(guest.voucher, phone, 1200, 0, next + 300_000)
  expect(left(guest.voucher, phone, next + 300_000)?.seconds).toBe(3300)
})

test('what is counted for a voucher or a device that is gone is nobody’s', () => {
  const [code = ''] = made()
  const { voucher } = use(code)
  counted(voucher, tablet, 600, 0, start + 600_000)
  expect(left(voucher)?.seconds).toBe(3600)
  one.runtime.db.delete(vouchers).where(eq(vouchers.id, voucher)).run()
  counted(voucher, phone, 600, 0, start + 600_000)
  expect(left(voucher)).toBeUndefined()
  expect(one.runtime.db.select().from(voucherDevices).where(eq(voucherDevices.voucher, voucher)).all()).toEqual([])
})

const races = times(10_000, 500)
test(`${races} races of two devices for the last place of a voucher: exactly one wins each`, async () => {
  // Not the disk's speed is in question.
  one.runtime.sqlite.pragma('synchronous = off')
  const codes = made({}, races)
  const race = async (code: string) => {
    const tries = [phone, tablet].map(async mac => {
      await Promise.resolve()
      return refusalOf(() => use(code, mac))
    })
    return (await Promise.all(tries)).filter(refusal => refusal === undefined).length
  }
  const winners = await Promise.all(codes.map(race))
  expect(winners.filter(count => count !== 1)).toEqual([])
  expect(new Set(codes).size).toBe(races)
})

describe('the place of another device', () => {
  const instead = (code: string, voucher: number, from: string, mac: string, now = start) => {
    const name = placeName(one.runtime, { voucher, mac: from } as VoucherDevice)
    return redeem(one.runtime, { network: here, code, mac, instead: name, now })
  }
  const macs = (voucher: number) =>
    one.runtime.db.select().from(voucherDevices).where(eq(voucherDevices.voucher, voucher)).all()

  test('is taken with what was used from it; three times an hour, by the moments of the moves', () => {
    const [code = ''] = made({ byteLimitMb: 5, bytesPer: 'device' })
    const { voucher } = use(code)
    counted(voucher, phone, 60, 1_000_000, start + 60_000)
    const all = [phone, tablet, '02:00:00:00:00:03', '02:00:00:00:00:04', '02:00:00:00:00:05']
    for (const [at, minutes] of [10, 20, 30].entries()) {
      const moved = instead(code, voucher, all[at] ?? '', all[at + 1] ?? '', start + minutes * 60_000)
      expect(moved).toMatchObject({ replaced: all[at], bytes: 5 * 1_048_576 - 1_000_000 })
      expect(macs(voucher).map(device => device.mac)).toEqual([all[at + 1]])
    }
    const [last = '', next = ''] = all.slice(3)
    const spent = ['voucherDevicesFull', { voucher, movable: false }]
    expect(refusalOf(() => instead(code, voucher, last, next, start + 70 * 60_000 - 1))).toEqual(spent)
    expect(macs(voucher).map(device => device.mac)).toEqual([last])
    expect(instead(code, voucher, last, next, start + 70 * 60_000).replaced).toBe(last)
  })

  test('is not taken by a device that has one, nor of a voucher that is used up', () => {
    const [code = ''] = made({ maxDevices: 2 })
    const { voucher } = use(code)
    use(code, tablet)
    expect(instead(code, voucher, phone, tablet).replaced).toBeUndefined()
    expect(macs(voucher)).toHaveLength(2)
    counted(voucher, phone, 3600, 0, start + 3_600_000)
    const over = start + 3_600_000
    expect(refusalOf(() => instead(code, voucher, phone, '02:00:00:00:00:03', over))).toEqual(['voucherUsedUp', {}])
  })

  const moves = times(2000, 200)
  test(`goes to one of two in each of ${moves} races`, async () => {
    const codes = made({}, moves)
    const race = async (code: string) => {
      const { voucher } = use(code)
      const tries = [tablet, '02:00:00:00:00:03'].map(async mac => {
        await Promise.resolve()
        return refusalOf(() => instead(code, voucher, phone, mac))
      })
      const won = (await Promise.all(tries)).filter(refusal => refusal === undefined).length
      return [won, macs(voucher).length]
    }
    const ends = await Promise.all(codes.map(race))
    expect(ends.filter(([won, places]) => won !== 1 || places !== 1)).toEqual([])
  })
})
