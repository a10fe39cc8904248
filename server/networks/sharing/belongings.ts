import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import { associations, networkOffers, networks } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

/** Who a share is to, and how far; a network by what no other one on another manager has, too. */
const shareKey = "network || ' ' || organization || ' ' || kind || ' ' || accepted"
const networkKey = "id || ' ' || created_at"

export const sharingBelongings: readonly Belonging[] = [
  {
    table: networkOffers,
    network: { of: networkOffers.network, deleted: 'cascades' },
    organization: { of: networkOffers.organization, deleted: 'cascades' },
    handedOver: 'drops',
    /** Networks that are known here are shared with those alone with whom they are now; on a new machine, as they were. */
    restored(db, known) {
      const here = sql`SELECT value FROM json_each(${known('networks', networkKey)})`
      const shared = sql`SELECT value FROM json_each(${known('network_offers', shareKey)})`
      const ours = db
        .select({ id: networks.id })
        .from(networks)
        .where(sql`${sql.raw(networkKey)} IN (${here})`)
      db.delete(networkOffers)
        .where(and(inArray(networkOffers.network, ours), sql`${sql.raw(shareKey)} NOT IN (${shared})`))
        .run()
    },
  },
  {
    table: associations,
    organization: {
      of: (_, ids) =>
        or(inArray(associations.one, ids as number[]), inArray(associations.other, ids as number[])) as SQL,
      deleted: 'cascades',
    },
  },
]
