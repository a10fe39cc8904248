'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'
import { toast } from '@/app/_ui/toast'

type Brought = Pick<CallOutput<'clients/block'>, 'here' | 'waits'>
const namedInToast = 5

type More = {
  undo: () => Promise<unknown> /** It takes something off: where no device had it, nothing is left to do. */
  removes: boolean
}

/** A sentence for each device that does not have it yet, with the reason; beyond `most` how many more there are. */
export function useWaits(): (waits: Brought['waits'], most: number) => string[] {
  const t = useTranslations('clients.inForce')
  const words = useTranslations('clients.inForce.reasons')
  return (waits, most) => {
    const each = waits
      .slice(0, most)
      .map(({ name, reason }) => t('one', { name, reason: wordOr(words, reason, t('reasons.other')) }))
    return waits.length > most ? [...each, t('more', { count: waits.length - most })] : each
  }
}

/** Says what was done at once, and which devices do not have it yet and why. What no device has is not called done. */
export function useInForce(): (text: string, brought: Brought, more: More) => void {
  const t = useTranslations('clients.inForce')
  const told = useWaits()
  return (text, { here, waits }, { undo, removes }) => {
    const more = { undo: () => void undo().catch(() => undefined) }
    if (waits.length === 0)
      return here > 0 || removes
        ? toast('ok', text, more)
        : toast('warn', t('saved'), { detail: t('nowhere'), ...more })
    const detail = [t('waits'), ...told(waits, namedInToast)].join(' ')
    toast('warn', here > 0 ? text : t('saved'), { detail, ...more })
  }
}
