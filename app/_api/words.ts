'use client'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { wordOr } from '@/app/_i18n/word'
import { codes } from '@/model/codes'
import type { ApiError } from './client'

type Values = Record<string, string | number>

const plain = (data: Record<string, unknown>): Values =>
  Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string | number] => /string|number/.test(typeof entry[1])),
  )

const rightsCodes: readonly number[] = [codes.noAuthority, codes.notInShared]

/** Whoever may not look a device up is told so of the device (specification section 6). */
const isDeviceRefused = ({ kind, path, retCode }: ApiError) =>
  /^devices\//.test(path) && (kind === 'forbidden' || rightsCodes.includes(retCode))

/** A failed call in one sentence. */
export function useFailureText(): (error: ApiError) => string {
  const t = useTranslations('common.failure')
  const codes = useTranslations('codes')
  return useCallback(
    (error: ApiError) => {
      if (isDeviceRefused(error)) return t('device')
      if (error.kind !== 'refused') return t(error.kind)
      const key = String(error.retCode)
      return wordOr(codes, key, t('code', { code: error.retCode }), plain(error.data))
    },
    [t, codes],
  )
}

/** The message at a field, from its key and what its words need: `fieldText('tooLong', {max: 32})`. */
export function useFieldText(): (key: string, values?: Values) => string {
  const t = useTranslations('errors')
  return useCallback(
    (key, values = {}) => {
      const numbers = { min: values.min ?? '', max: values.max ?? '', ...values }
      if (key === 'tooSmall' && values.max === undefined) return t('atLeast', numbers)
      return wordOr(t, key, t('invalid'), numbers)
    },
    [t],
  )
}

/** Messages at fields of a refused call, worded: {name: "…"}; empty when the call was refused for another reason. */
export function useFieldErrors(): (error: unknown) => Record<string, string> {
  const text = useFieldText()
  return useCallback(
    (error: unknown) => {
      const { fields, values, more } = (error ?? {}) as Partial<ApiError>
      const wordsOf = ([name, key]: [string, string]) =>
        [name, [key, ...(more?.[name] ?? [])].map(one => text(one, values?.[name])).join(' ')] as const
      return Object.fromEntries(Object.entries(fields ?? {}).map(wordsOf))
    },
    [text],
  )
}

const system: Record<string, keyof typeof codes> = {
  ENOSPC: 'storageFull',
  EROFS: 'storageFull',
  SQLITE_FULL: 'storageFull',
}

/** Why something of the manager failed: the name of a code in its words, a device's reason, or the system's own word. */
export function useReasonText(): (reason: string) => string {
  const words = useTranslations('codes')
  const reasons = useTranslations('reasons')
  return useCallback(
    reason => {
      const code = String(codes[system[reason] ?? (reason as keyof typeof codes)])
      return wordOr(words, code, wordOr(reasons, `${reason}.title`, reason))
    },
    [words, reasons],
  )
}
