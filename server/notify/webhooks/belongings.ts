import { inArray, sql } from 'drizzle-orm'
import { webhookDeliveries, webhooks } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const webhookBelongings: readonly Belonging[] = [
  {
    table: webhooks,
    /** Those that were deleted since, or got another secret, are off. */
    restored(db, known) {
      const told = sql`SELECT value FROM json_each(${known('webhooks', 'secret')})`
      db.update(webhooks).set({ state: 'off' }).where(sql`${webhooks.secret} NOT IN (${told})`).run()
    },
  },
  {
    table: webhookDeliveries,
    // What was told, of a network that may be gone.
    network: { of: webhookDeliveries.network, deleted: 'stays' },
    // What waited then was sent.
    restored: db =>
      void db
        .delete(webhookDeliveries)
        .where(inArray(webhookDeliveries.state, ['waiting', 'sending']))
        .run(),
  },
]
