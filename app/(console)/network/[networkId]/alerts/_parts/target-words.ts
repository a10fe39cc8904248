import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { wordOr } from '@/app/_i18n/word'

export type Targets = CallOutput<'alerts/targets/list'>
export type Target = Targets['result'][number]

/** What went wrong, in our words and the service's own. */
export function useReason(): (told: { code: number; error: string; answer: string }) => string {
  const t = useTranslations('alerts.targets')
  const reasons = useTranslations('alerts.targets.reasons')
  return ({ code, error, answer }) => {
    const word = wordOr(reasons, error)
    const reason = code > 0 ? t('code', { reason: word, code }) : t('plain', { reason: word })
    return answer ? t('said', { reason, answer }) : reason
  }
}
