import { and, asc, count, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, devices, documents } from '@/db/schema'
import { type KindId, kindIds, singleKindIds } from '@/model/registry'
import { answeringCount } from './answering'
import { below, findGroup, networkGroups, pathOf } from './groups'

// What a device group holds, and what its devices are given.

/** What deleting a group would do; `toName` is '' where its devices would be in no group. */
export function deletionOf(db: Db, network: number, id: number) {
  const group = findGroup(db, network, id)
  const rows = networkGroups(db, network)
  const inside = db.select({ n: count() }).from(devices).where(eq(devices.group, id)).get()?.n ?? 0
  const set = and(eq(documents.scope, 'group'), eq(documents.scopeId, id))
  const to = and(eq(assignments.target, 'group'), eq(assignments.targetId, id))
  return {
    groupId: id,
    groupName: group.name,
    isDefault: group.isDefault,
    toName: rows.find(row => row.id === group.parent)?.name ?? '',
    devices: inside,
    groups: rows.filter(row => row.parent === id).length,
    settings: db.select({ n: count() }).from(documents).where(set).get()?.n ?? 0,
    given: db.select({ n: count() }).from(assignments).where(to).get()?.n ?? 0,
  }
}

export type DeviceTypes = { type: string; count: number; online: number; models: string[] }

/** The kinds of devices in a group and below it, or in the whole network, with the models that they say they are. */
export function deviceTypesIn(db: Db, network: number, group?: number): DeviceTypes[] {
  const within = group === undefined ? undefined : inArray(devices.group, below(networkGroups(db, network), group))
  const rows = db
    .select({
      type: devices.kind,
      model: devices.model,
      count: count(),
      online: answeringCount,
    })
    .from(devices)
    .where(and(eq(devices.network, network), within))
    .groupBy(devices.kind, devices.model)
    .all()
  const types = [...new Set(rows.map(row => row.type))].map(type => {
    const own = rows.filter(row => row.type === type)
    const sum = (of: (row: (typeof rows)[number]) => number) => own.reduce((total, row) => total + of(row), 0)
    const models = own.map(row => row.model).filter(model => model !== '')
    return { type, count: sum(row => row.count), online: sum(row => row.online), models: models.sort() }
  })
  return types.sort((a, b) => b.count - a.count || a.type.localeCompare(b.type))
}

export type Given = {
  kind: KindId
  /** '' of a setting that exists once. */
  id: string
  name: string
  from: 'network' | 'above' | 'group'
  /** Of the group that it comes from. */
  fromName: string
}
const order = ['group', 'above', 'network'] as const

/** Settings of these kinds that the devices of a group get: its own first, then those of the groups above, then the network's. */
export function givenTo(db: Db, network: number, group: number, kinds: readonly KindId[]): Given[] {
  const tree = networkGroups(db, network)
  const path = pathOf(tree, group)
  const nameOf = (id: number | null) => tree.find(row => row.id === id)?.name ?? ''
  const columns = { id: documents.id, kind: documents.kind, name: documents.name }
  const readable = inArray(documents.kind, [...kinds])
  const inLists = db
    .select({ ...columns, target: assignments.target, targetId: assignments.targetId })
    .from(documents)
    .innerJoin(assignments, eq(assignments.document, documents.id))
    .where(and(readable, eq(documents.scope, 'network'), eq(documents.scopeId, network)))
    .orderBy(asc(documents.position))
    .all()
    .filter(({ target, targetId }) => target === 'all' || (target === 'group' && path.includes(targetId)))
    .map(({ id, kind, name, target, targetId }) => ({ id, kind, name, group: target === 'all' ? null : targetId }))
  const ofNetwork = and(eq(documents.scope, 'network'), eq(documents.scopeId, network))
  const ofGroups = and(eq(documents.scope, 'group'), inArray(documents.scopeId, path))
  const once = db
    .select({ ...columns, scope: documents.scope, scopeId: documents.scopeId })
    .from(documents)
    .where(and(readable, inArray(documents.kind, singleKindIds), or(ofNetwork, ofGroups)))
    .all()
    .map(({ kind, name, scope, scopeId }) => ({ id: '', kind, name, group: scope === 'network' ? null : scopeId }))
  return [...inLists, ...once]
    .map(({ group: from, ...one }) => ({
      ...one,
      kind: one.kind as KindId,
      from: from === null ? ('network' as const) : from === group ? ('group' as const) : ('above' as const),
      fromName: nameOf(from),
    }))
    .sort((a, b) => order.indexOf(a.from) - order.indexOf(b.from) || kindIds.indexOf(a.kind) - kindIds.indexOf(b.kind))
}
