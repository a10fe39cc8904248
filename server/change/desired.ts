import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { documents } from '@/db/schema'
import type { Data, Kind } from '@/model/kind'
import { isKindId, kindIds, loadKind } from '@/model/registry'
import type { DesiredDocument, Warning } from '@/server/devices/driver'
import type { Secrets } from '@/server/kernel/secrets'
import { networkGroups, pathOf } from '@/server/networks/groups'
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
    .where(and(eq(documents.scope, 'network'), eq(documents.scopeId, network), inArray(documents.kind, kindIds)))
    .orderBy(documents.kind, documents.position, documents.createdAt)
    .all()
  return {
    rows,
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
    const target = byId.get(String(data[field]))
    return target ? [[field, target] as const] : []
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
  return {
    documents: wanted.flatMap(row => {
      const data = clear.get(row.id)
      const kind = kinds.get(row.kind) as Kind
      return data ? [{ id: row.id, kind: row.kind, name: row.name, data: resolved(kind, data, clear) }] : []
    }),
    warnings: wanted
      .filter(row => !clear.has(row.id))
      .map(row => ({
        code: 'documentDamaged',
        values: { name: row.name },
        kind: row.kind,
        document: row.id,
        blocks: true,
      })),
  }
}
