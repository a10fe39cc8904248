import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '@/db/client'
import type { Next } from './outbox'

/**
 * A table whose rows are sent. `state`: `waiting` until the moment `nextAt`, then `sending`; states of those that ended
 * are its area's. `expiresAt`, where there is one, makes a row due for being given up.
 */
type SentTable = SQLiteTable & Record<'id' | 'state' | 'nextAt', SQLiteColumn>

/** `tries`: its column that counts how often a row was taken. */
export function outboxTable<Tries extends string, T extends SentTable & Record<Tries, SQLiteColumn>>(
  table: T,
  tries: Tries,
) {
  type Row = T['$inferSelect'] & { id: number; nextAt: number; expiresAt?: number } & Record<Tries, number>
  const set = (column: SQLiteColumn, value: SQL | string) => sql`${sql.identifier(column.name)} = ${value}`
  return {
    comeBack: (db: Db): void =>
      void db.run(sql`update ${table} set ${set(table.state, 'waiting')} where ${table.state} = 'sending'`),

    /** The row whose turn it is, counted and marked as on its way; or when that will be. */
    take(db: Db, now: number, where?: SQL): Next<T['$inferSelect']> | undefined {
      const row = db
        .select()
        .from(table as SQLiteTable)
        .where(and(eq(table.state, 'waiting'), where))
        .orderBy(asc(table.nextAt), asc(table.id))
        .limit(1)
        .get() as Row | undefined
      if (!row) return undefined
      const at = Math.min(row.nextAt, row.expiresAt ?? row.nextAt)
      if (at > now) return { at }
      const counted = set(table[tries], sql`${table[tries]} + 1`)
      db.run(sql`update ${table} set ${set(table.state, 'sending')}, ${counted} where ${table.id} = ${row.id}`)
      return { due: { ...row, [tries]: row[tries] + 1 } }
    },
  }
}
