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

/** What owns a block, by its kind's name: "Wi-Fi network “Café”". The page gives the kinds' names as words. */
export function useOwner(): (kind: string | undefined, name: string) => string | undefined {
  const kinds = useTranslations('kinds' as 'wifi')
  return useCallback(
    (kind, name) => {
      if (!kind || !name) return undefined
      return `${kindName(kinds, kind)} “${name}”`
    },
    [kinds],
  )
}

const kindName = (kinds: ReturnType<typeof useTranslations<'wifi'>>, kind: string) =>
  kinds.has(kind as 'ssid.one') ? kinds(kind as 'ssid.one') : kind

/** What was saved: a document by its name, a single by its kind and the group or device it is of. */
export function useSavedName(): (kind: string, name: string) => string {
  const kinds = useTranslations('kinds' as 'wifi')
  const owner = useOwner()
  return (kind, name) => owner(kind, name) ?? kindName(kinds, kind)
}
