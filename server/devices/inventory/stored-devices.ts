import type { DeviceRole } from '@/server/drivers/observation'
import { internText } from '@/server/kernel/intern'
import type { Runtime } from '@/server/kernel/runtime'
import { rootGroup } from '@/server/networks/groups/groups'
import type { DeviceStatus } from '@/server/worker/protocol'

/** A device as the database has it, without what polls tell. */
export type StoredDevice = {
  id: number
  network: number
  name: string
  remarks: string
  mac: string
  address: string
  port: number
  driver: string
  kind: DeviceRole
  vendor: string
  model: string
  serial: string
  firmware: string
  partNumber: string
  hardware: string
  boot: string
  /** Empty: it has no address that others reach; null: it does not tell. */
  ipv6: string | null
  /** 0 offline, 1 online, 2 unpaired, 3 paired. */
  status: DeviceStatus
  /** Key in reasons.json; empty while it answers. */
  reason: string
  /** Since when that is the reason, unix ms; absent where nobody saw it begin. */
  reasonAt?: number | undefined
  /** Unix ms. */
  statusAt: number
  seenAt?: number | undefined
  /** -1: in no group. */
  groupId: number
  groupName: string
  openLogin: boolean
}

/** How many devices of a kind are in a state; silent: those of them whose last poll had no answer; warnings: no password, or a reading that fails. */
export type Tally = { kind: DeviceRole; status: DeviceStatus; count: number; silent: number; warnings: number }

const columns = `d.id, d.network, d.name, d.remarks, d.mac, d.address, d.port, d.driver, d.kind, d.vendor, d.model, d.serial,
  d.firmware, d.part_number AS partNumber, d.hardware, d.boot, d.ipv6, d.status, d.reason,
  d.reason_at AS reasonAt, d.status_at AS statusAt, d.seen_at AS seenAt,
  coalesce(d.device_group, ${rootGroup}) AS groupId, coalesce(g.name, '') AS groupName, d.open_login AS openLogin`
const from = `SELECT ${columns} FROM devices d LEFT JOIN device_groups g ON g.id = d.device_group`

/** Prepared once for each open database. */
const prepared = new WeakMap<Runtime['sqlite'], ReturnType<typeof statements>>()
const statements = (sqlite: Runtime['sqlite']) => ({
  all: sqlite.prepare(`${from} WHERE d.network = ?`),
  one: sqlite.prepare(`${from} WHERE d.id = ?`),
  name: sqlite.prepare('SELECT name FROM devices WHERE id = ?').pluck(),
  usingLogin: sqlite.prepare('SELECT id, name, status, reason FROM devices WHERE credential = ?'),
})
function statementsOf({ sqlite }: Pick<Runtime, 'sqlite'>) {
  const held = prepared.get(sqlite) ?? statements(sqlite)
  prepared.set(sqlite, held)
  return held
}

type Read = Omit<StoredDevice, 'openLogin' | 'seenAt' | 'reasonAt'> & {
  openLogin: number
  seenAt: number | null
  reasonAt: number | null
}
/** What thousands of devices have alike. */
const alike = [
  'driver',
  'kind',
  'vendor',
  'model',
  'firmware',
  'partNumber',
  'hardware',
  'boot',
  'reason',
  'groupName',
] as const

function stored(read: Read): StoredDevice {
  const row = read as unknown as StoredDevice
  row.openLogin = Boolean(read.openLogin)
  row.seenAt = read.seenAt ?? undefined
  row.reasonAt = read.reasonAt ?? undefined
  for (const field of alike) (row as Record<string, unknown>)[field] = internText(row[field])
  return row
}

/** All devices of a network, read from the database. */
export const storedDevices = (runtime: Runtime, network: number): StoredDevice[] =>
  (statementsOf(runtime).all.all(network) as Read[]).map(stored)

export function storedDevice(runtime: Runtime, id: number): StoredDevice | undefined {
  const read = statementsOf(runtime).one.get(id) as Read | undefined
  return read && stored(read)
}

/** Empty when there is no such device. */
export const deviceName = (runtime: Runtime, id: number | undefined): string =>
  ((id !== undefined && statementsOf(runtime).name.get(id)) || '') as string

export type LoginUser = Pick<StoredDevice, 'id' | 'name' | 'status' | 'reason'>
/** The devices that a login is used for. */
export const devicesUsing = (runtime: Runtime, credential: number): LoginUser[] =>
  statementsOf(runtime).usingLogin.all(credential) as LoginUser[]
