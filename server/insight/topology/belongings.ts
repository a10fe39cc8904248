import { inArray, or, type SQL, type SQLWrapper } from 'drizzle-orm'
import { topologyLinks, topologyPlaces } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const topologyBelongings: readonly Belonging[] = [
  { table: topologyPlaces, network: { of: topologyPlaces.network, deleted: 'cascades' } },
  {
    table: topologyLinks,
    network: { of: topologyLinks.network, deleted: 'cascades' },
    device: {
      of: (_, ids) =>
        or(inArray(topologyLinks.upper, ids as SQLWrapper), inArray(topologyLinks.lower, ids as SQLWrapper)) as SQL,
      deleted: 'cascades',
    },
    moved: 'drops',
  },
]
