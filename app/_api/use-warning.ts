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
