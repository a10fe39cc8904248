// What is in a network goes where the owners of the tables say: a row of every table, handed over, moved, deleted.
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  accountNetworks,
  alerts,
  assignments,
  deployments,
  devices,
  documents,
  jobs,
  networks,
  organizations,
  settings,
} from '@/db/schema'
import { forget } from '@/server/devices/adoption/transfer'
import { type Belonging, type Gone, moveRows } from '@/server/kernel/belonging'
import type { NetworkContext } from '@/server/kernel/call'
import { allBelongings } from '@/server/manager/belongings/all'
import { handOver } from '@/server/networks/sharing/hand-over'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization } from '../_people'

let manager: Manager
let owner: Browser
beforeAll(async () => {
  manager = await startTestManager()
  owner = await finishedWizard(manager)
})
afterAll(() => manager.stop())
const db = () => manager.runtime.db

type Place = { network: number; organization: number; device: number }
type Values = Record<string, unknown>
let made = 0

/** What the columns do not say: whose the row is, and that nothing is under way. */
const besides = new Map<SQLiteTable, (place: Place) => Values>([
  [documents, place => ({ scope: 'network', scopeId: place.network })],
  [assignments, place => ({ target: 'device', targetId: place.device })],
  [settings, place => ({ key: `organization:${place.organization}:some` })],
  [deployments, () => ({ state: 'applied' })],
  [jobs, () => ({ state: 'done' })],
])

const plain: Record<string, () => unknown> = {
  number: () => made,
  string: () => `x${made}`,
  boolean: () => false,
  buffer: () => Buffer.from('x'),
}

/** A row of a table in this place, with what its foreign keys want. Its rowid. */
function add(table: SQLiteTable, place: Place): number {
  made += 1
  const keys = new Map(
    getTableConfig(table).foreignKeys.map(key => {
      const { columns, foreignTable, foreignColumns } = key.reference()
      return [columns[0]?.name, { foreignTable, name: foreignColumns[0]?.name ?? '' }]
    }),
  )
  const values: Values = {}
  for (const [name, column] of Object.entries(getTableColumns(table))) {
    const key = keys.get(column.name)
    const thing = new Map<unknown, keyof Place>([
      [networks, 'network'],
      [organizations, 'organization'],
      [devices, 'device'],
    ]).get(key?.foreignTable)
    if (thing ?? Object.hasOwn(place, name)) values[name] = place[thing ?? (name as keyof Place)]
    else if (column.hasDefault || !column.notNull || (column.primary && column.dataType === 'number')) continue
    else if (key) values[name] = idOf(key.foreignTable, key.name, add(key.foreignTable, place))
    else values[name] = column.enumValues?.[0] ?? plain[column.dataType]?.()
  }
  const result = db()
    .insert(table)
    .values({ ...values, ...besides.get(table)?.(place) })
    .run()
  return Number(result.lastInsertRowid)
}

const idOf = (table: SQLiteTable, column: string, rowid: number) => (seen(table, rowid) as Values | undefined)?.[column]
/** The row as it is stored, undefined where it is gone. */
const seen = (table: SQLiteTable, rowid: number): Values | undefined =>
  db().get(sql`SELECT * FROM ${table} WHERE rowid = ${rowid}`)

const deviceIn = (place: Omit<Place, 'device'>) => add(devices, { ...place, device: 0 })
/** One row of each of these tables. */
const fill = (chosen: readonly Belonging[], place: Place) => chosen.map(one => [one, add(one.table, place)] as const)
const name = ({ table }: Belonging) => getTableName(table)

/** What a row of each table became, by name: its column, or that it is gone. */
const fate = (rows: readonly (readonly [Belonging, number])[], column: keyof Place) =>
  Object.fromEntries(
    rows.map(([one, rowid]) => {
      const row = seen(one.table, rowid)
      return [name(one), row ? (row[column] ?? null) : 'gone']
    }),
  )
const expected = (
  rows: readonly (readonly [Belonging, number])[],
  of: (one: Belonging) => number | null | 'gone' | undefined,
) => Object.fromEntries(rows.map(([one]) => [name(one), of(one) ?? null]))
/** As it was, where the table has the column. */
const kept = (one: Belonging, column: keyof Place, value: number) =>
  Object.hasOwn(getTableColumns(one.table), column) ? value : null

const without = (...left: SQLiteTable[]) => allBelongings.filter(one => !left.includes(one.table))

test('a network that is handed over: each row follows, stays or goes as its owner says', () => {
  const [from, to] = [organization(manager, 'From'), organization(manager, 'To')]
  const id = network(manager, 'Handed', from)
  const place = { network: id, organization: from }
  const rows = fill(
    without(organizations, networks, accountNetworks).filter(one => one.network || one.organization || one.device),
    { ...place, device: deviceIn(place) },
  )
  expect(rows.length).toBeGreaterThan(40)
  const row = db().select().from(networks).where(sql`id = ${id}`).get()
  if (!row) throw new Error('no network')
  const change = { organization: to, name: 'Handed' }
  db().transaction(tx => handOver(allBelongings, tx, row, change))
  expect(fate(rows, 'organization')).toMatchObject({ guests: to, jobs: to, changelog: from, certificates: from })
  const words = rows.filter(([one]) => typeof one.handedOver !== 'function')
  expect(fate(words, 'organization')).toEqual(
    expected(words, one => {
      if (one.handedOver === 'drops') return 'gone'
      return kept(one, 'organization', one.handedOver === 'follows' ? to : from)
    }),
  )
})

const after = (deleted: Gone | ((...all: never[]) => void) | undefined, stayed: number) => {
  if (deleted === 'empties') return null
  return deleted === 'stays' ? stayed : 'gone'
}

test('a network that is deleted: each row goes or stays as its owner says', async () => {
  const place = { network: network(manager, 'Deleted'), organization: 1 }
  const device = deviceIn({ network: network(manager, 'Beside'), organization: 1 })
  const rows = fill(
    allBelongings.filter(one => one.network && one.network.deleted !== 'before' && name(one) !== 'network_offers'),
    { ...place, device },
  )
  expect(rows.length).toBeGreaterThan(25)
  expect((await owner.post('networks/delete', { id: place.network })).retCode).toBe(0)
  expect(fate(rows, 'network')).toMatchObject({ jobs: 'gone', portal_files: 'gone', changelog: place.network })
  expect(fate(rows, 'network')).toEqual(expected(rows, one => after(one.network?.deleted, place.network)))
})

test('an organization that is deleted: each row goes or stays as its owner says', async () => {
  const own = organization(manager, 'Closed')
  const place = { network: network(manager, 'Closing', own), organization: own }
  const device = deviceIn({ network: network(manager, 'Elsewhere'), organization: 1 })
  const rows = fill(
    without(devices, networks, deployments).filter(one => one.organization && name(one) !== 'imported_items'),
    { ...place, device },
  )
  expect(rows.length).toBeGreaterThan(20)
  expect((await owner.post('companies/delete', { id: own })).retCode).toBe(0)
  expect(fate(rows, 'organization')).toEqual(expected(rows, one => after(one.organization?.deleted, own)))
})

describe('a device', () => {
  const ofDevices = () => allBelongings.filter(one => one.device)
  const filled = (label: string) => {
    const place = { network: network(manager, label), organization: 1 }
    const device = deviceIn(place)
    return { place, device, rows: fill(ofDevices(), { ...place, device }) }
  }

  test('that moves to another network leaves nothing that is bound to the former', () => {
    const { device, rows } = filled('Left')
    const to = network(manager, 'Entered')
    const document = add(documents, { network: device, organization: 1, device })
    db().run(sql`UPDATE documents SET scope = 'device' WHERE rowid = ${document}`)
    const cause = add(alerts, { network: to, organization: 1, device: deviceIn({ network: to, organization: 1 }) })
    const [, own = 0] = rows.find(([one]) => one.table === alerts) ?? []
    db().run(sql`UPDATE alerts SET parent = ${cause}, network = ${to} WHERE id = ${own}`)
    const left = network(manager, 'Left again')
    db().run(sql`UPDATE alerts SET network = ${left} WHERE id = ${cause}`)
    db().run(sql`UPDATE devices SET network = ${to} WHERE id = ${device}`)
    moveRows(allBelongings, db(), { devices: [device], to })
    const words = rows.filter(([one]) => typeof one.moved !== 'function' && one.table !== documents)
    expect(fate(words, 'device')).toEqual(
      expected(words, one => {
        if (one.moved === 'drops') return 'gone'
        return one.moved === 'empties' ? null : kept(one, 'device', device)
      }),
    )
    expect(fate(rows, 'device')).toMatchObject({ topology_links: 'gone', client_events: null, clients: null })
    expect(seen(alerts, own)).toMatchObject({ network: to, device, parent: null })
    expect(seen(documents, document)).toBeUndefined()
  })

  test('that is forgotten takes along what its owners say', () => {
    const { device, rows } = filled('Forgotten')
    db().transaction(() => forget(manager as unknown as NetworkContext, [device]))
    const words = rows.filter(([one]) => one.table !== documents)
    expect(fate(words, 'device')).toEqual(expected(words, one => after(one.device?.deleted, device)))
  })
})
