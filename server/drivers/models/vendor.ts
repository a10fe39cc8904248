import type { DeviceKind } from '../observation'

/** Where a value is found, in the words of a vendor's MIB. The first source that gives a sane value wins. */
export type Source = {
  /** A scalar (its identifier ends in .0) or one cell, or with `pick` a column of a table. */
  oid?: string
  /** How a column becomes one value; zeros are left out where `skipZero` (rows of parts that have no such reading). */
  pick?: 'first' | 'max' | 'average' | 'sum'
  skipZero?: true
  /** A part of sysDescr instead: the first group. With `oid`: the first group of that text. */
  pattern?: RegExp
  /** Factor to the unit of the field. */
  times?: number
  /** The value is the idle share: 100 minus it. */
  idle?: true
  /** What the chassis says in ENTITY-MIB comes here. Without this mark it comes after all sources. */
  entity?: true
}

export type FactName = 'model' | 'serial' | 'partNumber' | 'firmware' | 'hardware' | 'boot' | 'hostname'
export type HealthName =
  | 'cpuPercent'
  | 'memoryTotalBytes'
  | 'memoryUsedBytes'
  | 'memoryFreeBytes'
  | 'memoryUsedPercent'
  | 'storageTotalBytes'
  | 'storageUsedBytes'
  | 'temperatureCelsius'
  | 'wirelessClients'

export type Vendor = {
  /** Absent where the number is an agent's, not a maker's. */
  name?: string
  /** Numbers below 1.3.6.1.4.1 that sysObjectID starts with; the longest match of all vendors wins. */
  enterprises: string[]
  /** For enterprises that several makers use (8072 is every net-snmp): sysDescr must match too. */
  description?: RegExp
  /** The first that fits; without any the MIBs decide. */
  kinds?: { kind: DeviceKind; objectId?: string; description?: RegExp }[]
  facts?: Partial<Record<FactName, Source[]>>
  health?: Partial<Record<HealthName, Source[]>>
}

const enterprise = '1.3.6.1.4.1.'
/** A value below the enterprises' branch. */
export const at = (rest: string, more: Omit<Source, 'oid'> = {}): Source => ({ oid: `${enterprise}${rest}`, ...more })
export const fromDescription = (pattern: RegExp): Source => ({ pattern })
export const chassis: Source = { entity: true }
