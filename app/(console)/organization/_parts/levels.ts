import type { AuthorityPreset } from '@/model/authority-presets'

/** A feature by its names of model/authority.ts, and whether the person who chooses may give its reading and its changing. */
export type Feature = { read: string; edits: readonly string[]; mayRead: boolean; mayEdit: boolean }

export const levels = ['none', 'read', 'edit'] as const
export type Level = (typeof levels)[number]
/** By the names that read. */
export type Levels = Readonly<Record<string, Level>>

export const levelOf = ({ read, edits }: Feature, held: readonly string[]): Level =>
  edits.some(one => held.includes(one)) ? 'edit' : held.includes(read) ? 'read' : 'none'

const namesAt: Record<Level, (feature: Feature) => readonly string[]> = {
  none: () => [],
  read: ({ read }) => [read],
  edit: ({ read, edits }) => [read, ...edits],
}

export const hasLevel = ({ edits }: Feature, level: Level) => level !== 'edit' || edits.length > 0
/** Changing brings reading with it. */
export const mayGive = ({ mayRead, mayEdit }: Feature, level: Level) =>
  level === 'none' || (mayRead && (level === 'read' || mayEdit))

/** The level itself, or the highest one below it that there is and that may be given. */
export const atMost = (feature: Feature, level: Level): Level =>
  hasLevel(feature, level) && mayGive(feature, level)
    ? level
    : atMost(feature, levels[levels.indexOf(level) - 1] ?? 'none')

/** What is held once these features have the levels that are named; all others stay as they are. */
export function heldWith(features: readonly Feature[], held: readonly string[], wanted: Partial<Levels>): string[] {
  const set = features.flatMap(one => {
    const level = wanted[one.read]
    return level ? [{ one, level }] : []
  })
  const dropped = new Set(set.flatMap(({ one }) => namesAt.edit(one)))
  return [...held.filter(name => !dropped.has(name)), ...set.flatMap(({ one, level }) => namesAt[level](one))]
}

/** Each feature at the level, or at as much of it as may be given. */
export const allAt = (features: readonly Feature[], level: Level): Levels =>
  Object.fromEntries(features.map(one => [one.read, atMost(one, level)]))

/** Each feature as a preset has it, as far as it may be given. */
export const presetLevels = ({ levels }: AuthorityPreset, features: readonly Feature[]): Levels =>
  Object.fromEntries(
    features.map(one => [one.read, atMost(one, (levels as Partial<Record<string, Level>>)[one.read] ?? 'none')]),
  )

/** Names of features that it cannot give, or not as far as it wants: they may not be given, or are not there at all. */
export const lacking = (preset: AuthorityPreset, features: readonly Feature[]): string[] => {
  const given = presetLevels(preset, features)
  return Object.entries(preset.levels).flatMap(([name, level]) => (given[name] === level ? [] : [name]))
}
