import { eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { importedItems } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import type { ImportState } from '@/server/worker/protocol'

// What was imported of a device's own configuration, as it is stored.

export type ImportRow = typeof importedItems.$inferSelect

/** By the table's name in the database. */
const place = ({ device, item }: Pick<ImportRow, 'device' | 'item'>) => `takeovers:${device} ${item}:kept`

export const importRows = (db: Db, device: number): ImportRow[] =>
  prepared(db, 'takeovers', () =>
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
