import type { DeviceRole } from '../observation'
import type { VendorLists } from './vendor-tables'

/** Where a value is found, in the words of a vendor's MIB. The first source that gives a sane value wins. */
export type Source = {
  /** A scalar (its identifier ends in .0) or one cell, or with `pick` a column of a table. */
  oid?: string
  /** How a column becomes one value; zeros are left out where `skipZero` (rows of parts that have no such reading). */
  pick?: 'first' | 'max' | 'average' | 'sum' | 'own'
  /** With `pick: 'own'`, for tables with a row a member: the column of the same table where the device finds its own MAC or address. */
  by?: string
  skipZero?: true
  /** A part of sysDescr instead: the first group. With `oid`: the first group of that text. */
  pattern?: RegExp
  /** Factor to the unit of the field. */
  times?: number
  /** Instead of an identifier: what the device is called by its sysObjectID, below 1.3.6.1.4.1. */
  models?: Readonly<Record<string, string>>
  /** The value is the idle share: 100 minus it. */
  idle?: true
  /** What the chassis says in ENTITY-MIB comes here. Without this mark it comes after all sources. */
  entity?: true
}

export type FactName = 'model' | 'serial' | 'partNumber' | 'firmware' | 'kernel' | 'hardware' | 'boot' | 'hostname'
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
  /**
   * Branches below 1.3.6.1.4.1 of which one must have anything. Such a row is also taken, whatever its `enterprises`, for
   * devices whose sysObjectID names no maker's row or only the agent (8072); the longest branch that answers wins.
   */
  answers?: string[]
  /** The first that fits; without any the MIBs decide. */
  roles?: { role: DeviceRole; objectId?: string; description?: RegExp }[]
  facts?: Partial<Record<FactName, Source[]>>
  health?: Partial<Record<HealthName, Source[]>>
  /** For makers that give each model a tree of its own: more by sysObjectID, below 1.3.6.1.4.1. */
  ofModel?: (number: string) => Pick<Vendor, 'facts' | 'health'>
  /** Watts of all ports together, where POWER-ETHERNET-MIB does not tell them. */
  poe?: Partial<Record<'budgetWatts' | 'usedWatts' | 'freeWatts', Source[]>>
  /** What comes as rows of a table: fans, radios, a controller's access points … */
  lists?: VendorLists
}

const enterprise = '1.3.6.1.4.1.'
/** A value below the enterprises' branch, where `by` is counted from, too. */
export const at = (rest: string, more: Omit<Source, 'oid'> = {}): Source => ({
  oid: `${enterprise}${rest}`,
  ...more,
  ...(more.by && { by: `${enterprise}${more.by}` }),
})
/** The same row for devices that say another's number, or the agent's, where one of these branches has anything. */
export const answering = (vendor: Vendor, ...answers: string[]): Vendor => ({ ...vendor, enterprises: [], answers })
export const fromDescription = (pattern: RegExp): Source => ({ pattern })
export const chassis: Source = { entity: true }
