import { useTranslations } from 'next-intl'

/** Words for a reason why a device does not answer or refused, and what to do about it. */
export function useReason(): (reason: string) => { title: string; advice: string } {
  const t = useTranslations('reasons')
  return reason => ({
    title: t.has(`${reason}.title`) ? t(`${reason}.title`) : reason,
    advice: t.has(`${reason}.advice`) ? t(`${reason}.advice`) : '',
  })
}
