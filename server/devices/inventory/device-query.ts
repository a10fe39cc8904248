import * as z from 'zod'
import { below, type Group } from '@/server/networks/groups/groups'
import { liveFields } from '@/server/worker/live'
import type { DeviceSummary, Tally } from './summary'

export const deviceKinds = ['ap', 'switch', 'gateway', 'firewall', 'other'] as const

export const deviceFilter = z.strictObject({
  status: z.array(z.int().min(0).max(3)).max(4).optional(),
  kind: z.array(z.enum(deviceKinds)).max(5).optional(),
  /** With the groups below it; -1: devices in no group. */
  groupId: z.int().optional(),
})
export type DeviceFilter = z.output<typeof deviceFilter>

const sortable = [
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
  'status',
  'statusAt',
  'seenAt',
  'groupName',
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
] as const satisfies readonly (keyof DeviceSummary)[]
export type SortField = (typeof sortable)[number]
export const sortFields: readonly string[] = sortable

const searched = ['name', 'remarks', 'mac', 'address', 'vendor', 'model', 'serial', 'firmware', 'groupName'] as const

export function filterDevices(
  rows: readonly DeviceSummary[],
  groups: readonly Group[],
  filter: DeviceFilter = {},
  search = '',
): DeviceSummary[] {
  const text = search.trim().toLowerCase()
  const inGroup =
    filter.groupId === undefined || filter.groupId < 0 ? undefined : new Set(below(groups, filter.groupId))
  return rows.filter(
    row =>
      (!filter.status?.length || filter.status.includes(row.status)) &&
      (!filter.kind?.length || filter.kind.includes(row.kind)) &&
      (filter.groupId !== -1 || row.groupId === -1) &&
      (!inGroup || inGroup.has(row.groupId)) &&
      (!text || searched.some(field => row[field].toLowerCase().includes(text))),
  )
}

/** Text as people order it, as one string that compares with <: case does not count, numbers by their size. */
const orderOf = (text: string): string => text.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0'))

type Keyed = { row: DeviceSummary; value: string | number | undefined; name?: string }

function keyed(row: DeviceSummary, field: SortField): Keyed {
  const value = row[field]
  if (value === '' || value === undefined) return { row, value: undefined }
  return { row, value: typeof value === 'string' ? orderOf(value) : Number(value) }
}

/** Made when two rows are equal otherwise: with thousands of rows it costs as much as the rest. */
function nameOf(one: Keyed): string {
  one.name ??= orderOf(one.row.name)
  return one.name
}

/** What is unknown comes last in both directions, equal rows keep the order of their names. */
export function sortDevices(
  rows: readonly DeviceSummary[],
  { field, direction }: { field: SortField; direction: 'asc' | 'desc' },
): DeviceSummary[] {
  const turn = direction === 'desc' ? -1 : 1
  const order = (a: Keyed, b: Keyed) => {
    if (a.value !== b.value) {
      if (a.value === undefined) return 1
      if (b.value === undefined) return -1
      return a.value < b.value ? -turn : turn
    }
    const [one, other] = [nameOf(a), nameOf(b)]
    return one < other ? -1 : one > other ? 1 : a.row.id - b.row.id
  }
  return rows
    .map(row => keyed(row, field))
    .sort(order)
    .map(one => one.row)
}

const live: readonly string[] = [...liveFields, 'uptimeSeconds']
/** Whether a column comes from polls: then all rows need their live values before they are sorted. */
export const isLive = (field: SortField): boolean => live.includes(field)

/** How many there are of each state and kind: for the chips above a list. */
export function countsOf(tally: readonly Tally[]) {
  const counts = { all: 0, online: 0, offline: 0, unpaired: 0, paired: 0, warnings: 0 }
  const names = ['offline', 'online', 'unpaired', 'paired'] as const
  const kinds = { ap: 0, switch: 0, gateway: 0, firewall: 0, other: 0 }
  for (const { kind, status, count, warnings } of tally) {
    counts.all += count
    counts.warnings += warnings
    counts[names[status]] += count
    kinds[kind] += count
  }
  return { ...counts, kinds }
}
