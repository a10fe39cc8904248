import { inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { voucherDevices } from '@/db/schema'

/** Devices that vouchers let in, by the voucher's number; MACs in the order they came. */
export function devicesOf(db: Db, ids: readonly number[]): Map<number, string[]> {
  const rows = db
    .select({ voucher: voucherDevices.voucher, mac: voucherDevices.mac })
    .from(voucherDevices)
    .where(inArray(voucherDevices.voucher, [...ids]))
    .orderBy(voucherDevices.firstAt)
    .all()
  const held = new Map<number, string[]>()
  for (const { voucher, mac } of rows) held.set(voucher, [...(held.get(voucher) ?? []), mac])
  return held
}
