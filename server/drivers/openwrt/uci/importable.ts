import type { UnmanagedItem } from '../../unmanaged'
import { listOf, type Section } from './sections'

/** What settings can say of a section that the system made itself. */
export type Importable = {
  area: UnmanagedItem['area']
  /** For people, where the section's own name says little. */
  label?: string
  /** Option → the setting that says it. Options that are not set are offered too: a setting may ask for one. */
  says: Readonly<Record<string, { kind: string; field: string }>>
  /** Options whose setting cannot say the value that they have. */
  left?: readonly string[]
  /** `UnmanagedItem.about` beside the section's type. */
  about?: Record<string, string>
}
/** Looks at each section with all others at hand; undefined where it is none of its own, or settings cannot say it. */
export type ImportableOf = (section: Section, all: readonly Section[]) => Importable | undefined

/** Each of these options says the field of one kind. */
export const says = (kind: string, fields: Readonly<Record<string, string>>): Importable['says'] =>
  Object.fromEntries(Object.entries(fields).map(([option, field]) => [option, { kind, field }]))

/** The value of an option that has one. */
export const only = (section: Section, option: string): string | undefined => {
  const values = listOf(section, option)
  return values?.length === 1 ? values[0] : undefined
}

const on = new Set(['1', 'on', 'true', 'yes', 'enabled'])
/** A switch as OpenWrt's shell functions read it; what is not set is `otherwise`. */
export const isOn = (value: string | undefined, otherwise: boolean): boolean =>
  value === undefined ? otherwise : on.has(value)

/** A switch of Wi-Fi, of which netifd knows no other words: `disabled 'on'` is on the air. All of them are off unless set. */
export const isOnAir = (value: string | undefined): boolean => value === '1' || value === 'true'
