import { inArray, or, type SQL, type SQLWrapper } from 'drizzle-orm'
import { deviceParents } from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const incidentBelongings: readonly Belonging[] = [
  {
    table: deviceParents,
    device: {
      of: (_, ids) =>
        or(inArray(deviceParents.device, ids as SQLWrapper), inArray(deviceParents.parent, ids as SQLWrapper)) as SQL,
      deleted: 'cascades',
    },
    moved: 'drops',
  },
]
