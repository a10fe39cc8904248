import { useTranslations } from 'next-intl'
import { type Check, causeOf, stateOf } from '@/model/troubleshooting/client-check'

/** What the checks come to, in a word or two; undefined while they run. */
export function useVerdict(): (checks: readonly Check[]) => string | undefined {
  const t = useTranslations('clientCheck')
  return checks => {
    if (!checks.some(one => one.what === 'wan')) return undefined
    const cause = causeOf(checks) ?? checks.find(one => stateOf(one) === 'fair')
    return cause ? t('list.cause', { check: t(`checks.${cause.what}`) }) : t('list.fine')
  }
}
