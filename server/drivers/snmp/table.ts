import { type DeviceError, isDeviceError } from '../driver'
import { oid, type Value } from './ber'
import type { Channel } from './channel'
import { type Column, type WalkOptions, walk } from './walk'

// Tables as data: which columns, and what each holds. One reader turns them into typed rows; a cell that is not what
// its column promises is absent, as if the device had not sent it.

type Kinds = { int: number; text: string; bytes: Buffer; mac: string; oid: string; ip: string }
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

export function mac(value: Buffer): string | undefined {
  return value.length === 6 ? (value.toString('hex').match(/../g) ?? []).join(':') : undefined
}

const readers: { [K in Kind]: (value: Value) => Kinds[K] | undefined } = {
  int: value => (typeof value === 'number' ? value : undefined),
  text: value => (Buffer.isBuffer(value) ? text(value) : undefined),
  bytes: value => (Buffer.isBuffer(value) ? value : undefined),
  mac: value => (Buffer.isBuffer(value) ? mac(value) : undefined),
  oid: value => (typeof value === 'string' ? value : undefined),
  ip: value => (typeof value === 'string' ? value : undefined),
}

export const readAs = <K extends Kind>(kind: K, value: Value): Kinds[K] | undefined => readers[kind](value)

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
): Promise<{ rows: { [I in keyof T]: RowsOf<T[I]> }; failure?: DeviceError }> {
  const bases = tables.flatMap(each => columnsOf(each).map(([, [number]]) => oid(`${each.entry}.${number}`)))
  const { columns, failure } = await walk(channel, bases, { ...tables[0]?.options, expect })
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
  expect?: number,
): Promise<{ rows: Row<C>[]; failure?: DeviceError }> {
  const { rows, failure } = await readTables(channel, [wanted as unknown as Table], expect)
  return { rows: rows[0] as unknown as Row<C>[], failure }
}

const perQuestion = 16

/** The tables that have at least one row. An agent that cannot be asked this way is taken to have them all. */
async function present(channel: Channel, wanted: readonly Table[]): Promise<Table[]> {
  const found: Table[] = []
  for (let at = 0; at < wanted.length; at += perQuestion) {
    const some = wanted.slice(at, at + perQuestion)
    const oids = some.map(each => oid(each.entry))
    const reply = await channel.exchange({ type: 'getNext', oids }).catch(error => {
      if (isDeviceError(error) && (error.reason === 'timeout' || error.reason === 'malformed')) return undefined
      throw error
    })
    const usable = reply?.status === 0 && reply.bindings.length === some.length
    found.push(...some.filter((_, i) => !usable || reply.bindings[i]?.base === i))
  }
  return found
}

/** What was read of a device's tables, and which could not be. */
export class Mib {
  private readonly tables = new Map<Table, unknown[]>()
  readonly problems: { part: string; reason: string }[] = []

  /** Rows of a table; empty when it was not read or the device does not have it. */
  rows<C extends Columns>(wanted: Table<C>): Row<C>[] {
    return (this.tables.get(wanted as unknown as Table) as Row<C>[] | undefined) ?? []
  }

  /**
   * Reads tables one after the other; those that the device does not have cost one question for many of them.
   * A table the device chokes on is named in `problems`; a dead device rejects.
   */
  async read(channel: Channel, wanted: readonly Table[], alive: () => Promise<unknown>): Promise<void> {
    for (const each of await present(channel, wanted)) {
      const read = await this.told(each.name, readTable(channel, each), alive)
      if (read) this.tables.set(each, read.rows)
    }
  }

  /** Rows of tables with the same index, read side by side as `readTables` does; undefined where the device chokes on them. */
  async together<T extends readonly Table[]>(
    channel: Channel,
    wanted: T,
    alive: () => Promise<unknown>,
    expect?: number,
  ): Promise<{ [I in keyof T]: RowsOf<T[I]> } | undefined> {
    const part = wanted.map(each => each.name).join(', ')
    return (await this.told(part, readTables(channel, wanted, expect), alive))?.rows
  }

  /** What came of a reading; its failure is named in `problems`, a dead device rejects. */
  private async told<R extends { failure?: DeviceError }>(
    part: string,
    reading: Promise<R>,
    alive: () => Promise<unknown>,
  ): Promise<R | undefined> {
    try {
      const read = await reading
      if (read.failure) this.name(part, read.failure)
      return read
    } catch (error) {
      if (!isDeviceError(error)) throw error
      if (error.reason === 'timeout') await alive()
      else if (error.reason !== 'malformed') throw error
      this.name(part, error)
      return undefined
    }
  }

  private name(part: string, { reason }: DeviceError): void {
    if (!this.problems.some(one => one.part === part)) this.problems.push({ part, reason })
  }
}
