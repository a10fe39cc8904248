import { sql } from 'drizzle-orm'
import { apiKeys } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const keyBelongings: readonly Belonging[] = [
  {
    table: apiKeys,
    /** Keys that were deleted since, perhaps because somebody had stolen them, have run out. */
    restored(db, known, now) {
      const here = sql`SELECT value FROM json_each(${known('api_keys', 'digest')})`
      db.update(apiKeys)
        .set({ expiresAt: sql`min(coalesce(${apiKeys.expiresAt}, ${now}), ${now})` })
        .where(sql`${apiKeys.digest} NOT IN (${here})`)
        .run()
    },
  },
]
