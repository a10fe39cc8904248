import { and, eq, inArray, or, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, devices, documents, groups, refs } from '@/db/schema'
import type { Belonging, Ids } from '@/server/kernel/belonging'

const scoped = (scope: 'network' | 'group' | 'device', ids: Ids) =>
  and(eq(documents.scope, scope), inArray(documents.scopeId, ids as SQLWrapper))

/** Settings of networks, their groups and their devices: documents name their scope by a number, which no foreign key can follow. */
export const documentsIn = (db: Db, networks: Ids): SQL => {
  const own = networks as number[]
  return or(
    scoped('network', own),
    scoped('group', db.select({ id: groups.id }).from(groups).where(inArray(groups.network, own))),
    scoped('device', db.select({ id: devices.id }).from(devices).where(inArray(devices.network, own))),
  ) as SQL
}

export const settingsBelongings: readonly Belonging[] = [
  {
    table: assignments,
    device: {
      of: (_, ids) => and(eq(assignments.target, 'device'), inArray(assignments.targetId, ids as SQLWrapper)) as SQL,
      deleted: 'deletes',
    },
    moved: 'drops',
  },
  {
    table: documents,
    network: { of: documentsIn, deleted: 'deletes' },
    organization: { of: documents.organization, deleted: 'before' },
    device: { of: (_, ids) => scoped('device', ids) as SQL, deleted: 'deletes' },
    handedOver: 'follows',
    // What was set for it alone refers to what the former network has.
    moved: 'drops',
  },
  { table: refs },
]
