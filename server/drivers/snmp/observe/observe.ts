import { intern } from '@/server/kernel/intern'
import type { Facts, Observation } from '../../observation'
import { renew } from '../protocol/habits'
import { clean, Mib, mac, type Table } from '../protocol/table'
import { type Learned, learnedEntry, vlansByInterface } from '../tables/bridge'
import { addCiscoVlans, ciscoVlanTables, existingVlans, readVlanFdbs } from '../tables/cisco-vlans'
import { interfaces, polledShapes, type Shape, type State, shapes } from '../tables/interfaces'
import * as mibs from '../tables/mibs'
import { panel } from '../tables/panel'
import { accessPointsOf, partsOf } from '../tables/parts'
import { ownPlacing, poeTables, powerByInterface, powerTotals } from '../tables/power'
import { narrowed, type Readings, readPlan, wanted } from '../tables/readings'
import { bridgeTables, ifTableLastChange, otherTables, shapeTables } from '../tables/tables'
import { tablesFound } from '../tables/tables-found'
import { type ListName, type ListRow, listRows, vendorScalars, vendorTables } from '../tables/vendor-lists'
import { vlanList } from '../tables/vlan-list'
import { wirelessReaders } from '../wireless/readers'
import { ownWireless, wireless } from '../wireless/wireless'
import { factsOf, generalHealth, healthOf, uptimeSeconds } from './facts'
import { managerPath, ownAddresses } from './manager-path'
import type { Session } from './session'

// The two depths of reading. Tables are read first, by one walker; what they mean is worked out afterwards by pure
// functions, so that a table the device lacks or chokes on takes away only what depends on it.

const pollNames = [mibs.system.upTime, mibs.system.engineTime, mibs.system.hostUpTime, ifTableLastChange]

const healthGroups = (session: Session) => [generalHealth, session.vendor?.health]

/** Reads facts and health, and keeps what of the latter the device has. */
async function readAll(session: Session): Promise<Readings> {
  renew(session.channel.habits)
  const health = wanted(healthGroups(session))
  const facts = wanted([session.vendor?.facts, session.vendor?.poe])
  const lists = vendorScalars(session.vendor)
  const readings = await readPlan(session.channel, {
    scalars: [
      ...new Set([...Object.values(mibs.system), ifTableLastChange, ...health.scalars, ...facts.scalars, ...lists]),
    ],
    columns: [...new Set([...health.columns, ...facts.columns])],
    cells: [],
  })
  const polled = { ...health, scalars: [...pollNames, ...health.scalars] }
  session.plan = intern(narrowed(polled, readings, healthGroups(session)))
  return readings
}

async function readPolled(session: Session): Promise<Readings> {
  if (!session.plan) return readAll(session)
  const readings = await readPlan(session.channel, session.plan)
  if (session.own) readings.own = session.own
  return readings
}

/** ifSpeed, where an interface that is up has none in ifHighSpeed, as far as the device has it there. */
async function plainSpeeds(session: Session, mib: Mib, state: State['state'], high: State['high']) {
  const fast = new Set(high.flatMap(row => (row.speed ? [row.index] : [])))
  const without = state.filter(row => row.operStatus === 1 && !fast.has(row.index)).map(row => row.index)
  if (without.length === 0 || session.plainSpeed === false) return []
  const [rows] = await mib.together(session.channel, [mibs.ifSpeed] as const)
  session.plainSpeed = rows.some(row => row.speed && without.includes(row.index))
  return rows
}

/** Interface states and counters. Where the device chokes on the 64-bit table, the plain one still tells both. */
async function readState(session: Session, mib: Mib, count?: number): Promise<State> {
  const read = <T extends readonly Table[]>(tables: T, expect?: number) => mib.together(session.channel, tables, expect)
  const before = mib.problems.length
  // A count that is known saves the question for the tables' end; it holds only where every column has every row.
  const [state, high] = await read([mibs.ifState, mibs.ifHigh] as const, session.even ? count : undefined)
  const whole = mib.problems.length === before
  session.even = whole && state.length === high.length && high.every(row => row.inOctets !== undefined)
  const [low] = session.even ? [await plainSpeeds(session, mib, state, high)] : await read([mibs.ifLow] as const)
  return { state, high, low, changes: new Map() }
}

/** Reads what seldom changes about the interfaces and keeps it. */
async function readShape(session: Session, mib: Mib, readings: Readings): Promise<Shape[]> {
  await mib.read(session.channel, shapeTables)
  const found = shapes(mib)
  session.shape = found
  session.own = ownNames(session, readings, found)
  readings.own = session.own
  session.shapeTicks = readings.int(mibs.system.upTime)
  session.shapeChange = readings.int(ifTableLastChange)
  return found
}

/** What the device finds itself by in tables with a row a member; only a maker's row with such a table needs it. */
function ownNames(session: Session, readings: Readings, shape: readonly Shape[]): ReadonlySet<string> {
  const { facts, health } = session.vendor ?? {}
  const sources = [facts, health].flatMap(group => Object.values(group ?? {}).flat())
  if (!sources.some(each => each?.pick === 'own')) return noNames
  const bridge = readings.bytes(mibs.system.bridgeAddress)
  const macs = [bridge && mac(bridge), ...shape.map(each => each.mac)]
  const addresses = shape.flatMap(each => each.addresses ?? []).map(each => each.replace(/\/.*/, ''))
  return new Set([session.address, ...macs, ...addresses].filter(each => each !== undefined))
}
const noNames: ReadonlySet<string> = new Set()

const isStale = (session: Session, readings: Readings): boolean =>
  !session.shape ||
  (readings.int(mibs.system.upTime) ?? 0) < (session.shapeTicks ?? 0) ||
  readings.int(ifTableLastChange) !== session.shapeChange

/** Uptime, interface states and counters, health: what every poll reads. */
async function observeCounters(session: Session): Promise<Observation> {
  const takenAt = Date.now()
  const mib = new Mib()
  const readings = await readPolled(session)
  if (readings.failure) mib.name('health', readings.failure.reason)
  const stale = isStale(session, readings)
  const shape = stale ? await readShape(session, mib, readings) : (session.shape as readonly Shape[])
  if (session.storage !== false) await mib.read(session.channel, [mibs.storages])
  const state = await readState(session, mib, stale ? undefined : shape.length)
  return {
    takenAt,
    depth: 'counters',
    ...common(session, readings, mib, shape, state),
    ...(mib.problems.length > 0 && { problems: mib.problems }),
  }
}

function common(
  session: Session,
  readings: Readings,
  mib: Mib,
  shape: readonly Shape[],
  state: State,
): Partial<Observation> {
  const uptime = uptimeSeconds(readings)
  const health = healthOf(session.vendor, readings, mib)
  // Sensors of ENTITY-SENSOR-MIB are read with the rest, every few minutes; they say the same until then.
  if (mib.rows(mibs.sensors).length > 0) session.temperature = health.temperatureCelsius
  else if (health.temperatureCelsius === undefined && session.temperature !== undefined)
    health.temperatureCelsius = session.temperature
  const found: Partial<Observation> = { health }
  if (uptime !== undefined) found.uptimeSeconds = uptime
  if (shape.length > 0) found.interfaces = interfaces(shape, state, readings.int(mibs.system.upTime))
  const clients = readings.number(session.vendor?.health?.wirelessClients, 0, 1e6)
  if (clients !== undefined) found.wirelessClients = clients
  return found
}

/** Entries of the vendor's own forwarding table, on interfaces that there are. */
function ownLearned(rows: readonly ListRow[], shape: readonly Shape[]): Learned[] {
  const keys = new Set(shape.map(each => each.key))
  return rows.flatMap(({ mac: of, id, port }) =>
    typeof of === 'string' && keys.has(String(port))
      ? [{ mac: of, vlan: id as number | undefined, port: String(port) }]
      : [],
  )
}

const isOf = (session: Session, number: string) => session.objectId.startsWith(`1.3.6.1.4.1.${number}.`)
const poeTablesOf = (session: Session): readonly Table[] =>
  Object.entries(poeTables).find(([number]) => isOf(session, number))?.[1] ?? []

const ciscoTablesOf = (session: Session): readonly Table[] => (isOf(session, '9') ? ciscoVlanTables : [])

/** Cisco's bridge tables, one a VLAN; asked for only where VTP lists VLANs and the plain tables are empty. */
async function ciscoForwarding(session: Session, mib: Mib): Promise<Learned[]> {
  if (!isOf(session, '9') || mib.rows(mibs.vlanFdb).length > 0 || session.perVlan === false) return []
  const entries = await readVlanFdbs(session.channel, existingVlans(mib))
  session.perVlan = entries.length > 0
  return entries.flatMap(each => learnedEntry(each.index.split('.'), each.status, each.ifIndex, each.vlan))
}

async function observeFull(session: Session): Promise<Observation> {
  const takenAt = Date.now()
  const mib = new Mib()
  session.temperature = undefined
  const readings = await readAll(session)
  if (readings.failure) mib.name('health', readings.failure.reason)
  const shape = await readShape(session, mib, readings)
  const readers = wirelessReaders(session.objectId)
  const special = [
    ...poeTablesOf(session),
    ...ciscoTablesOf(session),
    ...readers.flatMap(each => each.tables),
    ...vendorTables(session.vendor),
  ]
  await mib.read(session.channel, [...bridgeTables, ...otherTables, ...special])
  session.storage = mib.rows(mibs.storages).length > 0
  const state = await readState(session, mib)
  for (const row of mib.rows(mibs.ifChange)) state.changes.set(row.index, row.lastChange)
  const rows = (list: ListName) => listRows(session.vendor, list, mib, readings)
  const more = [...(await ciscoForwarding(session, mib)), ...ownLearned(rows('learned'), shape)]
  const counting = session.vendor?.lists?.ports ?? 'place'
  const poe = powerByInterface(mib, shape, { rows: rows('poePorts'), ports: counting })
  const air = wireless([...readers.map(each => each.read(mib)), ownWireless(rows)])
  const facts = factsOf({
    vendor: session.vendor,
    readings,
    mib,
    shape,
    poe: poe.size > 0,
    wifi: air.bss !== undefined,
  })
  // After a change between full readings the polls go on telling the whole shape, until here.
  session.shape = polledShapes(shape)
  const found: Observation = { takenAt, depth: 'full', facts, ...common(session, readings, mib, shape, state) }
  const ownVlans = {
    vlans: rows('vlans'),
    portVlans: rows('portVlans'),
    place: ownPlacing(mib, shape, counting),
  }
  const vlans = vlansByInterface(mib, shape, ownVlans)
  addCiscoVlans(mib, vlans)
  const ports = panel(shape, vlans, poe)
  if (ports.length > 0) found.ports = ports
  const totals = powerTotals(mib, readings, session.vendor)
  if (totals) found.poe = totals
  const listed = { vlans: vlanList(mib, ownVlans.vlans), accessPoints: accessPointsOf(rows) }
  Object.assign(
    found,
    air,
    clean(listed),
    partsOf(mib, rows),
    tablesFound(mib, shape, facts, more, vlanIds(ownVlans.vlans)),
  )
  tellHottest(session, found)
  const path = managerPath(found.hosts ?? [], session.address, ownAddresses())
  if (path) found.path = path
  found.wirelessClients = clientsOf(found)
  if (found.wirelessClients === undefined) delete found.wirelessClients
  if (mib.problems.length > 0) found.problems = mib.problems
  return found
}

/** Where the maker has sensors by the row and none for the whole, the hottest is told, and by the polls until the next time. */
function tellHottest(session: Session, { health, temperatures }: Observation): void {
  if (!health || health.temperatureCelsius !== undefined || !temperatures) return
  const hottest = Math.max(...temperatures.map(each => each.celsius))
  if (hottest <= 0 || hottest > 150) return
  health.temperatureCelsius = hottest
  session.temperature = hottest
}

const sumOf = (counts: (number | undefined)[] | undefined): number | undefined => {
  const told = counts?.filter(each => each !== undefined) ?? []
  return told.length > 0 ? told.reduce((sum, each) => sum + each, 0) : undefined
}

/** Wireless clients: what the device counts, else its stations, else what its networks or access points count. */
const clientsOf = ({ wirelessClients, stations, bss, accessPoints }: Observation): number | undefined =>
  wirelessClients ??
  stations?.length ??
  sumOf(bss?.map(each => each.clients)) ??
  sumOf(accessPoints?.map(each => each.clients))

const vlanIds = (rows: readonly ListRow[]) => rows.map(({ index, id }) => Number(id ?? index.split('.').at(-1)))

export const observe = (session: Session, depth: 'counters' | 'full'): Promise<Observation> =>
  depth === 'full' ? observeFull(session) : observeCounters(session)

/** The facts alone: everything a device is told apart by, without its large tables. */
export async function readFacts(session: Session): Promise<Facts> {
  const mib = new Mib()
  const readings = await readAll(session)
  const shape = await readShape(session, mib, readings)
  await mib.read(session.channel, [
    mibs.entities,
    mibs.printers,
    mibs.basePorts,
    mibs.poePorts,
    ...poeTablesOf(session),
  ])
  const poe = powerByInterface(mib, shape).size > 0
  return factsOf({ vendor: session.vendor, readings, mib, shape, poe, wifi: false })
}
