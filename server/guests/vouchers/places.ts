import { eq } from 'drizzle-orm'
import { voucherDevices } from '@/db/schema'
import { countOne, isSpent } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'

// A full voucher's places are taken by other devices: whoever has the code says whose.

export type VoucherDevice = typeof voucherDevices.$inferSelect

/** So often within an hour: a code that many know is not passed around. */
export const movesAnHour = 3
const hourMs = 3_600_000
const movesKey = (voucher: number) => `voucher moves ${voucher}`

export const isMovable = (runtime: Runtime, voucher: number, now: number): boolean =>
  !isSpent(runtime, movesKey(voucher), movesAnHour, hourMs, now)

export const countMove = (runtime: Runtime, voucher: number, now: number): void =>
  countOne(runtime, movesKey(voucher), hourMs, now)

/** By which a page names a device of a voucher: nobody learns an address from it that the page does not show. */
export const placeName = ({ secrets }: Pick<Runtime, 'secrets'>, { voucher, mac }: VoucherDevice): string =>
  secrets.mac(`${voucher} ${mac}`, 'voucherPlace')

export const placesOf = ({ db }: Pick<Runtime, 'db'>, voucher: number): VoucherDevice[] =>
  db.select().from(voucherDevices).where(eq(voucherDevices.voucher, voucher)).all()

/** The device of that name; undefined where it has a place no more. */
export const placeNamed = (runtime: Runtime, voucher: number, name: string): VoucherDevice | undefined =>
  placesOf(runtime, voucher).find(one => placeName(runtime, one) === name)
