import type { NativeBlock, NativeConfig } from '../../driver'
import type { ImportedItem } from '../../unmanaged'
import { wordsIn } from './lists'
import { isSecret } from './package-secrets'
import { type Section, valuesOf, wordsOf } from './sections'

// Sections that the system made itself and a person took over, option by option.

/** `network.lan`, `system.@system[0]` */
export const addressOf = ({ id }: Pick<ImportedItem, 'id'>): string => id.replace(/^uci:/, '')

/**
 * What settings say of a section's options: a value, a list, null for an option that is not to be there. What is
 * undefined, or left out, settings leave alone: it keeps its former value.
 */
export type OptionValues = Readonly<Record<string, string | readonly string[] | null | undefined>>

const block = (
  item: ImportedItem,
  words: (option: string) => string | null,
  more: Partial<NativeBlock>,
): NativeBlock => {
  const lines = Object.keys(item.options)
    .sort()
    .flatMap(option => {
      const value = words(option)
      return value === null ? [] : [`${addressOf(item)}.${option}=${value}`]
    })
  return { id: item.id, item: item.id, text: lines.join('\n'), ...more }
}

const formerOf = (item: ImportedItem, option: string): string | null => item.options[option] ?? null

/** The imported options of a section as settings want them. */
export function importedBlock(item: ImportedItem, wanted: OptionValues, more: Partial<NativeBlock>): NativeBlock {
  const words = (option: string) => {
    const value = wanted[option]
    if (value === undefined) return formerOf(item, option)
    const values = value === null ? [] : typeof value === 'string' ? [value] : value
    if (wordsOf(values) === wordsOf(formerValues(item, option) ?? [])) return formerOf(item, option)
    return values.length > 0 ? wordsOf(values) : null
  }
  return block(item, words, more)
}

export const former = (item: ImportedItem): NativeBlock[] => [
  block(item, option => formerOf(item, option), item.document ? { document: item.document } : {}),
]

const configOf = (item: ImportedItem) => addressOf(item).replace(/\..*$/s, '')

/** The values an option had when it was imported, a list word by word; absent: it was not set, or is not imported. */
export const formerValues = (item: ImportedItem, option: string): string[] | undefined => {
  const words = formerOf(item, option)
  return words === null ? undefined : wordsIn(configOf(item), option, valuesOf(words))
}

/** An imported section as it was seen, for what it says now: each of its options with its present value. */
export function seenItem({ id, text }: NativeBlock, about: Record<string, string> = {}): ImportedItem {
  const start = `${addressOf({ id })}.`
  const lines = text.split('\n').filter(line => line.startsWith(start))
  const options = lines.map(line => [line.slice(start.length, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  return { id, options: Object.fromEntries(options) as ImportedItem['options'], about }
}

export const joined = (one: NativeBlock, item: ImportedItem): NativeBlock => {
  const options = { ...seenItem(one).options, ...item.options }
  return { ...one, text: block({ ...item, options }, option => options[option] ?? null, {}).text }
}

/** An option's values in the words of an `ImportedItem`. */
export const shownWords = ({ config, options }: Section, option: string): string | undefined => {
  const values = options.get(option)
  return values && values.length > 0 ? wordsOf(values, isSecret(config, option)) : undefined
}

/** Options by which a section without a name of its own is known: its number is another's when one before it goes. */
const isKey = /^is\./

const isSame = ({ config, name, type, options }: Section, item: Pick<ImportedItem, 'id' | 'about'>): boolean =>
  `${config}.${name}` === addressOf(item) &&
  type === (item.about?.type ?? type) &&
  Object.entries(item.about ?? {}).every(
    ([key, value]) => !isKey.test(key) || (options.get(key.replace(isKey, ''))?.join(' ') ?? '') === value,
  )

/** Of each imported section that is there, what is imported. */
export function readImported(sections: readonly Section[], imported: readonly ImportedItem[]): NativeConfig {
  const found = imported.flatMap(item => {
    const section = sections.find(one => isSame(one, item))
    return section ? [block(item, option => shownWords(section, option) ?? null, {})] : []
  })
  return { blocks: found }
}
