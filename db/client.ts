import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import * as schema from './schema'

export type Db = BetterSQLite3Database<typeof schema>
export type Sqlite = Database.Database

/**
 * Opens a manager's database file for writing and brings it to this version's schema.
 * The caller is the only writer of the file. Throws what SQLite says: SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOTADB …
 *
 * Full synchronous: what a call acknowledged must survive a power cut, and settings are written seldom.
 */
export function openDatabase(file: string, migrations: string): { db: Db; sqlite: Sqlite } {
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('busy_timeout = 2000')
  const db = drizzle(sqlite, { schema })
  // A migration may rebuild a table that others refer to.
  sqlite.pragma('foreign_keys = OFF')
  migrate(db, { migrationsFolder: migrations })
  sqlite.pragma('foreign_keys = ON')
  return { db, sqlite }
}
