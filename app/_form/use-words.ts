'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { FieldSpec, FormSpec } from './spec'
import { isKept } from './values'

/** The words of one kind: locales/<lang>/<area>.json under its id. */
export function useWords(spec: Pick<FormSpec, 'area' | 'id'>) {
  const t = useTranslations(spec.area as 'form')
  return useMemo(() => {
    const key = (path: string) => `${spec.id}.${path}` as Parameters<typeof t>[0]
    const word = (path: string, values?: Record<string, string | number>) => t(key(path), values)
    const maybe = (path: string) => (t.has(key(path)) ? t(key(path)) : undefined)
    const choice = (field: string, value: string) => maybe(`fields.${field}.choices.${value}`) ?? value
    return {
      word,
      maybe,
      choice,
      label: (field: string) => word(`fields.${field}.label`),
      help: (field: string) => maybe(`fields.${field}.help`),
      /** A value as a person reads it; empty for none. */
      shown(field: FieldSpec, value: unknown): string {
        if (value === undefined || value === '' || isKept(value)) return ''
        if (typeof value === 'boolean') return maybe(`fields.${field.key}.${value ? 'on' : 'off'}`) ?? String(value)
        if (Array.isArray(value)) return value.map(one => choice(field.key, String(one))).join(', ')
        return field.choices ? choice(field.key, String(value)) : String(value)
      },
    }
  }, [t, spec.id])
}
export type Words = ReturnType<typeof useWords>
