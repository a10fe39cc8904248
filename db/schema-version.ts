import Database from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'

type Sqlite = Database.Database

/**
 * The schema a database file has: the time stamp (ms) of its last migration, 0 for an empty file.
 * Throws SQLITE_NOTADB and the like.
 */
export function databaseSchema(sqlite: Sqlite): number {
  const table = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'")
    .get()
  if (!table) return 0
  const row = sqlite.prepare('SELECT max(created_at) AS last FROM __drizzle_migrations').get() as {
    last: number | null
  }
  return Number(row.last ?? 0)
}

/** The newest schema this program knows: time stamp (ms) of its last migration. */
export function programSchema(migrations: string): number {
  return Math.max(0, ...readMigrationFiles({ migrationsFolder: migrations }).map(step => step.folderMillis))
}

/** The oldest schema this program brings up to date: time stamp (ms) of its first migration. */
export function oldestSchema(migrations: string): number {
  return Math.min(...readMigrationFiles({ migrationsFolder: migrations }).map(step => step.folderMillis))
}

/** Tables, indexes, triggers and views with their definitions; SQLite's and the migrator's own left out. */
export function schemaShape(sqlite: Sqlite): string[] {
  const rows = sqlite
    .prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '__drizzle_migrations'",
    )
    .all() as { type: string; name: string; tbl_name: string; sql: string | null }[]
  return rows.map(row => `${row.type} ${row.name} ${row.tbl_name} ${(row.sql ?? '').replace(/\s+/g, ' ')}`).sort()
}

/** The shape this program's migrations give up to and including `schema`; undefined when it has no migration of that stamp. */
export function expectedShape(migrations: string, schema: number): string[] | undefined {
  const steps = readMigrationFiles({ migrationsFolder: migrations })
  if (!steps.some(step => step.folderMillis === schema)) return undefined
  const scratch = new Database(':memory:')
  try {
    for (const step of steps.filter(one => one.folderMillis <= schema)) for (const sql of step.sql) scratch.exec(sql)
    return schemaShape(scratch)
  } finally {
    scratch.close()
  }
}

/** Rows of each table of a manager's database, by name. */
export function rowCounts(sqlite: Sqlite): Record<string, number> {
  const tables = sqlite
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all() as { name: string }[]
  const count = (name: string) =>
    (sqlite.prepare(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get() as { n: number }).n
  return Object.fromEntries(
    tables.filter(table => table.name !== '__drizzle_migrations').map(table => [table.name, count(table.name)]),
  )
}

/** What is wrong inside a database file, empty when nothing is: page structure and references. */
export function integrityProblems(sqlite: Sqlite): string[] {
  const pages = (sqlite.pragma('integrity_check(20)') as { integrity_check: string }[]).map(row => row.integrity_check)
  const references = sqlite.pragma('foreign_key_check') as { table: string; parent: string }[]
  return [
    ...pages.filter(line => line !== 'ok'),
    ...references.slice(0, 20).map(row => `${row.table} refers to a missing row of ${row.parent}`),
  ]
}
