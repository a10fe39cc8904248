import { inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { voucherDevices, vouchers } from '@/db/schema'

/** Rule S1, in the caller's transaction: what was used counts from 0, what was added is none, validity starts now. Which may be, the caller asks. */
export function renewVouchers(tx: Db, ids: readonly number[], now: number): void {
  const anew = { usedBytes: 0, countedAt: now }
  tx.update(vouchers)
    .set({ ...anew, usedSeconds: 0, addedSeconds: 0, validFrom: now, keySince: null })
    .where(inArray(vouchers.id, [...ids]))
    .run()
  tx.update(voucherDevices)
    .set(anew)
    .where(inArray(voucherDevices.voucher, [...ids]))
    .run()
}
