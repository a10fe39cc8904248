import { eq, sql } from 'drizzle-orm'
import { prepared } from '@/db/prepared'
import { ipWhitelist } from '@/db/schema'
import { isInSegment } from '@/model/addresses'
import { isLoopback } from '@/server/kernel/remote'
import type { Runtime } from '@/server/kernel/runtime'

export type Entry = typeof ipWhitelist.$inferSelect

export const entriesOf = ({ db }: Pick<Runtime, 'db'>, organization: number): Entry[] =>
  prepared(db, 'whitelist', () =>
    db
      .select()
      .from(ipWhitelist)
      .where(eq(ipWhitelist.organization, sql.placeholder('organization')))
      .orderBy(ipWhitelist.id)
      .prepare(),
  ).all({ organization })

/** Whether `address` may come by these entries. No entry is no limit; who sits at the manager itself always may. */
export const letsIn = (entries: readonly Pick<Entry, 'ip'>[], address: string): boolean =>
  entries.length === 0 || isLoopback(address) || entries.some(entry => isInSegment(entry.ip, address))

/** The IP whitelist of an organization: holds for signing in, for sessions, and for whatever else lets somebody in. */
export const mayEnter = (runtime: Runtime, organization: number, address: string): boolean =>
  letsIn(entriesOf(runtime, organization), address)
