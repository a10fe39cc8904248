import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { documents } from '@/db/schema'
import { type Data, type Kind, referredIds } from '@/model/kind'
import { isKindId, kindIds, listKindIds, loadKind } from '@/model/registry'
import type { DesiredDocument, Warning } from '@/server/devices/driver'
import type { Secrets } from '@/server/kernel/secrets'
import { networkGroups, pathOf } from '@/server/networks/groups'
import { desiredSingle, singleRows } from '@/server/settings/singles'
import { type Assign, assignsOf, type DocumentRow, isDamaged, openRow } from '@/server/settings/store'

export type PlannedDevice = { id: number; network: number; group: number | null }
export type Desired = { documents: DesiredDocument[]; warnings: Warning[] }

export const loadKinds = async (): Promise<Map<string, Kind>> =>
  new Map(await Promise.all(kindIds.map(async id => [id, await loadKind(id)] as const)))

/** Whether a document goes to a device: `path` are the device's groups up to the root. */
export const isAssigned = (assign: Assign, device: number, path: readonly number[]): boolean =>
  assign.all || assign.devices.includes(device) || assign.groups.some(group => path.includes(group))

/** A network's documents with who gets them, read once for all its devices. */
export function networkDocuments(db: Db, network: number) {
  const rows = db
    .select()
    .from(documents)
    .where(and(eq(documents.scope, 'network'), eq(documents.scopeId, network), inArray(documents.kind, listKindIds)))
    .orderBy(documents.kind, documents.position, documents.createdAt)
    .all()
  return {
    rows,
    singles: singleRows(db, network),
    assigns: assignsOf(
      db,
      rows.map(row => row.id),
    ),
    groups: networkGroups(db, network),
  }
}
export type NetworkDocuments = ReturnType<typeof networkDocuments>

export function assignedRows(network: NetworkDocuments, device: PlannedDevice): DocumentRow[] {
  const path = pathOf(network.groups, device.group)
  return network.rows.filter(row => isAssigned(network.assigns.get(row.id) as Assign, device.id, path))
}

/** References become the data of what they point at. */
function resolved(kind: Kind, data: Data, byId: ReadonlyMap<string, Data>): Data {
  const followed = Object.keys(kind.refs).flatMap(field => {
    const targets = referredIds(data[field]).flatMap(id => byId.get(id) ?? [])
    return targets.length ? [[field, Array.isArray(data[field]) ? targets : targets[0]] as const] : []
  })
  return { ...data, ...Object.fromEntries(followed) }
}

/**
 * What a device should have: every document assigned to it, parsed, secrets in clear. A damaged one blocks the push:
 * leaving it out would take its effect off the device.
 */
export function desiredOf(
  secrets: Secrets,
  kinds: ReadonlyMap<string, Kind>,
  network: NetworkDocuments,
  device: PlannedDevice,
): Desired {
  const opened = new Map(network.rows.map(row => [row.id, openRow(secrets, kinds.get(row.kind) as Kind, row)] as const))
  const clear = new Map([...opened].flatMap(([id, one]) => (isDamaged(one) ? [] : [[id, one.data] as const])))
  const wanted = assignedRows(network, device).filter(row => isKindId(row.kind))
  const singles = [...kinds.values()].flatMap(kind => {
    const path = pathOf(network.groups, device.group)
    const found = kind.single && desiredSingle(secrets, kind, network.singles, { ...device, path })
    return found ? [{ kind, found }] : []
  })
  return {
    documents: [
      ...wanted.flatMap(row => {
        const data = clear.get(row.id)
        const kind = kinds.get(row.kind) as Kind
        if (!data) return []
        const own = kind.onDevice?.(data, device.id) ?? data
        return [{ id: row.id, kind: row.kind, name: row.name, data: resolved(kind, own, clear) }]
      }),
      ...singles.flatMap(({ kind, found }) =>
        'data' in found ? [{ id: kind.id, kind: kind.id, name: '', data: resolved(kind, found.data, clear) }] : [],
      ),
    ],
    warnings: [
      ...wanted
        .filter(row => !clear.has(row.id))
        .map(row => ({
          code: 'documentDamaged',
          values: { name: row.name },
          kind: row.kind,
          document: row.id,
          blocks: true,
        })),
      ...singles
        .filter(({ found }) => 'contradicts' in found)
        .map(({ kind }) => ({
          code: 'settingsContradict',
          values: {},
          kind: kind.id,
          document: kind.id,
          blocks: true,
        })),
    ],
  }
}
