import { and, eq, sql } from 'drizzle-orm'
import { portalFiles, portalPageFiles } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'
import { used } from './store'

export const mediaBelongings: readonly Belonging[] = [
  {
    table: portalFiles,
    network: {
      of: portalFiles.network,
      // What a splash page of another network names, stays for that one.
      deleted: (db, network) =>
        void db
          .delete(portalFiles)
          .where(and(eq(portalFiles.network, network), sql`not ${used}`))
          .run(),
    },
  },
  { table: portalPageFiles },
]
