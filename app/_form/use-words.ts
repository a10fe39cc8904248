'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useClock } from '@/app/_ui/clock'
import { weekWords } from './slot-words'
import type { FieldSpec, KindSpec } from './spec'
import { isKept } from './values'

type Reading = (field: FieldSpec, value: unknown) => string

/** The words of one kind: locales/<lang>/<area>.json under its id. */
export function useWords(spec: Pick<KindSpec, 'area' | 'id'>) {
  const t = useTranslations(spec.area as 'form')
  const form = useTranslations('form')
  const clock = useClock()
  const locale = useLocale()
  return useMemo(() => {
    const key = (path: string) => `${spec.id}.${path}` as Parameters<typeof t>[0]
    const word = (path: string, values?: Record<string, string | number>) => t(key(path), values)
    const maybe = (path: string) => (t.has(key(path)) ? t(key(path)) : undefined)
    const chosen = (field: FieldSpec, value: unknown) =>
      field.choices ? choice(field.key, String(value)) : String(value)
    const entries = (_: FieldSpec, value: unknown) => form('entries', { count: (value as unknown[]).length })
    const read: Partial<Record<FieldSpec['widget'], Reading>> & { text: Reading } = {
      text: chosen,
      number: (field, value) => (value === 0 && maybe(`fields.${field.key}.zero`)) || String(value),
      switch: (field, value) => maybe(`fields.${field.key}.${value ? 'on' : 'off'}`) ?? String(value),
      checks: (field, value) => (value as unknown[]).map(one => choice(field.key, String(one))).join(', '),
      instant: (_, value) => clock.dateTime(Date.parse(String(value))),
      lines: (_, value) => (value as string[]).join(', '),
      ports: (_, value) => (Array.isArray(value) ? value.join(', ') : String(value)),
      weekSlots: (_, value) => weekWords(String(value), locale, clock.style.hour) || form('slots.always'),
      rows: entries,
      refs: entries,
    }
    const choice = (field: string, value: string) => maybe(`fields.${field}.choices.${value}`) ?? value
    return {
      word,
      maybe,
      choice,
      label: (field: string) => word(`fields.${field}.label`),
      help: (field: string) => maybe(`fields.${field}.help`),
      /** A value as a person reads it; empty for none. */
      shown: (field: FieldSpec, value: unknown): string =>
        value === undefined || value === '' || isKept(value) ? '' : (read[field.widget] ?? read.text)(field, value),
    }
  }, [t, form, clock, locale, spec.id])
}
export type Words = ReturnType<typeof useWords>
