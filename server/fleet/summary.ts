import type { DeviceKind } from '@/server/devices/observation'
import type { DeviceStatus } from '@/server/devices/protocol'
import type { Runtime } from '@/server/kernel/runtime'
import { rootGroup } from '@/server/networks/groups'
import type { Fleet } from './fleet'

/** One device in a list. A live value that is absent is unknown; on an offline device all of them are. */
export type DeviceSummary = {
  id: number
  name: string
  remarks: string
  mac: string
  address: string
  port: number
  driver: 'snmp' | 'linux' | 'openwrt'
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

type Stored = DeviceSummary & { openLogin: boolean | number; seenAt: number | null | undefined }

/** Puts live values into a fresh row, in place: a list has thousands of them. */
function addLive(fleet: Fleet, row: Stored, now: number): DeviceSummary {
  const { bootAt, ...live } = fleet.live.row(fleet.rowOf(row.id))
  const stored = row.seenAt ?? undefined
  Object.assign(row, live)
  row.openLogin = Boolean(row.openLogin)
  row.seenAt = live.seenAt ?? stored
  if (bootAt !== undefined) row.uptimeSeconds = Math.max(0, Math.round((now - bootAt) / 1000))
  return row as DeviceSummary
}

const from = `SELECT ${columns} FROM devices d LEFT JOIN device_groups g ON g.id = d.device_group`
/** Prepared once for each open database. */
const prepared = new WeakMap<Runtime['sqlite'], { all: Statement; one: Statement }>()
type Statement = ReturnType<Runtime['sqlite']['prepare']>
function statementsOf({ sqlite }: Runtime) {
  const held = prepared.get(sqlite) ?? {
    all: sqlite.prepare(`${from} WHERE d.network = ?`),
    one: sqlite.prepare(`${from} WHERE d.id = ?`),
  }
  prepared.set(sqlite, held)
  return held
}

/**
 * All devices of a network with their live values: one query over narrow columns, and shared memory. A list of two
 * thousand takes a few milliseconds; facts are read for one device at a time.
 */
export function summaries(runtime: Runtime, fleet: Fleet, network: number, now: number): DeviceSummary[] {
  const rows = statementsOf(runtime).all.all(network) as Stored[]
  return rows.map(row => addLive(fleet, row, now))
}

export function summaryOf(runtime: Runtime, fleet: Fleet, id: number, now: number): DeviceSummary | undefined {
  const row = statementsOf(runtime).one.get(id) as Stored | undefined
  return row && addLive(fleet, row, now)
}
