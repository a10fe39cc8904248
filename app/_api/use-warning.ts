'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'

/** A warning of a plan in words; the bare code where there are none. */
export function useWarning(): (warning: { code: string; values?: Record<string, string | number> }) => string {
  const t = useTranslations('change.warnings')
  return useCallback(
    ({ code, values }) => {
      const key = code as 'noRadio'
      return t.has(key) ? t(key, values as never) : code
    },
    [t],
  )
}

/** What to do about a warning of a plan; empty where its words say it already, or nothing can be done. */
export function useAdvice(): (warning: { code: string; values?: Record<string, string | number> }) => string {
  const t = useTranslations('change.advice')
  return useCallback(
    ({ code, values = {} }) => {
      const said = (key: string) => t.has(key as 'noRadio') && typeof t.raw(key as 'noRadio') === 'string'
      // Some is for all of a group, such as what a port cannot do.
      const key = [code, code.split('.')[0] ?? code].find(said) as 'noRadio' | undefined
      // Of a push from before they were kept the values are missing.
      const whole = key && (Object.keys(values).length > 0 || !String(t.raw(key)).includes('{'))
      return whole ? t(key, values as never) : ''
    },
    [t],
  )
}
