'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'
import { toast } from '@/app/_ui/toast'

type Brought = Pick<CallOutput<'clients/block'>, 'here' | 'waits'>
const named = 5

type More = {
  undo: () => Promise<unknown> /** It takes something off: where no device had it, nothing is left to do. */
  removes: boolean
}

/** Says what was done at once, and which devices do not have it yet and why. What no device has is not called done. */
export function useInForce(): (text: string, brought: Brought, more: More) => void {
  const t = useTranslations('clients.inForce')
  const words = useTranslations('clients.inForce.reasons')
  return (text, { here, waits }, { undo, removes }) => {
    const more = { undo: () => void undo().catch(() => undefined) }
    if (waits.length === 0)
      return here > 0 || removes
        ? toast('ok', text, more)
        : toast('warn', t('saved'), { detail: t('nowhere'), ...more })
    const each = waits
      .slice(0, named)
      .map(({ name, reason }) => t('one', { name, reason: wordOr(words, reason, t('reasons.other')) }))
    const rest = waits.length > named ? [t('more', { count: waits.length - named })] : []
    toast('warn', here > 0 ? text : t('saved'), { detail: [t('waits'), ...each, ...rest].join(' '), ...more })
  }
}
