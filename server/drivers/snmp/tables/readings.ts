import type { DeviceError } from '../../driver'
import type { Source } from '../../models/vendor'
import { oid, type Value, type VarBind } from '../protocol/ber'
import type { Channel } from '../protocol/channel'
import { mac, readAs, text } from '../protocol/table'
import { get } from '../protocol/transport'
import { type Column, walk } from '../protocol/walk'

// Values that vendors' rows point at, read in few requests and picked by the row's rule.

export class Readings {
  readonly scalars: Map<string, VarBind>
  readonly columns: Map<string, Column>
  readonly description: string
  /** Why columns of it could not be read whole. */
  failure?: DeviceError
  /** The device's own MACs and addresses, for tables with a row a member; known once its interfaces are. */
  own: ReadonlySet<string> = new Set()
  constructor(scalars: Map<string, VarBind>, columns: Map<string, Column>) {
    this.scalars = scalars
    this.columns = columns
    this.description = this.text('1.3.6.1.2.1.1.1.0') ?? ''
  }

  value = (name: string): Value | undefined => this.scalars.get(name)?.value

  int = (name: string): number | undefined => readAs('int', this.value(name) ?? null)

  text(name: string): string | undefined {
    const value = this.value(name)
    return Buffer.isBuffer(value) ? text(value) : undefined
  }

  bytes = (name: string): Buffer | undefined => readAs('bytes', this.value(name) ?? null)

  private all({ oid: name, pick, by }: Source): Value[] {
    if (!name) return []
    if (pick === 'own') return this.ownRow(name, by ?? name)
    if (pick) return this.columns.get(name)?.values ?? []
    const value = this.value(name)
    return value === undefined ? [] : [value]
  }

  private ownRow(name: string, by: string): Value[] {
    const { indexes, values } = this.columns.get(by) ?? { indexes: [], values: [] }
    const index = indexes.find((_, i) => this.own.has(identity(values[i] ?? null)))
    const column = this.columns.get(name)
    const at = index === undefined ? -1 : (column?.indexes.indexOf(index) ?? -1)
    return at < 0 ? [] : [column?.values[at] ?? null]
  }

  private named({ models }: Source): string | undefined {
    const objectId = this.value('1.3.6.1.2.1.1.2.0')
    return models && (models[String(objectId).replace('1.3.6.1.4.1.', '')] ?? '')
  }

  /** By index, the numbers of the first source's column that has any, between `least` and `most`. Of columns picked by size. */
  rows(sources: readonly Source[] | undefined, least: number, most: number): Map<string, number> {
    for (const source of sources ?? []) {
      if (source.pick !== 'max') continue
      const { indexes, values } = this.columns.get(source.oid ?? '') ?? { indexes: [], values: [] }
      const found = indexes.flatMap((index, i) => {
        const value = scaled(source, values[i] ?? null)
        return value !== undefined && value >= least && value <= most ? [[index, value] as const] : []
      })
      if (found.length > 0) return new Map(found)
    }
    return new Map()
  }

  /** The first source's number between `least` and `most`. */
  number(sources: readonly Source[] | undefined, least: number, most: number): number | undefined {
    for (const source of sources ?? []) {
      const found = this.all(source)
        .map(value => scaled(source, value))
        .filter(each => each !== undefined)
        .filter(each => each >= least && each <= most)
      if (found.length > 0) return picks[source.pick ?? 'first'](found)
    }
    return undefined
  }

  /** The first source's text that is not empty. */
  words(sources: readonly Source[] | undefined): string | undefined {
    for (const source of sources ?? []) {
      const texts = source.oid ? this.all(source).map(toText) : [this.named(source) ?? this.description]
      for (const each of texts) {
        const found = each && source.pattern ? source.pattern.exec(each)?.[1] : each
        const clean = found?.trim().slice(0, 255)
        if (clean && /[^\s.0-]/.test(clean)) return clean
      }
    }
    return undefined
  }
}

/** A MAC or an address as `own` has it. */
const identity = (value: Value): string =>
  Buffer.isBuffer(value) ? (mac(value) ?? text(value).toLowerCase()) : String(value ?? '')

/** Where a 32-bit gauge ends: the value is larger, or there is none. */
const saturated = 2 ** 32 - 1

/** A value in the unit of its field; undefined where it is none. */
function scaled({ pattern, skipZero, idle, times = 1 }: Source, value: Value): number | undefined {
  const found = toNumber(value, pattern)
  if (found === undefined || (skipZero && found === 0) || found === saturated) return undefined
  return (idle ? 100 - found : found) * times
}

const picks: Record<NonNullable<Source['pick']>, (found: number[]) => number | undefined> = {
  first: found => found[0],
  own: found => found[0],
  max: found => Math.max(...found),
  sum: found => found.reduce((sum, each) => sum + each, 0),
  average: found => found.reduce((sum, each) => sum + each, 0) / found.length,
}

// Some agents write numbers as text: "12 %", "2.17".
export function toNumber(value: Value, pattern?: RegExp): number | undefined {
  if (typeof value === 'number') return value
  if (!Buffer.isBuffer(value)) return undefined
  const words = text(value)
  const digits = pattern ? pattern.exec(words)?.[1] : /^\s*(-?\d+(?:\.\d+)?)\s*[%CK]?\s*$/.exec(words)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function toText(value: Value): string | undefined {
  if (Buffer.isBuffer(value)) return text(value)
  return typeof value === 'number' ? String(value) : undefined
}

type Groups = readonly (Record<string, readonly Source[] | undefined> | undefined)[]

/** What rows of sources need read: single variables, and columns. */
export function wanted(groups: Groups): Plan {
  const sources = groups.flatMap(group => Object.values(group ?? {}).flatMap(each => each ?? []))
  const names = (picked: boolean) => [
    ...new Set(
      sources
        .filter(each => each.oid && !!each.pick === picked)
        .flatMap(each => (each.by ? [each.oid as string, each.by] : [each.oid as string])),
    ),
  ]
  return { scalars: names(false), columns: names(true), cells: [] }
}

/** `cells`: columns of which only some rows are read, one by one. */
export type Plan = { scalars: string[]; columns: string[]; cells: { column: string; indexes: string[] }[] }

/** A column of more rows is walked, not asked for cell by cell. */
const mostCells = 12

/** The plan of the next readings: what the device turned out to have. Zeros of parts without a reading are left out. */
export function narrowed(plan: Plan, readings: Readings, groups: Groups): Plan {
  const skips = new Set(
    groups
      .flatMap(group => Object.values(group ?? {}).flatMap(each => each ?? []))
      .flatMap(each => (each.skipZero && each.oid ? [each.oid] : [])),
  )
  const next: Plan = { scalars: plan.scalars.filter(name => readings.scalars.has(name)), columns: [], cells: [] }
  for (const column of plan.columns) {
    const { indexes, values } = readings.columns.get(column) ?? { indexes: [], values: [] }
    const worth = indexes.filter((_, i) => !skips.has(column) || values[i] !== 0)
    if (worth.length > mostCells) next.columns.push(column)
    else if (worth.length > 0) next.cells.push({ column, indexes: worth })
  }
  return next
}

/** Reads a plan. Columns are bounded: health has a row a part, never thousands. */
export async function readPlan(channel: Channel, { scalars, columns, cells }: Plan): Promise<Readings> {
  const single = cells.flatMap(({ column, indexes }) => indexes.map(index => `${column}.${index}`))
  const found = await get(channel, [...new Set([...scalars, ...single])])
  const walked =
    columns.length > 0 ? await walk(channel, columns.map(oid), { rows: 512, milliseconds: 20_000 }) : undefined
  const all = new Map<string, Column>(columns.map((name, i) => [name, walked?.columns[i] as Column]))
  for (const { column, indexes } of cells) {
    const there = indexes.filter(index => found.has(`${column}.${index}`))
    all.set(column, { indexes: there, values: there.map(index => found.get(`${column}.${index}`)?.value ?? null) })
  }
  const readings = new Readings(found, all)
  readings.failure = walked?.failure
  return readings
}
