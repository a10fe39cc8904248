// Lists are made of rows in memory: what they show is what the database has, whatever was written and by whom.
import Database from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { devices, groups } from '@/db/schema'
import { deviceState } from '@/model/device-state'
import { byUrgency } from '@/model/urgency'
import {
  indexedDevices,
  orderedDevices,
  tallyOf,
  troubledDevices,
  urgencyOf,
} from '@/server/devices/inventory/device-index'
import { keeping, type StoredColumn, sortFields, sortRows } from '@/server/devices/inventory/device-query'
import { type StoredDevice, storedDevices } from '@/server/devices/inventory/stored-devices'
import { networkGroups } from '@/server/networks/groups/groups'
import { addNetwork } from '@/server/networks/networks/networks'
import { randomOf } from '../../soak/random'
import { finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let networks: number[]
beforeAll(async () => {
  manager = await startTestManager()
  await finishedWizard(manager)
  const { db } = manager.runtime
  const place = { country: 'PT', timezone: 'UTC' }
  networks = [1, addNetwork(db, 1, { networkName: 'Other', ...place }, 0)]
})
afterAll(() => manager.stop())

const random = randomOf(20_261_123)
const below = (count: number) => Math.floor(random() * count)
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
const kinds = ['ap', 'switch', 'gateway', 'firewall', 'other'] as const
const words = ['', 'ap', 'AP 2', 'ap 10', 'ÄPFEL', 'sw', 'Straße', 'ap\u0000sw', '酒', 'x9']

const inGroups = () => one([null, ...manager.runtime.db.select({ id: groups.id }).from(groups).all()])?.id ?? null
const values = () => ({
  ...{ name: one(words), remarks: one(words), mac: one(['', '02:00:00:00:00:01']), vendor: one(words) },
  ...{ model: one(words), serial: one(words), firmware: one(words), kind: one(kinds), status: below(4) },
  ...{ reason: one(['', 'timeout', 'malformed']), statusAt: below(5), openLogin: random() < 0.2, group: inGroups() },
  ...{ seenAt: one([null, below(5)]), reasonAt: one([null, below(5)]) },
})
let made = 0
const device = () => ({
  ...{ organization: 1, network: one(networks), address: `10.0.0.${made}`, port: 10_000 + made++, driver: 'snmp' },
  ...{ createdAt: 0, ...values() },
})

/** One write as some part of the manager makes it; some are taken back. */
function write(): void {
  const { db, sqlite } = manager.runtime
  const id = one([
    0,
    ...db
      .select({ id: devices.id })
      .from(devices)
      .all()
      .map(row => row.id),
  ])
  const some = eq(devices.id, id)
  const writes: (() => unknown)[] = [
    () => db.insert(devices).values(device()).run(),
    () => db.insert(devices).values(device()).run(),
    () => db.insert(devices).values(device()).run(),
    () => db.update(devices).set(values()).where(some).run(),
    () =>
      db
        .update(devices)
        .set({ status: below(4) })
        .where(some)
        .run(),
    () =>
      db
        .update(devices)
        .set({ network: one(networks) })
        .where(some)
        .run(),
    () =>
      db
        .update(devices)
        .set({ statusAt: below(9) })
        .run(),
    () => random() < 0.1 && db.delete(devices).where(some).run(),
    () =>
      db
        .insert(groups)
        .values({ organization: 1, network: 1, name: `G${made++}`, createdAt: 0 })
        .run(),
    () =>
      db
        .update(groups)
        .set({ name: `H${made++}` })
        .where(eq(groups.id, inGroups() ?? 0))
        .run(),
    () =>
      db
        .delete(groups)
        .where(eq(groups.id, inGroups() ?? 0))
        .run(),
  ]
  if (random() < 0.8) return void one(writes)()
  sqlite.exec('BEGIN')
  one(writes)()
  // Read in the middle of what is then taken back.
  if (random() < 0.5) compare(one(networks))
  sqlite.exec(random() < 0.5 ? 'COMMIT' : 'ROLLBACK')
}

const searched = [
  ...(['name', 'remarks', 'mac', 'address', 'vendor', 'model', 'serial', 'firmware', 'groupName'] as const),
  ...(['partNumber', 'ipv6'] as const),
]
const byId = (rows: readonly StoredDevice[]) => rows.toSorted((a, b) => a.id - b.id)
const ids = (rows: readonly StoredDevice[]) => rows.map(row => row.id)
const needsLook = (row: StoredDevice) => row.openLogin || (row.status === 1 && row.reason !== '')

/** What the index answers, and the same worked out from the database in the plainest way. */
function compare(network: number): void {
  const { runtime } = manager
  const all = storedDevices(runtime, network)
  expect(byId(indexedDevices(runtime, network))).toEqual(byId(all))
  const filter = { ...(random() < 0.4 && { status: [below(4)] }), ...(random() < 0.4 && { kind: [one(kinds)] }) }
  const keeps = keeping(() => networkGroups(runtime.db, network), filter)
  const text = random() < 0.5 ? '' : one(words).toLowerCase()
  const direction = one(['asc', 'desc'] as const)
  const column = one(sortFields.slice(0, sortFields.indexOf('seenAt'))) as StoredColumn
  const load = (row: StoredDevice) => (row.id % 3 ? row.id % 7 : undefined)
  const kept = all
    .filter(row => keeps?.(row) ?? true)
    .filter(row => searched.some(field => row[field]?.toLowerCase().includes(text)))
  const plain = (read: (row: StoredDevice) => string | number | null | undefined) => sortRows(kept, { direction, read })
  const wanted = { keeps, text, direction }
  expect(ids(orderedDevices(runtime, network, { ...wanted, by: column }))).toEqual(ids(plain(row => row[column])))
  expect(ids(orderedDevices(runtime, network, { ...wanted, by: load }))).toEqual(ids(plain(load)))
  const count = (of: (row: StoredDevice) => boolean) => all.filter(of).length
  for (const { kind, status, count: told, silent, warnings } of tallyOf(runtime, network)) {
    const own = (row: StoredDevice) => row.kind === kind && row.status === status
    expect([told, warnings]).toEqual([count(own), count(row => own(row) && needsLook(row))])
    expect(silent).toBe(count(row => own(row) && deviceState(row) === 'silent'))
  }
  const troubled = all.filter(row => row.status === 0 || needsLook(row))
  troubled.sort((a, b) => byUrgency(urgencyOf(a), urgencyOf(b)) || a.id - b.id)
  expect(troubledDevices(runtime, network, 10)).toEqual(troubled.slice(0, 10).map(row => row.id))
}

test('after any writes, taken back or not, lists are as the database has them', () => {
  for (let round = 0; round < 150; round++) {
    for (let some = below(4); some > 0; some--) write()
    compare(one(networks))
  }
  expect(storedDevices(manager.runtime, 1).length).toBeGreaterThan(20)
})

test('more changes than are read one by one are read together', () => {
  const { db } = manager.runtime
  indexedDevices(manager.runtime, 1)
  for (let i = 0; i < 2100; i++)
    db.insert(devices)
      .values({ ...device(), network: 1 })
      .run()
  compare(1)
  db.update(devices).set({ name: 'all alike' }).run()
  compare(1)
})

test('what another program wrote to the file is there as well', () => {
  const { runtime } = manager
  const first = () => orderedDevices(runtime, 1, { keeps: () => true, text: 'elsewhere', direction: 'asc', by: 'name' })
  expect(first()).toEqual([])
  const other = new Database(runtime.sqlite.name)
  other.exec(`UPDATE devices SET name = 'Elsewhere' WHERE id = (SELECT min(id) FROM devices WHERE network = 1)`)
  other.close()
  expect(first().map(row => row.name)).toEqual(['Elsewhere'])
})
