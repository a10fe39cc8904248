import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { devices, documents, networks, refs } from '@/db/schema'
import type { Assign } from '@/model/assign'
import { type Data, type Kind, referredIds } from '@/model/kind'
import { segmentsClash } from '@/model/lan/segments'
import { radius as radiusKind } from '@/model/profiles/radius'
import { radiusUser as radiusUserKind } from '@/model/profiles/radius-user'
import { isKindId, isLibrary, isManagers, kindIds, listKindIds, loadKind } from '@/model/registry'
import type { DesiredDocument, Warning } from '@/server/drivers/driver'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import type { Secrets } from '@/server/kernel/secrets'
import { networkGroups, pathOf } from '@/server/networks/groups/groups'
import { filledRadius } from '@/server/networks/settings/radius-here'
import { desiredSingle, singleRows } from '@/server/networks/settings/singles'
import { assignsOf } from '@/server/networks/settings/store'
import { isAssigned } from './assigned'
import { portalWarnings, withSsidPortals } from './ssid-portals'

export type PlannedDevice = { id: number; network: number; group: number | null }
export type Desired = { documents: DesiredDocument[]; warnings: Warning[] }

export const loadKinds = async (): Promise<Map<string, Kind>> =>
  new Map(await Promise.all(kindIds.map(async id => [id, await loadKind(id)] as const)))

const deviceKinds = listKindIds.filter(id => !isManagers(id))

/** A network's documents with who gets them, read once for all its devices. */
export function networkDocuments(db: Db, network: number) {
  const listed = and(
    eq(documents.scope, 'network'),
    eq(documents.scopeId, network),
    inArray(documents.kind, deviceKinds),
  )
  const rows = db
    .select()
    .from(documents)
    .where(listed)
    .orderBy(documents.kind, documents.position, documents.createdAt)
    .all()
  const links = db.select().from(refs).innerJoin(documents, eq(documents.id, refs.from)).where(listed).all()
  const groups = networkGroups(db, network)
  return {
    rows,
    /** From a document to one that it refers to. */
    links: links.map(one => one.refs),
    singles: singleRows(db, network),
    assigns: assignsOf(
      db,
      rows.map(row => row.id),
    ),
    groups,
    /** Devices that pass on what others send, with their groups up to the root. */
    gateways: db
      .select({ id: devices.id, name: devices.name, group: devices.group })
      .from(devices)
      .where(and(eq(devices.network, network), inArray(devices.kind, ['gateway', 'firewall'])))
      .all()
      .map(({ id, name, group }) => ({ id, name, path: pathOf(groups, group) })),
    /** ISO 3166-1 alpha-2. */
    country:
      db.select({ country: networks.country }).from(networks).where(eq(networks.id, network)).get()?.country ?? '',
  }
}
export type NetworkDocuments = ReturnType<typeof networkDocuments>

/** What a device is given, and what that refers to of the kinds that are not given out themselves. */
export function assignedRows(network: NetworkDocuments, device: PlannedDevice): DocumentRow[] {
  const path = pathOf(network.groups, device.group)
  const given = network.rows.filter(
    row => !isLibrary(row.kind) && isAssigned(network.assigns.get(row.id) as Assign, device.id, path),
  )
  const ids = new Set(given.map(row => row.id))
  const referred = new Set(network.links.flatMap(({ from, to }) => (ids.has(from) ? [to] : [])))
  return network.rows.filter(row => (isLibrary(row.kind) ? referred : ids).has(row.id))
}

/** References become the data of what they point at. */
function resolved(kind: Kind, data: Data, byId: ReadonlyMap<string, Data>): Data {
  const followed = Object.keys(kind.refs).flatMap(field => {
    const targets = referredIds(data[field]).flatMap(id => byId.get(id) ?? [])
    return targets.length ? [[field, Array.isArray(data[field]) ? targets : targets[0]] as const] : []
  })
  return { ...data, ...Object.fromEntries(followed) }
}

/** Shorter ones stand in many a word that is none. */
const leastSecret = 4

/** The secrets of these documents and of what they refer to, in clear. */
export const desiredSecrets = (kinds: ReadonlyMap<string, Kind>, documents: readonly DesiredDocument[]): string[] =>
  documents.flatMap(({ kind, data }) => secretsIn(kinds, kinds.get(kind), data))

function secretsIn(kinds: ReadonlyMap<string, Kind>, kind: Kind | undefined, data: Data): string[] {
  if (!kind) return []
  const own = kind.secrets.map(key => data[key]).filter(one => typeof one === 'string')
  const referred = Object.entries(kind.refs).flatMap(([field, target]) =>
    [data[field]]
      .flat()
      .filter(one => typeof one === 'object' && one !== null)
      .flatMap(one => secretsIn(kinds, kinds.get(target), one as Data)),
  )
  return [...own.filter(one => one.length >= leastSecret), ...referred]
}

type Single = { kind: Kind; found: NonNullable<ReturnType<typeof desiredSingle>> }
/** What is the same for all devices of a network, or all of a group: opened and checked once, however many they are. */
type Shared = {
  documents: ReadonlyMap<string, DesiredDocument>
  clear: ReadonlyMap<string, Data>
  /** As they are stored; in `clear` LAN networks have the portals of their Wi-Fi networks. */
  stored: ReadonlyMap<string, Data>
  singles: Map<string, Single[]>
  /** What is wrong with these documents on one device, by their ids. */
  clashes: Map<string, Warning[]>
}
const shared = new WeakMap<NetworkDocuments, Shared>()

function sharedOf(secrets: Secrets, kinds: ReadonlyMap<string, Kind>, network: NetworkDocuments): Shared {
  const held = shared.get(network)
  if (held) return held
  const opened = network.rows.flatMap(row => {
    const one = openRow(secrets, kinds.get(row.kind) as Kind, row)
    return isDamaged(one) ? [] : [{ row, data: one.data }]
  })
  const users = opened.flatMap(({ row, data }) => (row.kind === radiusUserKind.id ? [data] : []))
  const stored = new Map(
    opened.map(({ row, data }) => {
      const isRadius = row.kind === radiusKind.id
      return [row.id, isRadius ? filledRadius(secrets, row.scopeId, data, users) : data] as const
    }),
  )
  const clear = withSsidPortals(network, stored)
  const documents = new Map(
    network.rows.flatMap(({ id, kind, name }) => {
      const data = clear.get(id)
      return data ? [[id, { id, kind, name, data: resolved(kinds.get(kind) as Kind, data, clear) }] as const] : []
    }),
  )
  const made: Shared = { documents, clear, stored, singles: new Map(), clashes: new Map() }
  shared.set(network, made)
  return made
}

function singlesOf(
  secrets: Secrets,
  kinds: ReadonlyMap<string, Kind>,
  network: NetworkDocuments,
  device: PlannedDevice,
  { singles }: Shared,
): Single[] {
  const path = pathOf(network.groups, device.group)
  const own = network.singles.some(row => row.scope === 'device' && row.scopeId === device.id)
  const key = `${path.join()} ${own ? device.id : ''}`
  const held = singles.get(key)
  if (held) return held
  const made = [...kinds.values()].flatMap(kind => {
    const found = kind.single && desiredSingle(secrets, kind, network.singles, { ...device, path })
    return found ? [{ kind, found }] : []
  })
  singles.set(key, made)
  return made
}

/**
 * Documents that may not be on one device together: each was saved for others, and a device came to have both by being put
 * into a group, or before settings of two kinds were held against each other.
 */
function clashesOf(kinds: ReadonlyMap<string, Kind>, wanted: readonly DocumentRow[], common: Shared): Warning[] {
  const judged = wanted.filter(row => common.clear.has(row.id) && kinds.get(row.kind)?.rules.some(one => one.onDevice))
  const key = judged.map(row => row.id).join()
  const held = common.clashes.get(key)
  if (held) return held
  const data = (row: DocumentRow) => common.clear.get(row.id) as Data
  const made = judged.flatMap((row): Warning[] => {
    const others = judged.filter(one => one.kind === row.kind && one !== row).map(data)
    const rules = (kinds.get(row.kind) as Kind).rules.filter(one => one.onDevice)
    const own = { kind: row.kind, data: data(row) }
    const apart = judged.every(one => !segmentsClash(own, { kind: one.kind, data: data(one) }))
    if (apart && (others.length === 0 || rules.every(one => one.holds(own.data, others)))) return []
    return [{ code: 'documentsClash', values: { name: row.name }, kind: row.kind, document: row.id, blocks: true }]
  })
  common.clashes.set(key, made)
  return made
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
  const common = sharedOf(secrets, kinds, network)
  const wanted = assignedRows(network, device).filter(row => isKindId(row.kind))
  const singles = singlesOf(secrets, kinds, network, device, common)
  return {
    documents: [
      ...wanted.flatMap(row => {
        const held = common.documents.get(row.id)
        const kind = kinds.get(row.kind) as Kind
        if (!held || !kind.onDevice) return held ?? []
        const own = kind.onDevice(common.clear.get(row.id) as Data, device.id)
        return [{ ...held, data: resolved(kind, own, common.clear) }]
      }),
      ...singles.flatMap(({ kind, found }) =>
        'data' in found
          ? [{ id: kind.id, kind: kind.id, name: '', data: resolved(kind, found.data, common.clear) }]
          : [],
      ),
    ],
    warnings: [
      ...clashesOf(kinds, wanted, common),
      ...portalWarnings(wanted, network, device, common.stored),
      ...wanted
        .filter(row => !common.documents.has(row.id))
        .map(row => ({
          code: 'documentDamaged' as const,
          values: { name: row.name },
          kind: row.kind,
          document: row.id,
          blocks: true,
        })),
      ...singles
        .filter(({ found }) => 'contradicts' in found)
        .map(({ kind }) => ({
          code: 'settingsContradict' as const,
          values: {},
          kind: kind.id,
          document: kind.id,
          blocks: true,
        })),
    ],
  }
}
