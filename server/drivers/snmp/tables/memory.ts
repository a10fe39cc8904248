import type { Health } from '../../hardware'
import type { HealthName, Vendor } from '../../models/vendor'
import type { Mib, RowsOf } from '../protocol/table'
import { storages } from './mibs'
import type { Readings } from './readings'

// Memory and disk: the maker's own values, UCD-SNMP-MIB, HOST-RESOURCES-MIB. Pure.

const storageType = { ram: '1.3.6.1.2.1.25.2.1.2', disk: '1.3.6.1.2.1.25.2.1.4', other: '1.3.6.1.2.1.25.2.1.1' }
const ucd = '1.3.6.1.4.1.2021'
/** UCD-SNMP-MIB; memory in kibibytes. */
export const ucdNames = {
  total: `${ucd}.4.5.0`,
  available: `${ucd}.4.6.0`,
  buffer: `${ucd}.4.14.0`,
  cached: `${ucd}.4.15.0`,
  idle: `${ucd}.11.11.0`,
  load1: `${ucd}.10.1.3.1`,
} as const

export const petabyte = 2 ** 50

type Storage = RowsOf<typeof storages>[number]
const bytesOf = (row: Storage | undefined, field: 'size' | 'used') => {
  const value = row?.[field]
  if (row?.unit === undefined || value === undefined) return undefined
  // The columns are signed 32-bit: net-snmp lets large ones turn negative.
  const bytes = (value < 0 ? value + 2 ** 32 : value) * row.unit
  return bytes >= 0 && bytes <= petabyte ? bytes : undefined
}

/** net-snmp's names, and EOS': parts of what the row of all memory counts as used. */
const reclaimableNames = /^(memory buffers|cached memory|ram \((buffers|cache)\))$/i

/** A size that can be: neither nothing nor the end of a 32-bit gauge. */
const isSize = (value: number | undefined): value is number => value !== undefined && value > 0 && value < 2 ** 32 - 1

function memoryOfHost(mib: Mib, readings: Readings): Pick<Health, 'memoryTotalBytes' | 'memoryUsedBytes'> {
  const total = readings.int(ucdNames.total)
  const available = readings.int(ucdNames.available)
  if (isSize(total) && available !== undefined && available >= 0 && available <= total) {
    const told = (readings.int(ucdNames.buffer) ?? 0) + (readings.int(ucdNames.cached) ?? 0)
    // More than is in use is no part of it: such an agent counts something else.
    const reclaimable = told >= 0 && told <= total - available ? told : 0
    return { memoryTotalBytes: total * 1024, memoryUsedBytes: (total - available - reclaimable) * 1024 }
  }
  const rows = mib.rows(storages)
  const ram =
    rows.find(row => row.type === storageType.ram) ??
    rows.find(row => /^(physical memory|ram|main memory)$/i.test(row.description ?? ''))
  const size = bytesOf(ram, 'size')
  const used = bytesOf(ram, 'used')
  if (!size || used === undefined || used > size) return {}
  const reclaimable = rows
    .filter(row => row !== ram && reclaimableNames.test(row.description ?? ''))
    .reduce((sum, row) => sum + (bytesOf(row, 'used') ?? 0), 0)
  return { memoryTotalBytes: size, memoryUsedBytes: Math.max(0, used - (reclaimable < used ? reclaimable : 0)) }
}

export function storageOf(mib: Mib): Pick<Health, 'storageTotalBytes' | 'storageUsedBytes'> {
  const disks = mib.rows(storages).filter(row => row.type === storageType.disk && (row.size ?? 0) > 0)
  const largest = [...disks].sort((a, b) => (bytesOf(b, 'size') ?? 0) - (bytesOf(a, 'size') ?? 0))[0]
  const disk = disks.find(row => row.description === '/') ?? largest
  const total = bytesOf(disk, 'size')
  const used = bytesOf(disk, 'used')
  return total && used !== undefined && used <= total ? { storageTotalBytes: total, storageUsedBytes: used } : {}
}

type Own = Vendor['health']
/** Total, used and free in bytes, share in percent, as far as they are told. */
type Told = { total?: number; used?: number; free?: number; percent?: number }
const names = {
  total: 'memoryTotalBytes',
  used: 'memoryUsedBytes',
  free: 'memoryFreeBytes',
  percent: 'memoryUsedPercent',
} as const satisfies Record<keyof Told, HealthName>

const mostOf = (field: keyof Told) => (field === 'percent' ? 100 : petabyte)

/** Columns of one table are of one board, row by row: the share of one is not that of another. The largest board is told. */
function largestRow(own: Own, readings: Readings): Told | undefined {
  const rows = new Map<string, Told>()
  for (const field of Object.keys(names) as (keyof Told)[])
    for (const [index, value] of readings.rows(own?.[names[field]], 0, mostOf(field)))
      rows.set(index, { ...rows.get(index), [field]: value })
  const sizeOf = ({ total, used, free }: Told) => total || (used ?? 0) + (free ?? 0)
  const whole = [...rows.values()].filter(
    row => sizeOf(row) > 0 && [row.used, row.free, row.percent].some(each => each !== undefined),
  )
  return whole.sort((a, b) => sizeOf(b) - sizeOf(a) || (b.percent ?? 0) - (a.percent ?? 0))[0]
}

function singleValues(own: Own, readings: Readings): Told {
  const value = (field: keyof Told) => readings.number(own?.[names[field]], 0, mostOf(field))
  return { total: value('total'), used: value('used'), free: value('free'), percent: value('percent') }
}

/** What a device says of its memory; bytes where they can be had, else the share. */
export function memoryOf(
  own: Own,
  readings: Readings,
  mib: Mib,
): { totalBytes?: number; usedBytes?: number; usedPercent?: number } {
  const { total: size, used: told, free, percent } = largestRow(own, readings) ?? singleValues(own, readings)
  const total = size || undefined
  const used = told !== undefined && total !== undefined && told > total ? undefined : told
  const totalBytes = total ?? (used !== undefined && free !== undefined ? used + free : undefined)
  if (totalBytes === undefined) {
    const host = memoryOfHost(mib, readings)
    return { totalBytes: host.memoryTotalBytes, usedBytes: host.memoryUsedBytes, usedPercent: percent }
  }
  const usedBytes =
    used ??
    (free !== undefined && free <= totalBytes ? totalBytes - free : undefined) ??
    (percent !== undefined ? Math.round((totalBytes * percent) / 100) : undefined)
  return { totalBytes, usedBytes, usedPercent: percent }
}
