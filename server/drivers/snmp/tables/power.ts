import type { Port } from '../../hardware'
import type { Vendor } from '../../models/vendor'
import type { VendorLists } from '../../models/vendor-tables'
import type { Observation } from '../../observation'
import { clean, type Mib, type Table, table } from '../protocol/table'
import { bridgePorts } from './bridge'
import type { Shape } from './interfaces'
import { poeMain, poePorts } from './mibs'
import { sockets } from './panel'
import type { Readings } from './readings'
import type { ListRow } from './vendor-lists'

// POWER-ETHERNET-MIB (RFC 3621), and the vendors' tables that tell watts a port. Pure.

type Poe = NonNullable<Port['poe']>

const states: Record<number, Poe['state']> = {
  1: 'disabled',
  2: 'searching',
  3: 'delivering',
  4: 'errdisable',
  5: 'test',
  // otherFault: idle by a fault of another sort.
  6: 'errdisable',
}

/** Watts by vendor table, indexed as pethPsePortTable (group.port) or by ifIndex. */
const ciscoPorts = table('cpeExtPsePortTable', '1.3.6.1.4.1.9.9.402.1.2.1', {
  status: [5, 'bytes'],
  milliwatts: [9, 'int'],
})
const hpWatts = table('hpicfPoePethPsePortTable', '1.3.6.1.4.1.11.2.14.11.1.9.1.1.1', { milliwatts: [3, 'int'] })
const huaweiPorts = table('hwPoePortTable', '1.3.6.1.4.1.2011.5.25.195.3.1', {
  enable: [3, 'int'],
  milliwatts: [10, 'int'],
})
const mikrotikPorts = table('mtxrPOETable', '1.3.6.1.4.1.14988.1.1.15.1.1', {
  ifIndex: [1, 'int'],
  status: [3, 'int'],
  tenthsOfWatt: [6, 'int'],
})
const brocadePorts = table('snAgentPoePortTable', '1.3.6.1.4.1.1991.1.1.2.14.2.2.1', {
  control: [2, 'int'],
  milliwatts: [6, 'int'],
})

/** What to read of a maker beside the standard tables, by enterprise number. */
export const poeTables: Record<string, readonly Table[]> = {
  '9': [ciscoPorts],
  '11': [hpWatts],
  '2011': [huaweiPorts],
  '1991': [brocadePorts],
  '14988': [mikrotikPorts],
}

/** Interface of a PSE port. The index is the maker's own numbering: bridge port, place in the unit, or ifIndex. */
export function placing(mib: Mib, shape: Shape[]): (index: string) => string | undefined {
  const ports = sockets(shape)
  const keys = new Set(ports.map(each => each.key))
  const bridge = bridgePorts(mib)
  const groups = new Set(mib.rows(poePorts).map(row => row.index.split('.')[0]))
  const numbersOf = (name: string) => name.match(/\d+/g)?.map(Number) ?? []
  return index => {
    const [group = 0, number = 0] = index.split('.').map(Number)
    const named = ports.filter(each => {
      const numbers = numbersOf(each.name)
      return numbers.at(-1) === number && (groups.size < 2 || numbers[0] === group)
    })
    // Two sockets of one number: the copper ones are the slower and come first.
    if (named.length > 0 && (groups.size < 2 || named.length === 1)) return named[0]?.key
    const byBridge = bridge.get(number)
    if (byBridge && keys.has(byBridge)) return byBridge
    return keys.has(String(number)) ? String(number) : undefined
  }
}

/** A vendor's own PoE rows, and how they count their ports. */
export type OwnPoe = { rows: readonly ListRow[]; ports: NonNullable<VendorLists['ports']> }
const noOwn: OwnPoe = { rows: [], ports: 'place' }

/** Interface of a port as a vendor's own table counts: `1/0/5` by its name, `5` and `1.5` as `ports` says. */
export function ownPlacing(mib: Mib, shape: Shape[], ports: OwnPoe['ports']): (port: string) => string | undefined {
  const place = placing(mib, shape)
  const keys = new Set(shape.map(each => each.key))
  return port => {
    if (port.includes('/'))
      return shape.find(
        ({ name }) => name === port || (/[^\d/]/.test(name.at(-port.length - 1) ?? '1') && name.endsWith(port)),
      )?.key
    const key = ports === 'ifIndex' ? port : place(port.includes('.') ? port : `1.${port}`)
    return key !== undefined && keys.has(key) ? key : undefined
  }
}

/** CISCO-POWER-ETHERNET-EXT-MIB, bits from the first: no power left for it, more drawn than it may; the third only logs. */
function deniedState(bits: Buffer | undefined): Poe['state'] {
  const first = bits?.[0] ?? 0
  if (first & 0x40) return 'overload'
  return first & 0x80 ? 'throttled' : undefined
}

/** PoE by interface key; empty when the device tells of none. */
export function powerByInterface(mib: Mib, shape: Shape[], own = noOwn): Map<string, Poe> {
  const place = placing(mib, shape)
  const found = new Map<string, Poe>()
  const milliwatts = new Map(
    [...mib.rows(ciscoPorts), ...mib.rows(hpWatts), ...mib.rows(huaweiPorts)].map(row => [row.index, row.milliwatts]),
  )
  const denied = new Map(mib.rows(ciscoPorts).map(row => [row.index, deniedState(row.status)]))
  for (const row of mib.rows(poePorts)) {
    const key = place(row.index)
    if (!key || found.has(key)) continue
    const poe: Poe = {}
    if (row.admin !== undefined) poe.enabled = row.admin === 1
    const state = denied.get(row.index) ?? states[row.status ?? 0]
    if (state) poe.state = state
    // pethPsePortPowerClassifications counts from class0(1), and means something only while power flows.
    if (state === 'delivering' && row.class && row.class >= 1 && row.class <= 9) poe.class = row.class - 1
    const power = milliwatts.get(row.index) ?? milliwatts.get(key)
    if (power !== undefined && power >= 0) poe.watts = power / 1000
    found.set(key, poe)
  }
  for (const row of mib.rows(brocadePorts)) addBrocade(found, row.index, row)
  addByIfIndex(found, mib)
  addOwn(found, own.rows, ownPlacing(mib, shape, own.ports))
  return found
}

/** What the vendor's own table tells comes over what the standard one told. */
function addOwn(found: Map<string, Poe>, rows: OwnPoe['rows'], place: (port: string) => string | undefined) {
  for (const { index, name: _, port, ...row } of rows) {
    const key = place((port as string | undefined) ?? index)
    if (key !== undefined) found.set(key, { ...found.get(key), ...(clean(row) as Poe) })
  }
}

const mikrotikStates: Record<number, Poe['state']> = {
  1: 'disabled',
  2: 'searching',
  3: 'delivering',
  4: 'overload',
  // A short circuit.
  5: 'errdisable',
}

// Makers that have no standard table: HUAWEI-POE-MIB is indexed by ifIndex, MIKROTIK-MIB names it.
function addByIfIndex(found: Map<string, Poe>, mib: Mib) {
  for (const { index, enable, milliwatts } of mib.rows(huaweiPorts))
    if (!found.has(index) && enable !== undefined)
      found.set(index, { enabled: enable === 1, ...(milliwatts !== undefined && { watts: milliwatts / 1000 }) })
  for (const { index, ifIndex, status, tenthsOfWatt } of mib.rows(mikrotikPorts)) {
    const state = mikrotikStates[status ?? 0]
    const watts = tenthsOfWatt === undefined ? {} : { watts: tenthsOfWatt / 10 }
    if (state) found.set(String(ifIndex ?? index), { enabled: state !== 'disabled', state, ...watts })
  }
}

// FOUNDRY-POE-MIB is indexed by ifIndex; control 1 is "other": a port without PoE.
function addBrocade(found: Map<string, Poe>, key: string, row: { control?: number; milliwatts?: number }) {
  const known = found.get(key)
  const enabled = row.control === 3 || row.control === 4
  if (!known && row.control !== 2 && !enabled) return
  found.set(key, { enabled, ...known, ...(row.milliwatts !== undefined && { watts: row.milliwatts / 1000 }) })
}

/** Budget and use of all groups together, watts. */
export function powerTotals(mib: Mib, readings?: Readings, vendor?: Vendor): Observation['poe'] {
  const rows = mib.rows(poeMain)
  const sum = (values: (number | undefined)[]) => {
    const known = values.flatMap(each => (each !== undefined && each >= 0 ? [each] : []))
    return known.length > 0 ? known.reduce((total, each) => total + each, 0) : undefined
  }
  const watts = (name: 'budgetWatts' | 'usedWatts' | 'freeWatts') => readings?.number(vendor?.poe?.[name], 0, 1e6)
  const free = watts('freeWatts')
  const used = watts('usedWatts')
  const both = used !== undefined && free !== undefined ? used + free : undefined
  const budgetWatts = sum(rows.map(row => row.power)) ?? watts('budgetWatts') ?? both
  const left = budgetWatts !== undefined && free !== undefined && free <= budgetWatts ? budgetWatts - free : undefined
  const usedWatts = sum(rows.map(row => row.consumption)) ?? used ?? left
  if (budgetWatts === undefined && usedWatts === undefined) return undefined
  return { ...(budgetWatts !== undefined && { budgetWatts }), ...(usedWatts !== undefined && { usedWatts }) }
}
