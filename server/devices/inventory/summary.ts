import type { Abilities } from '@/model/abilities'
import type { Fleet } from '@/server/devices/link/fleet'
import { abilitiesOf } from '@/server/drivers/abilities'
import type { DeviceKind } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'
import { rootGroup } from '@/server/networks/groups/groups'
import type { DeviceStatus } from '@/server/worker/protocol'

/** One device in a list. A live value that is absent is unknown; on an offline device all of them are. */
export type DeviceSummary = {
  id: number
  name: string
  remarks: string
  mac: string
  address: string
  port: number
  driver: string
  can: Abilities
  kind: DeviceKind
  vendor: string
  model: string
  serial: string
  firmware: string
  /** 0 offline, 1 online, 2 unpaired, 3 paired. */
  status: DeviceStatus
  /** Key in reasons.json; empty while it answers. */
  reason: string
  /** Unix ms. */
  statusAt: number
  seenAt?: number
  /** -1: in no group. */
  groupId: number
  groupName: string
  openLogin: boolean
  uptimeSeconds?: number
  cpuPercent?: number
  memoryPercent?: number
  clients?: number
  /** False: its clients were not counted yet; a missing `clients` is then unknown, and else one that it does not tell. */
  clientsCounted: boolean
  wifiClients?: number
  inBps?: number
  outBps?: number
  portsUp?: number
  portsTotal?: number
  poeWatts?: number
  temperature?: number
}

const columns = `d.id, d.name, d.remarks, d.mac, d.address, d.port, d.driver, d.kind, d.vendor, d.model, d.serial,
  d.firmware, d.status, d.reason, d.status_at AS statusAt, d.seen_at AS seenAt,
  coalesce(d.device_group, ${rootGroup}) AS groupId, coalesce(g.name, '') AS groupName, d.open_login AS openLogin`

type Stored = Omit<DeviceSummary, 'openLogin' | 'seenAt' | 'can'> & {
  openLogin: boolean | number
  seenAt?: number | null
}

/** Puts live values into a fresh row, in place: a list has thousands of them. */
function addLive(fleet: Fleet, row: Stored, now: number): DeviceSummary {
  const { bootAt, countedAt, ...live } = fleet.live.row(fleet.rowOf(row.id))
  const stored = row.seenAt ?? undefined
  Object.assign(row, live, { can: abilitiesOf(row) })
  row.openLogin = Boolean(row.openLogin)
  row.seenAt = live.seenAt ?? stored
  row.clientsCounted = countedAt !== undefined
  if (bootAt !== undefined) row.uptimeSeconds = Math.max(0, Math.round((now - bootAt) / 1000))
  return row as DeviceSummary
}

const from = `SELECT ${columns} FROM devices d LEFT JOIN device_groups g ON g.id = d.device_group`
const warned = "(open_login OR (status = 1 AND reason != ''))"
/** Prepared once for each open database. */
const prepared = new WeakMap<Runtime['sqlite'], ReturnType<typeof statements>>()
const statements = (sqlite: Runtime['sqlite']) => ({
  all: sqlite.prepare(`${from} WHERE d.network = ?`),
  one: sqlite.prepare(`${from} WHERE d.id = ?`),
  tally: sqlite.prepare(
    `SELECT kind, status, count(*) AS count, sum(${warned}) AS warnings
     FROM devices WHERE network = ? GROUP BY kind, status`,
  ),
  trouble: sqlite
    .prepare(
      `SELECT id FROM devices WHERE network = ? AND (status = 0 OR ${warned}) ORDER BY status, status_at DESC LIMIT ?`,
    )
    .pluck(),
  ids: sqlite.prepare('SELECT id FROM devices WHERE network = ? AND (? IS NULL OR kind = ?)').pluck(),
  name: sqlite.prepare('SELECT name FROM devices WHERE id = ?').pluck(),
})
function statementsOf({ sqlite }: Runtime) {
  const held = prepared.get(sqlite) ?? statements(sqlite)
  prepared.set(sqlite, held)
  return held
}

/** All devices of a network as the database has them: what polls tell is added by `withLive`, to as few as are shown. */
export function storedDevices(runtime: Runtime, network: number): DeviceSummary[] {
  return statementsOf(runtime).all.all(network) as DeviceSummary[]
}

/** Puts live values into rows of `storedDevices`, in place. */
export function withLive(fleet: Fleet, rows: readonly DeviceSummary[], now: number): DeviceSummary[] {
  return rows.map(row => addLive(fleet, row as Stored, now))
}

/** All devices of a network with their live values: tens of milliseconds for ten thousand. */
export function summaries(runtime: Runtime, fleet: Fleet, network: number, now: number): DeviceSummary[] {
  return withLive(fleet, storedDevices(runtime, network), now)
}

export function summaryOf(runtime: Runtime, fleet: Fleet, id: number, now: number): DeviceSummary | undefined {
  const row = statementsOf(runtime).one.get(id) as Stored | undefined
  return row && addLive(fleet, row, now)
}

export type Tally = { kind: DeviceKind; status: DeviceStatus; count: number; warnings: number }

/** How many devices of each kind and state a network has; warnings: no password, or a reading that fails. */
export const tallyOf = (runtime: Runtime, network: number) => statementsOf(runtime).tally.all(network) as Tally[]

/** Devices that need a person, offline ones first, newest change first. */
export const troubledDevices = (runtime: Runtime, network: number, most: number) =>
  statementsOf(runtime).trouble.all(network, most) as number[]

export const deviceIds = (runtime: Runtime, network: number, kind: DeviceKind | null = null) =>
  statementsOf(runtime).ids.all(network, kind, kind) as number[]

/** Empty when there is no such device. */
export const deviceName = (runtime: Runtime, id: number | undefined) =>
  ((id !== undefined && statementsOf(runtime).name.get(id)) || '') as string
