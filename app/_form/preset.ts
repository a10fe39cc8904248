import type { Data } from '@/model/kind'
import { same } from './values'

/** A preset that was chosen: what it filled in, and what stood there before. */
export type PresetUse = { id: string; filled: Data; before: Data }

const from = (values: Data, keys: readonly string[]): Data => Object.fromEntries(keys.map(key => [key, values[key]]))

/** The values as they were without it; what was changed by hand since stays. */
export function withoutPreset(now: Data, use: PresetUse | undefined): Data {
  if (!use) return now
  const untouched = Object.keys(use.filled).filter(key => same(use.filled[key], now[key]))
  return { ...now, ...from(use.before, untouched) }
}

/** A preset in place of the `former` one. */
export const presetUse = (id: string, fields: Data, now: Data, former: PresetUse | undefined): PresetUse => ({
  id,
  filled: fields,
  before: from(withoutPreset(now, former), Object.keys(fields)),
})

const changesOf = ({ filled, before }: PresetUse) => Object.keys(filled).filter(key => !same(before[key], filled[key]))

/** Fields that it changed and that still are as it filled them. */
export const filledKeys = (use: PresetUse, now: Data): string[] =>
  changesOf(use).filter(key => same(use.filled[key], now[key]))

/** Whether all that it changed is something else by now: nothing is left of it. */
export const isOver = (use: PresetUse, now: Data): boolean =>
  changesOf(use).length > 0 && filledKeys(use, now).length === 0

/** Of the fields it filled, those that somebody had filled before: they were not as in a new form, `start`. */
export const replacedKeys = (use: PresetUse, now: Data, start: Data): string[] =>
  filledKeys(use, now).filter(key => !same(start[key], use.before[key]))
