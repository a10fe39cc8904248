import { inArray } from 'drizzle-orm'
import { noticeDeliveries, noticeTargets } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const targetBelongings: readonly Belonging[] = [
  { table: noticeTargets, organization: { of: noticeTargets.organization, deleted: 'cascades' } },
  {
    table: noticeDeliveries,
    // What waited then was told.
    restored: db =>
      void db
        .delete(noticeDeliveries)
        .where(inArray(noticeDeliveries.state, ['waiting', 'sending']))
        .run(),
  },
]
