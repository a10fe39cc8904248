import { and, eq } from 'drizzle-orm'
import { voucherDevices } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'

/** A device calls itself something else now: its place on the voucher, and what it used, go along. */
export function moveDevice(
  { db }: Runtime,
  { voucher, from, to }: { voucher: number; from: string; to: string },
): void {
  if (from === to) return
  const at = (mac: string) => and(eq(voucherDevices.voucher, voucher), eq(voucherDevices.mac, mac))
  db.transaction(tx => {
    const former = tx.select().from(voucherDevices).where(at(from)).get()
    if (!former) return
    tx.delete(voucherDevices).where(at(to)).run()
    tx.update(voucherDevices).set({ mac: to }).where(at(from)).run()
  })
}
