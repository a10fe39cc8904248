'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { wordOr } from '@/app/_i18n/word'
import { isKindId, isSingle } from '@/model/registry'

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

const kindName = (kinds: ReturnType<typeof useTranslations<'wifi'>>, kind: string) => wordOr(kinds, kind)

/** What was saved: a document by its name, a single by its kind and the group or device it is of. */
export function useSavedName(): (kind: string, name: string) => string {
  const kinds = useTranslations('kinds' as 'wifi')
  const t = useTranslations('change')
  const owner = useOwner()
  return (kind, name) =>
    name && isKindId(kind) && isSingle(kind)
      ? t('ofScope', { kind: kindName(kinds, kind), name })
      : (owner(kind, name) ?? kindName(kinds, kind))
}
