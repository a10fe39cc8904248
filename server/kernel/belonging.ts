import { inArray, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '@/db/client'
import { devices } from '@/db/schema'
import { part } from './part'

// A table has an owner, who says whose its rows are and what becomes of them. What happens to networks, organizations and
// devices as a whole is done by walking over what owners say; manager/belongings has all of it.

export type Ids = readonly number[] | SQLWrapper

/** By which rows are found: a column, or more than that. */
export type Rows = AnySQLiteColumn | ((db: Db, ids: Ids) => SQL)

/**
 * What becomes of rows when the thing that they name is deleted. `cascades`, `empties`: the foreign key sees to it, the row
 * goes or names nothing. `before`: there are none any more, whoever deletes refuses or has seen to it. `stays`: they outlive it.
 */
export type Gone = 'cascades' | 'empties' | 'before' | 'deletes' | 'stays'

export type HandedOver = { network: number; from: number; to: number }
export type Moved = { devices: Ids; to: number }
/** What the manager that restores has in a column, JSON; an empty list where it has no such table. */
export type Known = (table: string, column: string) => string

export type Belonging = {
  table: SQLiteTable
  network?: { of: Rows; deleted: Gone | ((db: Db, network: number) => void) }
  organization?: { of: Rows; deleted: Gone }
  device?: { of: Rows; deleted: Gone }
  /** With its network, to another organization. Nothing said: the row names none, or keeps the one that it names. */
  handedOver?: 'follows' | 'drops' | ((db: Db, handed: HandedOver) => void)
  /** With its device, to another network. `empties`: as if the device were gone. Nothing said: it names its device alone. */
  moved?: 'drops' | 'empties' | ((db: Db, moved: Moved) => void)
  /** In a database that comes out of a backup: what was taken back since must open nothing. */
  restored?: (db: Db, known: Known, now: number) => void
}

/** What all areas have, given in at the start. */
export const belongings = part<readonly Belonging[]>('belongings')

/** Of a column or a condition, the rows of these. */
export const rowsOf = (of: Rows, db: Db, ids: Ids): SQL =>
  typeof of === 'function' ? of(db, ids) : inArray(of, ids as number[])

const devicesIn = (db: Db, network: number) =>
  db
    .select({ id: devices.id })
    .from(devices)
    .where(inArray(devices.network, [network]))

/** Rows in a network: those that name it, else those of its devices. */
function inNetwork({ network, device }: Belonging, db: Db, id: number): SQL | undefined {
  if (network) return rowsOf(network.of, db, [id])
  return device && rowsOf(device.of, db, devicesIn(db, id))
}

type Set = Record<string, number | null>
const set = (db: Db, { table }: Belonging, values: Set, where: SQL) =>
  void db
    .update(table)
    .set(values as never)
    .where(where)
    .run()

/** What is in a network becomes the other organization's. Call it inside a transaction. */
export function handOverRows(all: readonly Belonging[], db: Db, handed: HandedOver): void {
  for (const one of all) {
    const where = inNetwork(one, db, handed.network)
    if (typeof one.handedOver === 'function') one.handedOver(db, handed)
    else if (where && one.handedOver === 'follows') set(db, one, { organization: handed.to }, where)
    else if (where && one.handedOver === 'drops') db.delete(one.table).where(where).run()
  }
}

/** What is bound to the former network goes, or follows. Call it inside a transaction, when the devices are in the new one. */
export function moveRows(all: readonly Belonging[], db: Db, moved: Moved): void {
  for (const one of all) {
    const where = one.device && rowsOf(one.device.of, db, moved.devices)
    if (typeof one.moved === 'function') one.moved(db, moved)
    else if (where && one.moved === 'empties') set(db, one, { device: null }, where)
    else if (where && one.moved === 'drops') db.delete(one.table).where(where).run()
  }
}

/** Deletes what no foreign key takes along. Call it inside a transaction, before the thing itself is deleted. */
export function dropRows(
  all: readonly Belonging[],
  db: Db,
  of: 'network' | 'organization' | 'device',
  ids: readonly number[],
): void {
  for (const one of all) {
    const said = one[of]
    if (said?.deleted === 'deletes')
      db.delete(one.table)
        .where(rowsOf(said.of, db, ids))
        .run()
  }
  // Then what looks at what is left.
  for (const { network } of of === 'network' ? all : [])
    if (typeof network?.deleted === 'function') for (const id of ids) network.deleted(db, id)
}
