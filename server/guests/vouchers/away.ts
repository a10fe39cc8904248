import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { voucherDevices, vouchers } from '@/db/schema'

// What vouchers were used for without this manager: by gateways while it was away, and as keys of Wi-Fi networks.

type Voucher = typeof vouchers.$inferSelect

const earlier = (voucher: Pick<Voucher, 'firstUsedAt'>, at: number) => Math.min(at, voucher.firstUsedAt ?? at)

/** A gateway let a device in by it at this time (ms). */
export function usedAway(db: Db, voucher: Voucher, mac: string, at: number): void {
  db.insert(voucherDevices).values({ voucher: voucher.id, mac, firstAt: at }).onConflictDoNothing().run()
  db.update(vouchers)
    .set({ firstUsedAt: earlier(voucher, at) })
    .where(eq(vouchers.id, voucher.id))
    .run()
}

/** Its key was used first at this time (ms): from then on its time runs by the clock. */
export const keyUsed = (db: Db, voucher: Voucher, at: number): void =>
  void db
    .update(vouchers)
    .set({ keySince: at, firstUsedAt: earlier(voucher, at) })
    .where(eq(vouchers.id, voucher.id))
    .run()

/** So much of its time is over, as counted now (ms). */
export const timeRan = (db: Db, id: number, usedSeconds: number, now: number): void =>
  void db.update(vouchers).set({ usedSeconds, countedAt: now }).where(eq(vouchers.id, id)).run()
