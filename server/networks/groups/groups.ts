import { and, asc, count, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, deviceEvents, devices, documents, groups } from '@/db/schema'
import { limits } from '@/model/limits'
import type { EventCode } from '@/server/drivers/words'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'

export type Group = typeof groups.$inferSelect
export type GroupNode = {
  id: number
  name: string
  parentId: number
  parentName: string
  description: string
  deep: number
  isDefault: boolean
  devices: number
  children: GroupNode[]
}

/** Root of the tree on the wire, and the pseudo group of all devices (specification section 3). */
export const rootGroup = -1
export const allGroups = -999

export const networkGroups = (db: Db, network: number): Group[] =>
  db.select().from(groups).where(eq(groups.network, network)).orderBy(asc(groups.name)).all()

export const findGroup = (db: Db, network: number, id: number): Group =>
  db
    .select()
    .from(groups)
    .where(and(eq(groups.network, network), eq(groups.id, id)))
    .get() ?? fail('groupNotFound')

/** The group that devices of a network come into where nobody chose one; null: none is. */
export const defaultGroup = (db: Db, network: number): number | null =>
  db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.network, network), eq(groups.isDefault, true)))
    .get()?.id ?? null

/** The groups of a network as a tree, each with the number of devices directly in it; with `of` that group and those below it. */
export function groupTree(db: Db, network: number, of?: number): GroupNode[] {
  const rows = networkGroups(db, network)
  const names = new Map(rows.map(row => [row.id, row.name]))
  const counted = db
    .select({ group: devices.group, n: count() })
    .from(devices)
    .where(eq(devices.network, network))
    .groupBy(devices.group)
    .all()
  const sizes = new Map(counted.map(row => [row.group, row.n]))
  const build = (parent: number | null, deep: number): GroupNode[] =>
    rows
      .filter(row => row.parent === parent)
      .map(row => ({
        id: row.id,
        name: row.name,
        parentId: row.parent ?? rootGroup,
        parentName: row.parent ? (names.get(row.parent) ?? '') : '',
        description: row.description,
        deep,
        isDefault: row.isDefault,
        devices: sizes.get(row.id) ?? 0,
        children: build(row.id, deep + 1),
      }))
  if (of === undefined) return build(null, 1)
  const { parent } = findGroup(db, network, of)
  return build(parent, pathOf(rows, of).length).filter(node => node.id === of)
}

/** A group and all below it, nearest first. */
export function below(rows: readonly Group[], id: number): number[] {
  const children = rows.filter(row => row.parent === id).flatMap(row => below(rows, row.id))
  return [id, ...children]
}

/** A group's path from itself up to the root: settings are inherited along it. */
export function pathOf(rows: readonly Group[], id: number | null): number[] {
  const group = rows.find(row => row.id === id)
  return group ? [group.id, ...pathOf(rows, group.parent)] : []
}

type Fields = { groupName: string; parentId: number; description: string; isDefault?: boolean | undefined }

/** Only one group of a network is where devices come by themselves: this one, or none any more where it was it. */
function settleDefault(tx: Db, network: number, id: number, isDefault: boolean): void {
  if (isDefault) tx.update(groups).set({ isDefault: false }).where(eq(groups.network, network)).run()
  tx.update(groups).set({ isDefault }).where(eq(groups.id, id)).run()
}

function checkPlace(rows: readonly Group[], fields: Fields, self?: number): number | null {
  const same = (row: Group) => row.id !== self && row.name.toLowerCase() === fields.groupName.toLowerCase()
  if (rows.some(same)) failFields({ groupName: 'nameExists' }, 'groupNameExists')
  if (fields.parentId === rootGroup) return null
  if (!rows.some(row => row.id === fields.parentId)) failFields({ parentId: 'notFound' }, 'groupNotFound')
  if (self !== undefined && below(rows, self).includes(fields.parentId))
    failFields({ parentId: 'circle' }, 'groupCircle')
  const height = (id: number): number =>
    1 + Math.max(0, ...rows.filter(row => row.parent === id).map(row => height(row.id)))
  if (pathOf(rows, fields.parentId).length + (self === undefined ? 1 : height(self)) > limits.groupDepth)
    failFields({ parentId: 'tooDeep' }, 'groupTooDeep')
  return fields.parentId
}

export function addGroup(context: NetworkContext & Logging, fields: Fields): number {
  const { network, actor, now } = context
  return context.runtime.db.transaction(tx => {
    const parent = checkPlace(networkGroups(tx, network.id), fields)
    const { id } = tx
      .insert(groups)
      .values({
        organization: actor.organization,
        network: network.id,
        parent,
        name: fields.groupName,
        description: fields.description,
        createdAt: now,
      })
      .returning({ id: groups.id })
      .get()
    if (fields.isDefault) settleDefault(tx, network.id, id, true)
    context.log({ action: 'add', object: 'group', name: fields.groupName })
    return id
  })
}

export function editGroup(context: NetworkContext & Logging, id: number, fields: Fields): void {
  context.runtime.db.transaction(tx => {
    const before = findGroup(tx, context.network.id, id)
    const parent = checkPlace(networkGroups(tx, context.network.id), fields, id)
    const after = { name: fields.groupName, parent, description: fields.description }
    tx.update(groups).set(after).where(eq(groups.id, id)).run()
    const isDefault = fields.isDefault ?? before.isDefault
    if (isDefault !== before.isDefault) settleDefault(tx, context.network.id, id, isDefault)
    context.log({
      action: 'edit',
      object: 'group',
      name: after.name,
      fields: {
        name: [before.name, after.name],
        parent: [before.parent, parent],
        ...(isDefault !== before.isDefault && { isDefault: [before.isDefault, isDefault] }),
      },
    })
  })
}

/**
 * Devices and groups inside move to the parent; what was set for the group goes with it, and what was given to the group
 * alone is given to nobody any more.
 */
export function deleteGroup(context: NetworkContext & Logging, id: number): void {
  context.runtime.db.transaction(tx => {
    const group = findGroup(tx, context.network.id, id)
    tx.update(devices).set({ group: group.parent }).where(eq(devices.group, id)).run()
    tx.update(groups).set({ parent: group.parent }).where(eq(groups.parent, id)).run()
    tx.delete(documents)
      .where(and(eq(documents.scope, 'group'), eq(documents.scopeId, id)))
      .run()
    tx.delete(assignments)
      .where(and(eq(assignments.target, 'group'), eq(assignments.targetId, id)))
      .run()
    tx.delete(groups).where(eq(groups.id, id)).run()
    context.log({ action: 'delete', object: 'group', name: group.name })
  })
}

/** Moves devices of this network into a group (-1: out of any). Unknown devices are refused whole. */
export function transferDevices(context: NetworkContext & Logging, deviceIds: number[], groupId: number): number {
  return context.runtime.db.transaction(tx => {
    const group = groupId === rootGroup ? null : findGroup(tx, context.network.id, groupId)
    for (const id of new Set(deviceIds)) {
      const found = tx
        .select({ name: devices.name })
        .from(devices)
        .where(and(eq(devices.network, context.network.id), eq(devices.id, id)))
        .get()
      if (!found) fail('deviceNotFound', { id })
      tx.update(devices)
        .set({ group: group?.id ?? null })
        .where(eq(devices.id, id))
        .run()
      tx.insert(deviceEvents)
        .values({
          device: id,
          at: context.now,
          code: 'moved' satisfies EventCode,
          values: JSON.stringify({ group: group?.name ?? '' }),
        })
        .run()
      context.log({ action: 'move', object: 'device', name: found.name, fields: { group: [null, group?.name ?? ''] } })
    }
    return new Set(deviceIds).size
  })
}
