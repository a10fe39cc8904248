import * as z from 'zod'
import { deviceState } from '@/model/device-state'
import { below, type Group } from '@/server/networks/groups/groups'
import type { LiveField } from '@/server/worker/live'
import type { StoredDevice, Tally } from './stored-devices'

/** A device's state in a word, by its number (specification section 4): for scripts; pages have their own words. */
export const statusNames = ['offline', 'online', 'unpaired', 'paired'] as const

export const deviceKinds = ['ap', 'switch', 'gateway', 'firewall', 'other'] as const

export const deviceFilter = z.strictObject({
  status: z.array(z.int().min(0).max(3)).max(4).optional(),
  /** Of those that count as online: whose last poll had no answer, or the others. */
  silent: z.boolean().optional(),
  kind: z.array(z.enum(deviceKinds)).max(5).optional(),
  /** With the groups below it; -1: devices in no group. */
  groupId: z.int().optional(),
  /** Those that something saved waits for. */
  modified: z.literal(true).optional(),
})
export type DeviceFilter = z.output<typeof deviceFilter>

/** Columns of the database, and those that polls tell. */
const storedColumns = [
  'name',
  'remarks',
  'mac',
  'address',
  'driver',
  'kind',
  'vendor',
  'model',
  'serial',
  'firmware',
  'partNumber',
  'hardware',
  'boot',
  'ipv6',
  'status',
  'statusAt',
  'groupName',
] as const satisfies readonly (keyof StoredDevice)[]
const liveColumns = [
  'seenAt',
  'uptimeSeconds',
  'cpuPercent',
  'memoryPercent',
  'clients',
  'wifiClients',
  'inBps',
  'outBps',
  'portsUp',
  'poeWatts',
  'temperature',
  'channel',
  'txPower',
] as const satisfies readonly (LiveField | 'uptimeSeconds' | 'channel' | 'txPower')[]
export type StoredColumn = (typeof storedColumns)[number]
export type LiveColumn = (typeof liveColumns)[number]
export type SortField = StoredColumn | LiveColumn
export const sortFields: readonly string[] = [...storedColumns, ...liveColumns]
export const isLive = (field: SortField): field is LiveColumn => (liveColumns as readonly string[]).includes(field)

const searched = [
  ...(['name', 'remarks', 'mac', 'address', 'vendor', 'model', 'serial', 'firmware', 'groupName'] as const),
  ...(['partNumber', 'ipv6'] as const),
]

const separator = '\u0000'
const lower = (text: string | null): string => text?.toLowerCase() ?? ''
/** All that is searched of a device, in lower case: made once, where it is searched again and again. */
export const searchText = (row: StoredDevice): string => searched.map(field => lower(row[field])).join(separator)
/** Whether a column holds the text, which is in lower case; `all` is the device's `searchText`. */
export const holds = (row: StoredDevice, all: string, text: string): boolean =>
  // What is found across two columns is in none of them.
  text.includes(separator) ? searched.some(field => lower(row[field]).includes(text)) : all.includes(text)

/** What passes the filter; undefined: all do. `waiting`: which devices something saved waits for, where that is asked. */
export function keeping(
  groups: () => readonly Group[],
  filter: DeviceFilter = {},
  waiting: ReadonlySet<number> = new Set(),
): ((row: StoredDevice) => boolean) | undefined {
  const { status = [], silent, kind = [], groupId, modified } = filter
  const inGroup = groupId === undefined || groupId < 0 ? undefined : new Set(below(groups(), groupId))
  const open = silent === undefined && groupId !== -1 && !modified && !inGroup
  if (!status.length && !kind.length && open) return undefined
  return row =>
    (!status.length || status.includes(row.status)) &&
    (silent === undefined || (deviceState(row) === 'silent') === silent) &&
    (!kind.length || kind.includes(row.kind)) &&
    (groupId !== -1 || row.groupId === -1) &&
    (!modified || waiting.has(row.id)) &&
    (!inGroup || inGroup.has(row.groupId))
}

/** Text as people order it, as one string that compares with <: case does not count, numbers by their size. */
const orderOf = (text: string): string => text.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0'))

type Value = string | number | null | undefined
type Keyed = { row: StoredDevice; value: string | number | undefined; name?: string }

const keyOf = (value: Value): string | number | undefined =>
  typeof value === 'string' ? (value === '' ? undefined : orderOf(value)) : (value ?? undefined)

/** Made when two rows are equal otherwise: with thousands of rows it costs as much as the rest. */
function nameOf(one: Keyed): string {
  one.name ??= orderOf(one.row.name)
  return one.name
}

export type Order = {
  read: (row: StoredDevice) => Value
  direction: 'asc' | 'desc'
  /** Where a row stands in the order of names, for whom that is known. */
  rankOf?: ((row: StoredDevice) => number) | undefined
}

/** What is unknown comes last in both directions, equal rows keep the order of their names. */
export function sortRows(rows: readonly StoredDevice[], { read, direction, rankOf }: Order): StoredDevice[] {
  const turn = direction === 'desc' ? -1 : 1
  const byName = (a: Keyed, b: Keyed) => {
    if (rankOf) return rankOf(a.row) - rankOf(b.row)
    const [one, other] = [nameOf(a), nameOf(b)]
    return one < other ? -1 : one > other ? 1 : a.row.id - b.row.id
  }
  const order = (a: Keyed, b: Keyed) => {
    if (a.value === b.value) return byName(a, b)
    if (a.value === undefined) return 1
    if (b.value === undefined) return -1
    return a.value < b.value ? -turn : turn
  }
  return rows
    .map((row): Keyed => ({ row, value: keyOf(read(row)) }))
    .sort(order)
    .map(one => one.row)
}

/** How many there are of each state and kind: for the chips above a list. */
export function countsOf(tally: readonly Tally[]) {
  const counts = { all: 0, online: 0, silent: 0, offline: 0, unpaired: 0, paired: 0, warnings: 0 }
  const names = ['offline', 'online', 'unpaired', 'paired'] as const
  const kinds = { ap: 0, switch: 0, gateway: 0, firewall: 0, other: 0 }
  for (const { kind, status, count, silent, warnings } of tally) {
    counts.all += count
    counts.warnings += warnings
    counts[names[status]] += count - silent
    counts.silent += silent
    kinds[kind] += count
  }
  return { ...counts, kinds }
}
