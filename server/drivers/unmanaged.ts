import type { UnmanagedWhy } from './words'

/** One option of something that runs on a device and is not ours. */
export type UnmanagedOption = {
  option: string
  /** The device's own words, at most `unmanagedLimits.text` characters, secrets marked; absent: it is not set. */
  value?: string
  /** The setting that says it once it is imported: kind and field. Absent: none can, so it stays as it is. */
  kind?: string
  field?: string
  /** Why none can, where others of the same part can be imported. */
  why?: UnmanagedWhy
}
/** A part of a device's own configuration: a UCI section, a file. */
export type UnmanagedItem = {
  /** Stable for as long as the part is there: `uci:network.lan`, `file:/etc/timezone`. */
  id: string
  area: 'network' | 'dhcp' | 'wireless' | 'firewall' | 'system' | 'access' | 'other'
  /** How the device itself calls it, for people: `lan`, `radio0`, `OpenWrt on radio1`. */
  label: string
  /**
   * managed: ours, or imported with all it offers; unmanaged: an option can be imported (it has a `kind`);
   * unsupported: nothing of it can, it is never written.
   */
  state: 'managed' | 'unmanaged' | 'unsupported'
  why: UnmanagedWhy
  options: UnmanagedOption[]
  /** What the driver itself has to know of it later; kept with what is imported, never shown. */
  about?: Record<string, string>
}
/** Bounds of what a device may tell of itself here; what is beyond is left out. */
export const unmanagedLimits = { items: 500, options: 100, text: 2_000 } as const

/** What a person imported: from then on settings decide these options of the item, and no others of it are ever written. */
export type ImportedItem = {
  /** `UnmanagedItem.id`. */
  id: string
  /** Option → its former value in the device's own words as `UnmanagedOption.value` gave it; null where it was not set. */
  options: Record<string, string | null>
  /** `UnmanagedItem.about` as it was then. */
  about?: Record<string, string>
  /** The list document that decides it; absent for singles, which decide by their kind. */
  document?: string
}
/** What settings have to say for chosen options to stay as they are on the device. */
export type ImportProposal = {
  kind: string
  /** Of a list kind: a whole document's fields. Of a single: the fields it sets for this device. */
  fields: Record<string, unknown>
  /** Ids of the chosen items that it decides. */
  items: string[]
  /** A document that the device is given already and that decides them from now on; `fields` is empty then. */
  document?: string
}
