import { count, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { type voucherGroups, vouchers } from '@/db/schema'
import { limits } from '@/model/limits'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { newCode } from './codes'

export type GroupRow = typeof voucherGroups.$inferSelect

const rowsAStatement = 200

export const vouchersIn = (db: Db, group: number): number =>
  db.select({ n: count() }).from(vouchers).where(eq(vouchers.group, group)).get()?.n ?? 0

/** More vouchers of a group, in the caller's transaction. Refuses by `fail`: voucherLimit. */
export function makeVouchers(
  { secrets }: Pick<Runtime, 'secrets'>,
  tx: Db,
  group: Pick<GroupRow, 'id' | 'organization' | 'network'>,
  { quantity, now }: { quantity: number; now: number },
): void {
  const { id, organization, network } = group
  if (vouchersIn(tx, id) + quantity > limits.vouchersPerGroup) fail('voucherLimit', { limit: limits.vouchersPerGroup })
  const row = { organization, network, group: id, createdAt: now, validFrom: now }
  for (let left = quantity; left > 0; ) {
    const some = Array.from({ length: Math.min(left, rowsAStatement) }, () => ({
      ...row,
      ...newCode(secrets, network),
    }))
    // One in billions exists already: then another one is made.
    left -= tx.insert(vouchers).values(some).onConflictDoNothing().run().changes
  }
}
