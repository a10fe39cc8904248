// What `uci show` prints, as tables: ubus tells the same, but only where rpcd runs, which comes with LuCI.

/** Options of one section; a list of several values is an array, a list of one cannot be told from a plain option. */
export type Section = { type: string; name: string; options: Record<string, string | string[]> }

const words = /'((?:[^']|'\\'')*)'/g
const plain = (word: string) => word.replaceAll("'\\''", "'")

const most = 5_000

/** The sections of one package in their order; anonymous ones are called `@type[n]`. */
export function parseSections(text: string | undefined): Section[] {
  const found = new Map<string, Section>()
  for (const line of (text ?? '').split('\n')) {
    const [, name = '', option, value = ''] = /^[^.=]+\.([^.=]+)(?:\.([^.=]+))?=(.*)$/.exec(line) ?? []
    if (name === '') continue
    if (option === undefined) {
      if (found.size < most) found.set(name, { name, type: value, options: {} })
      continue
    }
    const values = [...value.matchAll(words)].map(([, word = '']) => plain(word))
    const section = found.get(name)
    if (section) section.options[option] = values.length === 1 ? (values[0] ?? '') : values
  }
  return [...found.values()]
}

/** An option's values, however it is written. */
export const valuesOf = (section: Section, option: string): string[] => {
  const value = section.options[option]
  return value === undefined ? [] : typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : value
}
