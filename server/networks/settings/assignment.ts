import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { devices, groups } from '@/db/schema'
import { type Assign, type GroupPaths, together } from '@/model/assign'
import type { DocumentRow } from '@/server/kernel/documents'
import { failFields } from '@/server/kernel/fail'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { inNetwork } from './problems'
import { assignsOf, writeAssign } from './store'

// Which devices a document is given to, and which others of its kind they have.

const target = z.int().positive()
/** As calls take it. */
export const assignShape = z.strictObject({
  all: z.boolean().default(false),
  groups: z.array(target).max(1000).default([]),
  devices: z.array(target).max(10_000).default([]),
})

export type Assignment = { was: Assign | undefined; assign: Assign }

function checkAssign(db: Db, network: number, assign: Assign): void {
  const known = (table: typeof groups | typeof devices, ids: readonly number[]) =>
    inNetwork(db, table, network, ids).size === new Set(ids).size
  if (!known(groups, assign.groups)) failFields({ 'assign.groups': 'notFound' }, 'groupNotFound')
  if (!known(devices, assign.devices)) failFields({ 'assign.devices': 'notFound' }, 'deviceNotFound')
}

const everywhere: Assign = { all: true, groups: [], devices: [] }

/** As told, else as it was, else to all devices. */
export function assignmentOf(db: Db, before: DocumentRow | undefined, wanted: Assign | undefined): Assignment {
  const was = before && assignsOf(db, [before.id]).get(before.id)
  return { was, assign: wanted ?? was ?? everywhere }
}

/** Gives a document out. Returns [before, after] where that changed. */
export function saveAssignment(
  db: Db,
  network: number,
  id: string,
  { was, assign }: Assignment,
): [Assign, Assign] | undefined {
  checkAssign(db, network, assign)
  writeAssign(db, id, assign)
  return was && JSON.stringify(was) !== JSON.stringify(assign) ? [was, assign] : undefined
}

/** Those of the rows that a device gets which gets what is given out so. */
export function overlappingRows(db: Db, network: number, rows: readonly DocumentRow[], assign: Assign): DocumentRow[] {
  const assigns = assignsOf(
    db,
    rows.map(row => row.id),
  )
  const tree = networkGroups(db, network)
  const placed = db.select({ id: devices.id, group: devices.group }).from(devices).where(eq(devices.network, network))
  const groupOf = new Map(placed.all().map(one => [one.id, one.group]))
  const paths: GroupPaths = {
    group: id => pathOf(tree, id),
    device: id => pathOf(tree, groupOf.get(id) ?? null),
  }
  return rows.filter(row => together(assign, assigns.get(row.id) as Assign, paths))
}
