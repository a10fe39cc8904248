import { and, desc, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '@/db/client'

type Order = {
  /** What is higher the newer a row is, the weightiest first. A row's number (`id`) unless told: where that is a text, tell. */
  by?: readonly (SQLiteColumn | SQL)[]
  /** Counts among the newest, and stays however old it is. */
  except?: SQL
}
const row = sql`rowid`
/** SQLite knows no offset without a limit. */
const noLimit = Number.MAX_SAFE_INTEGER

/** Of the rows that `where` names the newest `most` stay, in the caller's transaction. Returns how many went. */
export function keepNewest(
  db: Db,
  table: SQLiteTable,
  where: SQL | undefined,
  most: number,
  order: Order = {},
): number {
  const { by = [row], except } = order
  const old = db
    .select({ row })
    .from(table)
    .where(where)
    .orderBy(...by.map(column => desc(column)))
    .limit(noLimit)
    .offset(most)
  return db
    .delete(table)
    .where(and(inArray(row, old), except && not(except)))
    .run().changes
}
