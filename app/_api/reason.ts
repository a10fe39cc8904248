import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'

/** Words for a reason why a device does not answer or refused, and what to do about it. */
export function useReason(): (reason: string) => { title: string; advice: string } {
  const t = useTranslations('reasons')
  return reason => ({
    title: wordOr(t, `${reason}.title`, reason),
    advice: wordOr(t, `${reason}.advice`, ''),
  })
}
