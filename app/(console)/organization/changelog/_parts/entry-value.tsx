'use client'
import { useTranslations } from 'next-intl'
import type { FieldSpec, KindSpec } from '@/app/_form/spec'
import { useWords, type Words } from '@/app/_form/use-words'
import { isKept } from '@/app/_form/values'
import { isKindId, isSingle } from '@/model/registry'

/** One side of a field's change; null for none. */
export type Shown = { field: string; value: unknown }
type Names = Readonly<Record<string, string>>

function useNone() {
  const t = useTranslations('changelog')
  return { none: <span className="muted">{t('none')}</span>, secret: <span className="muted">{t('secret')}</span> }
}

/** A value that no form describes. */
export function Plain({ value }: { value: unknown }) {
  const { none, secret } = useNone()
  if (value === null || value === undefined || value === '') return none
  if (isKept(value)) return secret
  if (Array.isArray(value)) return value.length ? <Lines lines={value.map(textOf)} /> : none
  return <bdi>{textOf(value)}</bdi>
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="plain">
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list of texts that never changes, with doubles
      <li key={at}>
        <bdi>{line}</bdi>
      </li>
    ))}
  </ul>
)

/** A row of a list inside a setting: its columns' values, one after the other. */
const rowText = (words: Words, columns: readonly FieldSpec[], row: Record<string, unknown>): string =>
  columns
    .map(column => words.shown(column, row[column.key.split('.').at(-1) ?? '']))
    .filter(Boolean)
    .join(' · ')

/** A setting's value in the words of its form. */
export function SettingValue({ spec, names, field, value }: Shown & { spec: KindSpec; names: Names }) {
  const t = useTranslations('changelog')
  const words = useWords(spec)
  const about = spec.fields[field]
  if (field === 'assign' && value) {
    const { all, groups, devices } = value as { all: boolean; groups: number[]; devices: number[] }
    return all ? t('allDevices') : t('someDevices', { groups: groups.length, devices: devices.length })
  }
  if (value === null && isKindId(spec.id) && isSingle(spec.id)) return <span className="muted">{t('inherited')}</span>
  if (!about || value === null || value === undefined || isKept(value)) return <Plain value={value} />
  if (about.widget === 'ref' || about.widget === 'refs')
    return <Plain value={[value].flat().map(id => names[String(id)] ?? t('goneThing'))} />
  if (about.widget === 'rows' && about.columns && Array.isArray(value))
    return <Plain value={value.map(row => rowText(words, about.columns ?? [], row as Record<string, unknown>))} />
  return <Plain value={words.shown(about, value)} />
}
