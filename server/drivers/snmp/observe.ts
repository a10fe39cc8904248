import { intern } from '@/server/kernel/intern'
import type { Facts, Observation } from '../observation'
import { forwarding, hosts, type Learned, learnedEntry, neighbours, vlansByInterface } from './bridge'
import { lastChance } from './channel'
import { addCiscoVlans, ciscoVlanTables, existingVlans, readVlanFdbs } from './cisco-vlans'
import { factsOf, generalHealth, healthOf, uptimeSeconds } from './facts'
import { interfaces, polledShapes, type Shape, type State, shapes } from './interfaces'
import { managerPath, ownAddresses } from './manager-path'
import * as mibs from './mibs'
import { cdpNeighbours, lldpNeighbours } from './neighbours'
import { panel } from './panel'
import { poeTables, powerByInterface, powerTotals } from './power'
import { narrowed, type Readings, readPlan, wanted } from './readings'
import type { Session } from './session'
import { Mib, type Table } from './table'
import { get } from './transport'
import { wireless, wirelessReaders } from './wireless'

// The two depths of reading. Tables are read first, by one walker; what they mean is worked out afterwards by pure
// functions, so that a table the device lacks or chokes on takes away only what depends on it.

const ifTableLastChange = '1.3.6.1.2.1.31.1.5.0'

const shapeTables: readonly Table[] = [
  mibs.ifTable,
  mibs.ifNames,
  mibs.ipAddrTable,
  mibs.ipAddressTable,
  mibs.duplex,
  mibs.ifStack,
  mibs.lagPorts,
]
const bridgeTables: readonly Table[] = [
  mibs.basePorts,
  mibs.portVlans,
  mibs.vlanCurrent,
  mibs.vlanStatic,
  mibs.vlanFdb,
  mibs.vlanFdb2,
  mibs.fdb,
]
const otherTables: readonly Table[] = [
  mibs.ipNetToMedia,
  mibs.ipNetToPhysical,
  mibs.lldpPorts,
  mibs.lldpRemotes,
  mibs.lldpRemotesV2,
  mibs.lldpAddresses,
  mibs.cdp,
  mibs.entities,
  mibs.sensors,
  mibs.poePorts,
  mibs.poeMain,
  mibs.ifChange,
  mibs.storages,
]

const alive = (session: Session) => () => get(session.channel, [mibs.system.upTime, mibs.system.objectId], lastChance)

const pollNames = [mibs.system.upTime, mibs.system.engineTime, mibs.system.hostUpTime, ifTableLastChange]

const healthGroups = (session: Session) => [generalHealth, session.vendor?.health]

/** Reads facts and health, and keeps what of the latter the device has. */
async function readAll(session: Session): Promise<Readings> {
  const health = wanted(healthGroups(session))
  const facts = wanted([session.vendor?.facts])
  const readings = await readPlan(session.channel, {
    scalars: [...Object.values(mibs.system), ifTableLastChange, ...health.scalars, ...facts.scalars],
    columns: [...new Set([...health.columns, ...facts.columns])],
    cells: [],
  })
  const polled = { ...health, scalars: [...pollNames, ...health.scalars] }
  session.plan = intern(narrowed(polled, readings, healthGroups(session)))
  return readings
}

async function readPolled(session: Session): Promise<Readings> {
  return session.plan ? readPlan(session.channel, session.plan) : readAll(session)
}

/** Interface states and counters. Where the device chokes on the 64-bit table, the plain one still tells both. */
async function readState(session: Session, mib: Mib, count?: number): Promise<State> {
  const read = <T extends readonly Table[]>(tables: T, expect?: number) =>
    mib.together(session.channel, tables, alive(session), expect)
  const before = mib.problems.length
  // A count that is known saves the question for the tables' end; it holds only where every column has every row.
  const both = await read([mibs.ifState, mibs.ifHigh] as const, session.even ? count : undefined)
  const high = both?.[1] ?? []
  const [state] = both ?? (await read([mibs.ifState] as const)) ?? [[]]
  const whole = mib.problems.length === before
  session.even = whole && state.length === high.length && high.every(row => row.inOctets !== undefined)
  const [low] = (!session.even && (await read([mibs.ifLow] as const))) || [[]]
  return { state, high, low, changes: new Map() }
}

/** Reads what seldom changes about the interfaces and keeps it. */
async function readShape(session: Session, mib: Mib, readings: Readings): Promise<Shape[]> {
  await mib.read(session.channel, shapeTables, alive(session))
  const found = shapes(mib)
  session.shape = found
  session.shapeTicks = readings.int(mibs.system.upTime)
  session.shapeChange = readings.int(ifTableLastChange)
  return found
}

const isStale = (session: Session, readings: Readings): boolean =>
  !session.shape ||
  (readings.int(mibs.system.upTime) ?? 0) < (session.shapeTicks ?? 0) ||
  readings.int(ifTableLastChange) !== session.shapeChange

/** Uptime, interface states and counters, health: what every poll reads. */
async function observeCounters(session: Session): Promise<Observation> {
  const takenAt = Date.now()
  const mib = new Mib()
  const readings = await readPolled(session)
  const stale = isStale(session, readings)
  const shape = stale ? await readShape(session, mib, readings) : (session.shape as readonly Shape[])
  if (session.storage !== false) await mib.read(session.channel, [mibs.storages], alive(session))
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
  const readings = await readAll(session)
  const shape = await readShape(session, mib, readings)
  const readers = wirelessReaders(session.objectId)
  const special = [...poeTablesOf(session), ...ciscoTablesOf(session), ...readers.flatMap(each => each.tables)]
  await mib.read(session.channel, [...bridgeTables, ...otherTables, ...special], alive(session))
  session.storage = mib.rows(mibs.storages).length > 0
  const more = await ciscoForwarding(session, mib)
  const state = await readState(session, mib)
  for (const row of mib.rows(mibs.ifChange)) state.changes.set(row.index, row.lastChange)
  const poe = powerByInterface(mib, shape)
  const air = wireless(readers.map(each => each.read(mib)))
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
  const vlans = vlansByInterface(mib)
  addCiscoVlans(mib, vlans)
  const ports = panel(shape, vlans, poe)
  if (ports.length > 0) found.ports = ports
  const totals = powerTotals(mib)
  if (totals) found.poe = totals
  Object.assign(found, air, tablesFound(mib, shape, facts, more))
  const path = managerPath(found.hosts ?? [], session.address, ownAddresses())
  if (path) found.path = path
  found.wirelessClients ??= air.stations?.length
  if (mib.problems.length > 0) found.problems = mib.problems
  return found
}

// A table that is there and empty says "none"; one that is not there says nothing.
function tablesFound(mib: Mib, shape: Shape[], facts: Facts, more: Learned[]): Partial<Observation> {
  const own = new Set([...shape.map(each => each.mac ?? ''), facts.mac ?? ''])
  const learned = forwarding(mib, more)
  const resolved = neighbours(mib)
  const found: Partial<Observation> = {}
  const hasHosts = [mibs.fdb, mibs.vlanFdb, mibs.ipNetToMedia, mibs.ipNetToPhysical, mibs.basePorts].some(
    each => mib.rows(each as Table).length > 0,
  )
  if (hasHosts) found.hosts = hosts(learned, resolved, own)
  const lldp = lldpNeighbours(mib, shape)
  const all = [...lldp, ...cdpNeighbours(mib, lldp)]
  if (all.length > 0 || mib.rows(mibs.lldpPorts).length > 0) found.neighbours = all
  return found
}

export const observe = (session: Session, depth: 'counters' | 'full'): Promise<Observation> =>
  depth === 'full' ? observeFull(session) : observeCounters(session)

/** The facts alone: everything a device is told apart by, without its large tables. */
export async function readFacts(session: Session): Promise<Facts> {
  const mib = new Mib()
  const readings = await readAll(session)
  const shape = await readShape(session, mib, readings)
  await mib.read(session.channel, [mibs.entities, mibs.poePorts, ...poeTablesOf(session)], alive(session))
  const poe = powerByInterface(mib, shape).size > 0
  return factsOf({ vendor: session.vendor, readings, mib, shape, poe, wifi: false })
}
