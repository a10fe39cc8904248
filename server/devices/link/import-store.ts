import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { importedItems } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import type { ImportState } from '@/server/worker/protocol'

// What was imported of a device's own configuration, as it is stored.

export type ImportRow = typeof importedItems.$inferSelect

/** By the name that the table had when the first ones were sealed: another would open none of them. */
const place = ({ device, item }: Pick<ImportRow, 'device' | 'item'>) => `takeovers:${device} ${item}:kept`

export const importRows = (db: Db, device: number): ImportRow[] =>
  prepared(db, 'importRows', () =>
    db
      .select()
      .from(importedItems)
      .where(eq(importedItems.device, sql.placeholder('device')))
      .orderBy(importedItems.importedAt, importedItems.item)
      .prepare(),
  ).all({ device })

type Kept = Pick<ImportState, 'options' | 'about' | 'back'> & {
  /** Option → kind and field that say it. */
  says?: Record<string, [kind: string, field: string]>
  /** Option → when it was imported (ms). */
  since?: Record<string, number>
}
/** An item as it is kept. */
export type KeptItem = ImportState & Kept

export const sealKept = (
  { secrets }: Pick<Runtime, 'secrets'>,
  at: Pick<ImportRow, 'device' | 'item'>,
  { options, about, back, says, since }: Kept,
): string => secrets.seal(JSON.stringify({ options, about, back, says, since }), place(at))

export function openKept({ secrets }: Pick<Runtime, 'secrets'>, row: ImportRow): KeptItem {
  return {
    id: row.item,
    ...(JSON.parse(secrets.open(row.kept, place(row))) as Kept),
    ...(row.document && { document: row.document }),
    ...(row.releasedAt !== null && { releasing: true as const }),
  }
}

/** What is imported of a device, with the former values in clear; what is being released, too. */
export const importStates = (runtime: Pick<Runtime, 'db' | 'secrets'>, device: number): KeptItem[] =>
  importRows(runtime.db, device).map(row => openKept(runtime, row))

const only = ({ device, item }: Pick<ImportRow, 'device' | 'item'>) =>
  and(eq(importedItems.device, device), eq(importedItems.item, item))

/** Stores an item's import in place of an earlier one. */
export const keepImport = (db: Db, row: ImportRow): void =>
  void db
    .insert(importedItems)
    .values(row)
    .onConflictDoUpdate({ target: [importedItems.device, importedItems.item], set: row })
    .run()

export const changeImport = (
  db: Db,
  row: Pick<ImportRow, 'device' | 'item'>,
  set: Partial<Pick<ImportRow, 'kept' | 'made' | 'releasedAt'>>,
): void => void db.update(importedItems).set(set).where(only(row)).run()

export const endImport = (db: Db, row: Pick<ImportRow, 'device' | 'item'>): void =>
  void db.delete(importedItems).where(only(row)).run()

/** All of a device: what was imported is its own again. */
export const endImports = (db: Db, device: number): void =>
  void db.delete(importedItems).where(eq(importedItems.device, device)).run()
