'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'

/** What runs on a device and is not ours, as `import/list` gives it. */
export type Item = CallOutput<'import/list'>['result'][number]
export type ItemOption = Item['options'][number]
/** Chosen options, `item\noption`. */
export type Chosen = ReadonlySet<string>

export const chosenKey = (item: Item, option: ItemOption): string => `${item.id}\n${option.option}`
export const isImported = (item: Item): boolean => item.releasing || item.options.some(one => one.imported)
/** Options that may still be chosen. */
export const openOptions = (item: Item, editable: readonly string[]): ItemOption[] =>
  item.releasing
    ? []
    : item.options.filter(
        one => one.kind !== undefined && (!one.imported || one.releasing) && editable.includes(one.kind),
      )

/** Several lines of the device's as one. */
export const inLine = (value: string): string => value.split('\n').join(', ')

/**
 * The setting that says an option, in words: “LAN network: Gateway address”, with the part of it where several options say
 * the same one; the device's own word where there is none.
 */
export function useOptionName(): (option: ItemOption) => string {
  const t = useTranslations('import.page')
  const parts = useTranslations('import.parts')
  const kinds = useTranslations('kinds' as 'wifi')
  const fields = useTranslations('fields' as 'wifi')
  return ({ option, kind, field }) => {
    if (kind === undefined) return option
    const name = wordOr(kinds, kind)
    const key = `${kind}.${field}` as 'ssid.one'
    const said = { kind: name, field: fields.has(key) ? fields(key) : option }
    return parts.has(option as 'nasid') ? t('partOf', { ...said, part: parts(option as 'nasid') }) : t('field', said)
  }
}

export function useWhyUnmanaged(): (why: string) => string {
  const t = useTranslations('import.why')
  return why => wordOr(t, why, '')
}
