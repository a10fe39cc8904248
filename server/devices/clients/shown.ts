import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { clientEvents, clients } from '@/db/schema'
import { isPrivateMac } from '@/model/addresses'
import { deviceState } from '@/model/device-state'
import type { LikelyKind } from '@/model/found-host'
import { deviceName, storedDevice } from '@/server/devices/inventory/stored-devices'
import { fleetOf } from '@/server/devices/link/fleet'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { NetworkContext } from '@/server/kernel/call'
import { orderBy, pageOf, type Sort } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'
import type { Client } from '@/server/worker/clients-merge'
import type { ClientPlaces, ClientQuery, PageClient } from '@/server/worker/clients-page'
import type { Vote } from '@/server/worker/likely-kind'
import { type Judged, judgeOf } from './kind'
import { givenNames, type KnownClient } from './known'
import { alsoFound, holdingText } from './search'

// Clients as people see them: what the devices tell now, and what is kept of each.

/** What is kept of a client, or follows from its MAC. */
type Kept = {
  /** Given by a person; without it the client's own name counts. */
  givenName?: string
  /** As it calls itself. */
  hostname?: string
  vendor?: string
  /** Its MAC is of its own making. */
  private?: true
  note?: string
  /** Chosen by a person. */
  icon?: LikelyKind
  /** Told of when it comes and goes. */
  watched?: true
  firstSeenAt?: number
}
/** `can`: what its device can do with it at once. */
export type ShownClient = Omit<PageClient, 'lldp' | 'evidence'> &
  Kept & {
    online: boolean /** Its device did not answer the last poll. */
    silent?: true
    deviceName: string
    can?: { kick: true }
    kind?: LikelyKind
    signs?: Vote[]
  }

const keptOf = (mac: string, row: KnownClient | undefined): Kept => ({
  ...(isPrivateMac(mac) && { private: true }),
  ...(row?.name && { givenName: row.name }),
  ...(row?.hostname && { hostname: row.hostname }),
  ...(row?.vendor && { vendor: row.vendor }),
  ...(row?.note && { note: row.note }),
  ...(row?.icon && { icon: row.icon as LikelyKind }),
  ...(row?.watched && { watched: true }),
  ...(row && { firstSeenAt: row.firstSeenAt }),
})

const byName = new Intl.Collator('en', { numeric: true })

const ofNetwork = (network: number) => eq(clients.network, network)

function rowsOf({ db }: Pick<Runtime, 'db'>, network: number, macs: readonly string[]): Map<string, KnownClient> {
  const rows = db
    .select()
    .from(clients)
    .where(and(ofNetwork(network), inArray(clients.mac, [...macs])))
    .all()
  return new Map(rows.map(row => [row.mac, row]))
}

const offlineCount = ({ db }: Pick<Runtime, 'db'>, network: number): number =>
  db
    .select({ n: count() })
    .from(clients)
    .where(and(ofNetwork(network), eq(clients.online, false)))
    .get()?.n ?? 0

/** What follows from the device that a client is connected to; each device of a page is looked at once. */
function onDevice(runtime: Runtime, clients: readonly Client[]) {
  const used = new Set(clients.flatMap(({ device }) => device ?? []))
  const found = new Map([...used].map(id => [id, storedDevice(runtime, id)]))
  return ({ wifi, device: id }: Client): Pick<ShownClient, 'can' | 'silent'> => {
    const device = id === undefined ? undefined : found.get(id)
    if (!device) return {}
    return {
      ...(wifi && abilitiesOf(device).kick && { can: { kick: true } }),
      ...(deviceState(device) === 'silent' && { silent: true }),
    }
  }
}

/** A page of those that are connected now. */
export async function connectedPage(
  runtime: Runtime,
  network: number,
  query: Omit<ClientQuery, 'network'>,
  signs = false,
) {
  const also = alsoFound(runtime, network, query.search)
  const names = givenNames(runtime, network)
  const found = await fleetOf(runtime).ask('clients', { ...query, network, names, ...also })
  const rows = rowsOf(
    runtime,
    network,
    found.result.map(one => one.mac),
  )
  const ofDevice = onDevice(runtime, found.result)
  const judge = judgeOf(runtime, network, [...rows.keys()])
  const result = found.result.map(({ lldp, evidence: _, ...one }): ShownClient => {
    const kept = keptOf(one.mac, rows.get(one.mac))
    return {
      ...one,
      ...kept,
      ...ofDevice(one),
      ...shownKind(judge({ hostname: one.name, ...kept, mac: one.mac, ...(lldp && { lldp }) }), signs),
      online: true,
      deviceName: deviceName(runtime, one.device),
    }
  })
  return { ...found, result, counts: { ...found.counts, offline: offlineCount(runtime, network) } }
}

/** `signs`: with what it is judged by. */
const shownKind = ({ kind, votes }: Judged, signs: boolean) => ({
  ...(kind && { kind }),
  ...(signs && { signs: votes }),
})

function shownOffline(
  runtime: Runtime,
  row: KnownClient,
  judge: ReturnType<typeof judgeOf>,
  signs = false,
): ShownClient {
  const { mac, name, hostname, address, device, port, ssid, vlan, wifi, seenAt } = row
  return {
    ...{ mac, wifi, online: false, since: seenAt, deviceName: deviceName(runtime, device ?? undefined) },
    ...((name || hostname) && { name: name || hostname }),
    ...(address && { address }),
    ...(device !== null && { device }),
    ...(port !== null && { port }),
    ...(ssid !== null && { ssid }),
    ...(vlan !== null && { vlan }),
    ...keptOf(mac, row),
    ...shownKind(judge({ mac, hostname, vendor: row.vendor }), signs),
  }
}

export function offlineClient(runtime: Runtime, network: number, mac: string): ShownClient | undefined {
  const row = rowsOf(runtime, network, [mac]).get(mac)
  return row && shownOffline(runtime, row, judgeOf(runtime, network, [mac]), true)
}

/** Those that people are told of: connected, or as they were last seen. */
export async function watchedClients({ runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>) {
  const own = and(ofNetwork(network.id), eq(clients.watched, true))
  const rows = runtime.db.select().from(clients).where(own).orderBy(desc(clients.seenAt)).all()
  const macs = rows.map(row => row.mac)
  if (macs.length === 0) return []
  const { result } = await connectedPage(runtime, network.id, { macs, page: 1, pageSize: macs.length })
  const here = new Set(result.map(one => one.mac))
  const judge = judgeOf(runtime, network.id, macs)
  return [...result, ...rows.filter(row => !here.has(row.mac)).map(row => shownOffline(runtime, row, judge))]
}

const shownName = sql`nullif(coalesce(nullif(${clients.name}, ''), ${clients.hostname}), '') COLLATE NOCASE`
const sorts = {
  mac: clients.mac,
  name: shownName,
  address: clients.address,
  ssid: clients.ssid,
  port: clients.port,
  since: clients.seenAt,
}

type Wanted = {
  device?: number | undefined
  ssid?: string | undefined
  port?: string | undefined
  page: number
  pageSize: number
  search?: string | undefined
  sort?: Sort | undefined
  wifi?: boolean | undefined
}

/** A page of those that were seen, and are not connected; whoever was seen last comes first. */
export function offlinePage({ runtime, network }: Pick<NetworkContext, 'runtime' | 'network'>, wanted: Wanted) {
  const { db } = runtime
  const base = and(
    ofNetwork(network.id),
    eq(clients.online, false),
    wanted.device === undefined ? undefined : eq(clients.device, wanted.device),
    wanted.ssid === undefined ? undefined : eq(clients.ssid, wanted.ssid),
    wanted.port === undefined ? undefined : eq(clients.port, wanted.port),
    holdingText(runtime, network.id, wanted.search),
  )
  const where = and(base, wanted.wifi === undefined ? undefined : eq(clients.wifi, wanted.wifi))
  const tally = db.select({ wifi: clients.wifi, n: count() }).from(clients).where(base).groupBy(clients.wifi).all()
  const of = (wifi: boolean) => tally.find(one => one.wifi === wifi)?.n ?? 0
  const counts = { wifi: of(true), wired: of(false), offline: offlineCount(runtime, network.id) }
  const total = wanted.wifi === undefined ? counts.wifi + counts.wired : of(wanted.wifi)
  const { page, offset } = pageOf(total, wanted.page, wanted.pageSize)
  const rows = db
    .select()
    .from(clients)
    .where(where)
    .orderBy(...orderBy(wanted.sort, sorts, desc(clients.seenAt)), clients.mac)
    .limit(wanted.pageSize)
    .offset(offset)
    .all()
  const judge = judgeOf(
    runtime,
    network.id,
    rows.map(row => row.mac),
  )
  return { result: rows.map(row => shownOffline(runtime, row, judge)), total, page, pageSize: wanted.pageSize, counts }
}

type Event = typeof clientEvents.$inferSelect
const placeOf = (runtime: Runtime, { device, port, ssid, band }: Event) => ({
  ...{ device, port, ssid, band },
  deviceName: deviceName(runtime, device ?? undefined),
})

/** Where it was before: where the event before was, unless it took turns since, of which each is not told. */
const fromOf = (runtime: Runtime, { what }: Event, before: Event | undefined) =>
  (what === 'moved' || what === 'takesTurns') && before && before.what !== 'takesTurns'
    ? { from: placeOf(runtime, before) }
    : {}

/** A client's way and what was done with it, newest first. */
export function trailOf(runtime: Runtime, network: number, mac: string, wantedPage: number, pageSize: number) {
  const { db } = runtime
  const own = and(eq(clientEvents.network, network), eq(clientEvents.mac, mac))
  const total = db.select({ n: count() }).from(clientEvents).where(own).get()?.n ?? 0
  const { page, offset } = pageOf(total, wantedPage, pageSize)
  const rows = db
    .select()
    .from(clientEvents)
    .where(own)
    .orderBy(desc(clientEvents.at), desc(clientEvents.id))
    .limit(pageSize + 1)
    .offset(offset)
    .all()
  const result = rows.slice(0, pageSize).map((row, place) => {
    const { id, at, what, address, former } = row
    return { ...{ id, at, what, address, former }, ...placeOf(runtime, row), ...fromOf(runtime, row, rows[place + 1]) }
  })
  return { result, total, page, pageSize }
}

function offlinePlaces({ db }: Pick<Runtime, 'db'>, network: number): ClientPlaces {
  const left = and(ofNetwork(network), eq(clients.online, false))
  const by = (column: typeof clients.device | typeof clients.ssid) =>
    db.select({ place: column, count: count() }).from(clients).where(left).groupBy(column).all()
  return {
    devices: by(clients.device).flatMap(({ place, count }) =>
      typeof place === 'number' ? [{ device: place, count }] : [],
    ),
    ssids: by(clients.ssid).flatMap(({ place, count }) => (typeof place === 'string' ? [{ ssid: place, count }] : [])),
  }
}

/** Devices that clients are connected to now (`online`), or were last, and SSIDs, by name, each with how many. */
export async function placesOf(runtime: Runtime, network: number, online: boolean) {
  const { devices, ssids } = online
    ? await fleetOf(runtime).ask('clientPlaces', network)
    : offlinePlaces(runtime, network)
  // A device that was removed has no name to choose it by.
  const named = devices.flatMap(({ device, count }) => {
    const name = deviceName(runtime, device)
    return name ? [{ id: device, name, count }] : []
  })
  return {
    devices: named.sort((a, b) => byName.compare(a.name, b.name)),
    ssids: ssids.sort((a, b) => byName.compare(a.ssid, b.ssid)),
  }
}
