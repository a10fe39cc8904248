import { isIP } from 'node:net'
import { poeStates } from '../../hardware'
import type { Vendor } from '../../models/vendor'
import type { Cell, VendorLists, VendorScalars, VendorTable } from '../../models/vendor-tables'
import type { Value } from '../protocol/ber'
import { type Mib, mac, type Table, table } from '../protocol/table'
import { macOf } from './mac'
import type { Readings } from './readings'
import { toNumber, toText } from './readings'

// Rows of the vendors' own tables, as their row of ../models describes them. Pure but for what is kept of the tables.

export type ListName = Exclude<keyof VendorLists, 'ports'>
type List = readonly (VendorTable<string> | VendorScalars<string>)[]
/** One row: its index, and the fields that were told, each of its kind. */
export type ListRow = { index: string } & { [field: string]: unknown }

type Any = { value: readonly [number, 'any'] }
type Tables = { own: Table; others: ReadonlyMap<string, Table<Any>> }

const enterprises = '1.3.6.1.4.1.'
const whole = (below: string) => (below.startsWith('1.') ? below : `${enterprises}${below}`)

const kept = new WeakMap<object, Tables>()
const columns = new Map<string, Table<Any>>()

function columnTable(name: string, column: string): Table<Any> {
  const cut = column.lastIndexOf('.')
  const made =
    columns.get(column) ?? table(name, whole(column.slice(0, cut)), { value: [Number(column.slice(cut + 1)), 'any'] })
  columns.set(column, made)
  return made
}

const cellsOf = (from: { fields: object; only?: Cell }): Cell[] => [
  ...Object.values(from.fields).flat(),
  ...(from.only ? [from.only] : []),
]

/** The tables that a vendor's table stands for: its own columns, and those of other tables. */
function tablesOf(from: VendorTable<string>): Tables {
  const known = kept.get(from)
  if (known) return known
  const cells = cellsOf(from).map(cell => cell.column)
  const numbers = [...new Set(cells.filter(column => typeof column === 'number'))]
  const others = [...new Set(cells.filter(column => typeof column === 'string'))]
  const made: Tables = {
    own: table(from.name, whole(from.entry), Object.fromEntries(numbers.map(n => [`c${n}`, [n, 'any'] as const])), {
      rows: from.rows ?? 10_000,
    }),
    others: new Map(others.map(column => [column, columnTable(from.name, column)])),
  }
  kept.set(from, made)
  return made
}

const listsOf = (vendor: Vendor | undefined): [ListName, List][] =>
  Object.entries(vendor?.lists ?? {}).flatMap(([name, list]) =>
    Array.isArray(list) ? [[name as ListName, list as List]] : [],
  )

/** Every table to be read for a vendor's lists. */
export const vendorTables = (vendor: Vendor | undefined): Table[] => [
  ...new Set(
    listsOf(vendor).flatMap(([, list]) =>
      list.flatMap(each => {
        if ('scalars' in each) return []
        const { own, others } = tablesOf(each)
        return [own, ...(others.values() as Iterable<unknown> as Iterable<Table>)]
      }),
    ),
  ),
]

const scalarName = (cell: Cell | undefined) => (typeof cell?.column === 'string' ? whole(cell.column) : undefined)

/** Every scalar to be read for them. */
export const vendorScalars = (vendor: Vendor | undefined): string[] => [
  ...new Set(
    listsOf(vendor).flatMap(([, list]) =>
      list.flatMap(each =>
        'scalars' in each
          ? each.scalars.flatMap(row => cellsOf(row).flatMap(cell => scalarName(cell) ?? []))
          : each.unless
            ? [whole(each.unless.scalar)]
            : [],
      ),
    ),
  ),
]

// --- kinds of fields ---------------------------------------------------------------------------------------------

type Read = (value: Value, cell: Cell) => unknown

const written = (value: Value, { pattern }: Cell): string | undefined => {
  const words = typeof value === 'string' ? value : toText(value)
  const found = (pattern && words !== undefined ? pattern.exec(words)?.[1] : words)?.trim().slice(0, 255)
  return found || undefined
}

const number =
  (least: number, most: number): Read =>
  (value, cell) => {
    const found = cell.means ? toNumber(Buffer.from(String(meaning(value, cell)))) : toNumber(value, cell.pattern)
    if (found === undefined || (cell.skipZero && found === 0)) return undefined
    const scaled = found * (cell.times ?? 1)
    return scaled >= least && scaled <= most ? Math.round(scaled * 100) / 100 : undefined
  }

const macs: Read = (value, cell) => {
  if (Buffer.isBuffer(value) && value.length === 6) return macOf([...value])
  const words = written(value, cell) ?? ''
  const numbers = words.split('.')
  if (numbers.length === 6) return macOf(numbers.map(Number))
  const digits = words.replace(/[\s:.-]/g, '')
  return /^[\da-f]{12}$/i.test(digits) ? mac(Buffer.from(digits, 'hex')) : undefined
}

const addresses: Read = (value, cell) => {
  const bytes = Buffer.isBuffer(value) && value.length === 4 && !/^[\x20-\x7e]{4}$/.test(value.toString('latin1'))
  const words = bytes ? [...(value as Buffer)].join('.') : written(value, cell)
  return words && isIP(words) && words !== '0.0.0.0' && words !== '::' ? words : undefined
}

const word =
  (...allowed: string[]): Read =>
  (value, cell) => {
    const found = meaning(value, cell) ?? written(value, cell)
    return typeof found === 'string' && allowed.includes(found) ? found : undefined
  }

const truth: Read = (value, cell) => {
  const found = cell.means ? meaning(value, cell) : { 0: false, 1: true, 2: false }[toNumber(value) ?? -1]
  return typeof found === 'boolean' ? found : undefined
}

const meaning = (value: Value, cell: Cell) => cell.means?.[written(value, cell) ?? '']

const partState = word('ok', 'warning', 'failed', 'off', 'absent')
// What rows name each other by may be six bytes, which are no text.
const keys: Read = (value, cell) => macs(value, cell) ?? written(value, cell)
const common: Record<string, Read> = {
  name: written,
  key: keys,
  radio: keys,
  bss: keys,
  ssid: written,
  interface: written,
  model: written,
  serial: written,
  firmware: written,
  country: written,
  port: written,
  mac: macs,
  bssid: macs,
  address: addresses,
  band: word('2g', '5g', '6g'),
  up: truth,
  enabled: truth,
  state: partState,
  rpm: number(0, 100_000),
  percent: number(0, 100),
  utilizationPercent: number(0, 100),
  watts: number(0, 100_000),
  class: number(0, 8),
  celsius: number(-60, 200),
  frequency: number(2000, 8000),
  channel: number(1, 253),
  widthMhz: number(5, 320),
  txPowerDbm: number(-20, 60),
  noiseDbm: number(-130, -1),
  signalDbm: number(-130, -1),
  clients: number(0, 1e6),
  connectedSeconds: number(0, 1e9),
  rxRate: number(0, 1e12),
  txRate: number(0, 1e12),
  rxBytes: number(0, 2 ** 64),
  txBytes: number(0, 2 ** 64),
  id: number(1, 4094),
  pvid: number(0, 4094),
  tagged: value => value,
  untagged: value => value,
}
const special: { [L in ListName]?: Record<string, Read> } = {
  accessPoints: { state: word('online', 'offline', 'pending') },
  poePorts: { state: word(...poeStates) },
}
const readOf = (list: ListName, field: string): Read | undefined => special[list]?.[field] ?? common[field]

// --- rows --------------------------------------------------------------------------------------------------------

/** The index's numbers that a cell names, as a number where it is one and dotted where they are several. */
function ofIndex(index: string, { index: from = 0, numbers = 1 }: Cell): Value {
  const parts = index.split('.')
  const start = from < 0 ? parts.length + from : from
  const some = parts.slice(start, numbers === 0 ? undefined : start + numbers)
  if (some.length === 0 || (numbers > 0 && some.length < numbers)) return null
  return some.length === 1 ? Number(some[0]) : some.join('.')
}

type Lookup = (index: string, cell: Cell) => Value

/** Sums of a column by the first numbers of its indexes. */
function sumsOf(rows: { index: string; value?: Value }[], length: number): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { index, value } of rows) {
    const key = index.split('.').slice(0, length).join('.')
    const told = toNumber(value ?? null)
    if (told !== undefined) sums.set(key, (sums.get(key) ?? 0) + told)
  }
  return sums
}

function lookupIn(mib: Mib, { own, others }: Tables): Lookup {
  const rows = new Map(mib.rows(own).map(row => [row.index, row as Record<string, unknown>]))
  const cells = new Map([...others].map(([column, each]) => [column, mib.rows(each)]))
  const single = new Map<string, Map<string, Value>>()
  const sums = new Map<string, Map<string, number>>()
  const once = <T>(made: Map<string, T>, key: string, make: () => T): T => {
    const found = made.get(key) ?? make()
    made.set(key, found)
    return found
  }
  return (index, cell) => {
    const { column } = cell
    if (column === undefined) return ofIndex(index, cell)
    if (typeof column === 'number') return (rows.get(index)?.[`c${column}`] as Value | undefined) ?? null
    const there = cells.get(column) ?? []
    const values = () => new Map(there.map(row => [row.index, row.value ?? null]))
    if (!cell.sum) return once(single, column, values).get(index) ?? null
    const length = index.split('.').length
    return once(sums, `${column} ${length}`, () => sumsOf(there, length)).get(index) ?? null
  }
}

function fieldsOf(list: ListName, fields: object, cellValue: (cell: Cell) => Value): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [field, cells] of Object.entries(fields) as [string, Cell | readonly Cell[]][]) {
    const read = readOf(list, field)
    for (const cell of Array.isArray(cells) ? cells : [cells]) {
      const raw = cellValue(cell)
      found[field] ??= raw === null ? undefined : read?.(raw, cell)
    }
  }
  return found
}

function rowsOfTable(list: ListName, from: VendorTable<string>, mib: Mib, own: ReadonlySet<string>): ListRow[] {
  const tables = tablesOf(from)
  const cellValue = lookupIn(mib, tables)
  const { only } = from
  return mib.rows(tables.own).flatMap(({ index }) => {
    if (only && !isOne(cellValue(index, only), only)) return []
    if (from.own !== undefined && !own.has(`${macs(ofIndex(index, { index: from.own, numbers: 6 }), {})}`)) return []
    return [{ ...fieldsOf(list, from.fields, cell => cellValue(index, cell)), index }]
  })
}

const isOne = (value: Value, only: Cell & { is: readonly (number | string)[] }) =>
  value !== null && only.is.map(String).includes(written(value, only) ?? '')

function rowsOfScalars(list: ListName, { scalars }: VendorScalars<string>, readings: Readings): ListRow[] {
  return scalars.map(({ name, fields }, i) => ({
    ...(name !== undefined && { name }),
    ...fieldsOf(list, fields, cell => readings.value(scalarName(cell) ?? '') ?? null),
    index: String(i + 1),
  }))
}

const isRuledOut = ({ unless }: VendorTable<string>, readings: Readings): boolean =>
  unless?.is.includes(readings.int(whole(unless.scalar)) ?? Number.NaN) ?? false

/** Rows of the first of a list's tables that has any; those without a value beside their name are left out. */
export function listRows(vendor: Vendor | undefined, list: ListName, mib: Mib, readings: Readings): ListRow[] {
  for (const each of (vendor?.lists?.[list] ?? []) as List) {
    if (!('scalars' in each) && isRuledOut(each, readings)) continue
    const rows = 'scalars' in each ? rowsOfScalars(list, each, readings) : rowsOfTable(list, each, mib, readings.own)
    const telling = rows.filter(row =>
      Object.entries(row).some(([field, value]) => field !== 'index' && field !== 'name' && value !== undefined),
    )
    if (telling.length > 0) return telling
  }
  return []
}
