import type { DeviceError, Reason } from '../../driver'
import { askEach } from './ask-each'
import { type Oid, oid, type Value } from './ber'
import type { Channel } from './channel'
import { type Budget, type Column, newBudget, type WalkOptions, walk } from './walk'

// Tables as data: which columns, and what each holds. One reader turns them into typed rows; a cell that is not what
// its column promises is absent, as if the device had not sent it.

type Kinds = { int: number; text: string; bytes: Buffer; mac: string; oid: string; ip: string; any: Value }
export type Kind = keyof Kinds
type Columns = Record<string, readonly [number, Kind]>

export type Table<C extends Columns = Columns> = {
  /** Shown when reading fails: the MIB's own name. */
  name: string
  /** Identifier of the entry; columns are the next number. */
  entry: string
  columns: C
  options?: WalkOptions
}
export type Row<C extends Columns> = { index: string } & { [K in keyof C]?: Kinds[C[K][1]] }
export type RowsOf<T> = T extends Table<infer C> ? Row<C>[] : never

export const table = <const C extends Columns>(
  name: string,
  entry: string,
  columns: C,
  options?: WalkOptions,
): Table<C> => ({ name, entry, columns, options })

const printable = /[^\P{C}\n\t]/gu

/** Text as a device gives it: UTF-8 where it is, else Latin-1; without control characters, at most 1,024 long. */
export function text(value: Buffer): string {
  const end = value.indexOf(0)
  const bytes = end >= 0 ? value.subarray(0, end) : value
  const utf8 = bytes.toString('utf8')
  const read = utf8.includes('\uFFFD') ? bytes.toString('latin1') : utf8
  return read.replace(/\r\n?/g, '\n').replace(printable, '').trim().slice(0, 1024)
}

const blank = 0x20

/** Six bytes of one device. Zeros, blanks (an empty text to some agents) and the addresses of groups are nobody's. */
export function mac(value: Buffer): string | undefined {
  if (value.length !== 6 || ((value[0] ?? 0) & 1) === 1 || [0, blank].some(byte => value.every(each => each === byte)))
    return undefined
  return (value.toString('hex').match(/../g) ?? []).join(':')
}

const readers: { [K in Kind]: (value: Value) => Kinds[K] | undefined } = {
  int: value => (typeof value === 'number' ? value : undefined),
  text: value => (Buffer.isBuffer(value) ? text(value) : undefined),
  bytes: value => (Buffer.isBuffer(value) ? value : undefined),
  mac: value => (Buffer.isBuffer(value) ? mac(value) : undefined),
  oid: value => (typeof value === 'string' ? value : undefined),
  ip: value => (typeof value === 'string' ? value : undefined),
  any: value => value,
}

export const readAs = <K extends Kind>(kind: K, value: Value): Kinds[K] | undefined => readers[kind](value)

/** A record without what was not told: lists are compared and stored. */
export const clean = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== '')) as T

type Rows = Map<string, { index: string; [name: string]: unknown }>

const columnsOf = (wanted: Table) => Object.entries(wanted.columns)

function rowsOf(wanted: Table, columns: Column[]): unknown[] {
  const rows: Rows = new Map()
  for (const [i, [name, [, kind]]] of columnsOf(wanted).entries()) {
    const read = readers[kind]
    const { indexes, values } = columns[i] as Column
    for (let j = 0; j < indexes.length; j++) {
      const index = indexes[j] as string
      const value = read(values[j] as Value)
      const row = rows.get(index)
      if (row) row[name] = value
      else rows.set(index, { index, [name]: value })
    }
  }
  return [...rows.values()]
}

/**
 * All rows of tables with the same index, read side by side, in the order of the agent. `expect`: how many rows they
 * are known to have. Rejects only when the device stops answering.
 */
async function readTables<T extends readonly Table[]>(
  channel: Channel,
  tables: T,
  expect?: number,
  budget?: Budget,
): Promise<{ rows: { [I in keyof T]: RowsOf<T[I]> }; failure?: DeviceError }> {
  const bases = tables.flatMap(each => columnsOf(each).map(([, [number]]) => oid(`${each.entry}.${number}`)))
  const { columns, failure } = await walk(channel, bases, { ...tables[0]?.options, expect, budget })
  let at = 0
  const rows = tables.map(each => {
    const from = at
    at += columnsOf(each).length
    return rowsOf(each, columns.slice(from, at))
  })
  return { rows: rows as { [I in keyof T]: RowsOf<T[I]> }, failure }
}

/** All rows of one table. */
export async function readTable<C extends Columns>(
  channel: Channel,
  wanted: Table<C>,
  budget?: Budget,
): Promise<{ rows: Row<C>[]; failure?: DeviceError }> {
  const { rows, failure } = await readTables(channel, [wanted as unknown as Table], undefined, budget)
  return { rows: rows[0] as unknown as Row<C>[], failure }
}

/** The tables that have at least one row, and those whose question is never answered. */
async function present(channel: Channel, wanted: readonly Table[]): Promise<{ found: Table[]; silent: Table[] }> {
  const names = wanted.map(each => oid(each.entry))
  const first = await askEach(channel, 'getNext', names)
  const found = wanted.filter((_, i) => first.has(names[i] as Oid))
  return { found, silent: wanted.filter(each => channel.habits.silent.has(each.entry)) }
}

/** What was read of a device's tables, and which could not be. */
export class Mib {
  private readonly tables = new Map<Table, unknown[]>()
  readonly problems: { part: string; reason: string }[] = []
  private readonly budget = newBudget()

  /** Rows of a table; empty when it was not read or the device does not have it. */
  rows<C extends Columns>(wanted: Table<C>): Row<C>[] {
    return (this.tables.get(wanted as unknown as Table) as Row<C>[] | undefined) ?? []
  }

  /**
   * Reads tables one after the other; those that the device does not have cost one question for many of them.
   * A table the device chokes on is named in `problems`; a dead device rejects.
   */
  async read(channel: Channel, wanted: readonly Table[]): Promise<void> {
    const { found, silent } = await present(channel, wanted)
    for (const each of silent) this.name(each.name, 'timeout')
    for (const each of found) {
      const { rows, failure } = await readTable(channel, each, this.budget)
      if (failure) this.name(each.name, failure.reason)
      this.tables.set(each, rows)
    }
  }

  /** Rows of tables with the same index, read side by side as `readTables` does. */
  async together<T extends readonly Table[]>(
    channel: Channel,
    wanted: T,
    expect?: number,
  ): Promise<{ [I in keyof T]: RowsOf<T[I]> }> {
    const asked = wanted.filter(each => !channel.habits.silent.has(each.entry))
    const { rows, failure } = await readTables(channel, asked, expect, this.budget)
    const part = wanted.map(each => each.name).join(', ')
    if (failure) this.name(part, failure.reason)
    const found = wanted.map(each => (asked.includes(each) ? rows[asked.indexOf(each)] : []))
    return found as { [I in keyof T]: RowsOf<T[I]> }
  }

  /** Names a part that could not be read whole. */
  name(part: string, reason: Reason): void {
    if (!this.problems.some(one => one.part === part)) this.problems.push({ part, reason })
  }
}
