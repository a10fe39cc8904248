import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deskActs } from '@/db/schema'
import { limits } from '@/model/limits'
import type { NetworkContext } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { keepNewest } from '@/server/kernel/keep-newest'

// A press at the front desk has an id that its browser made. Where the link broke nobody knows whether the press arrived: it
// is sent again under the same id, and done once.

export type DeskWhat = (typeof deskActs.$inferSelect)['what']
type Pressed = { act: string; what: DeskWhat }

/**
 * Does a press in one transaction, unless it was done already: `voucher`: the one it was about, `again`: nothing was done
 * now. Refuses at `act` an id that stands for something else, or that somebody else pressed.
 */
export function once(
  { runtime: { db }, network, actor, now }: NetworkContext,
  { act, what }: Pressed,
  work: (tx: Db) => number,
): { voucher: number; again: boolean } {
  return db.transaction(
    tx => {
      const same = and(eq(deskActs.network, network.id), eq(deskActs.act, act))
      const done = tx.select().from(deskActs).where(same).get()
      if (done) {
        if (done.what !== what || done.account !== actor.id) failFields({ act: 'invalid' })
        return { voucher: done.voucher, again: true }
      }
      const voucher = work(tx)
      tx.insert(deskActs).values({ network: network.id, act, account: actor.id, what, voucher, at: now }).run()
      keepNewest(tx, deskActs, eq(deskActs.network, network.id), limits.deskActs)
      return { voucher, again: false }
    },
    { behavior: 'immediate' },
  )
}
