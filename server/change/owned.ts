import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { takeovers } from '@/db/schema'
import type { NativeBlock, NativeConfig, TakenItem } from '@/server/devices/driver'
import type { OwnedItem } from '@/server/devices/protocol'
import type { Runtime } from '@/server/kernel/runtime'

// What was taken over of a device's own configuration, and what that means for states kept from before.

export type TakeoverRow = typeof takeovers.$inferSelect

const place = ({ device, item }: Pick<TakeoverRow, 'device' | 'item'>) => `takeovers:${device} ${item}:kept`

export const takeoverRows = (db: Db, device: number): TakeoverRow[] =>
  db.select().from(takeovers).where(eq(takeovers.device, device)).orderBy(takeovers.takenAt, takeovers.item).all()

type Kept = Pick<TakenItem, 'options' | 'about'>

export const sealKept = (
  { secrets }: Pick<Runtime, 'secrets'>,
  at: Pick<TakeoverRow, 'device' | 'item'>,
  { options, about }: Kept,
): string => secrets.seal(JSON.stringify({ options, about }), place(at))

function opened({ secrets }: Pick<Runtime, 'secrets'>, row: TakeoverRow): OwnedItem {
  return {
    id: row.item,
    ...(JSON.parse(secrets.open(row.kept, place(row))) as Kept),
    ...(row.document && { document: row.document }),
    ...(row.returnedAt !== null && { returning: true as const }),
  }
}

/** What is owned of a device, with the former values in clear; those on their way back too. */
export const ownedItems = (runtime: Pick<Runtime, 'db' | 'secrets'>, device: number): OwnedItem[] =>
  takeoverRows(runtime.db, device).map(row => opened(runtime, row))

/** Ends what was handed back before a push began that is applied now. */
export function endReturned(db: Db, device: number, startedAt: number): void {
  for (const { item, returnedAt } of takeoverRows(db, device))
    if (returnedAt !== null && returnedAt < startedAt)
      db.delete(takeovers)
        .where(and(eq(takeovers.device, device), eq(takeovers.item, item)))
        .run()
}

/**
 * A state kept from an earlier push as it stands to what is owned now: without what was handed back since, and with what
 * was taken over since as it then was.
 */
export function ownedNow(earlier: NativeConfig, former: readonly NativeBlock[]): NativeConfig {
  const owned = new Set(former.map(block => block.item))
  const kept = earlier.blocks.filter(block => block.item === undefined || owned.has(block.item))
  const known = new Set(kept.map(block => block.item))
  return { blocks: [...kept, ...former.filter(block => !known.has(block.item))] }
}

/** An earlier configuration to be sent again: what is owned and it does not know stays as the present plan has it. */
export function restorable(earlier: NativeConfig, { planned, former }: Owned): NativeConfig {
  const items = new Set(former.map(block => block.item))
  return ownedNow(
    earlier,
    planned.blocks.filter(block => items.has(block.item)),
  )
}
type Owned = { planned: NativeConfig; former: readonly NativeBlock[] }
