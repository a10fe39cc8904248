import { sectionsOf } from './sections'

// What `uci show` prints, as tables: ubus tells the same, but only where rpcd runs, which comes with LuCI.

/** Options of one section; a list of several values is an array, a list of one cannot be told from a plain option. */
export type Section = { type: string; name: string; options: Record<string, string | string[]> }

const most = 5_000

/** The sections of one package in their order; anonymous ones are called `@type[n]`. */
export const parseSections = (text: string | undefined): Section[] =>
  sectionsOf(text ?? '')
    .slice(0, most)
    .map(({ type, name, options }) => {
      const values = [...options].map(([option, list]) => [option, list.length === 1 ? (list[0] ?? '') : list] as const)
      return { type, name, options: Object.fromEntries(values) }
    })

/** An option's values, however it is written. */
export const valuesOf = (section: Section, option: string): string[] => {
  const values = [section.options[option] ?? []].flat()
  return values.flatMap(value => value.split(/\s+/)).filter(Boolean)
}
