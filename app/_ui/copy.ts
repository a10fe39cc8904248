'use client'
import { useTranslations } from 'next-intl'
import { toast } from './toast'

/** Copies a text, and says so. Browsers allow it over https and on this machine alone: `select` then marks it, to be copied by hand. */
export function useCopy(): (text: string, select?: () => void) => Promise<void> {
  const t = useTranslations('common')
  return async (text, select) => {
    select?.()
    const copied = navigator.clipboard?.writeText(text).then(() => true) ?? Promise.resolve(false)
    const done = await copied.catch(() => false)
    toast(done ? 'ok' : 'warn', t(done ? 'copied' : 'copyByHand'))
  }
}
