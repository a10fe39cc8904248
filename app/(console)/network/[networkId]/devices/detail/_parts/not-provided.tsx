'use client'
import { useTranslations } from 'next-intl'
import { Unsupported } from '@/app/_ui/value'

type Props = { driver?: string; words?: boolean }

/** The device answered and did not say this: neither zero nor unknown. `words` for a whole part. */
export function NotProvided({ driver, words }: Props) {
  const t = useTranslations('devices')
  const why = t('notProvided', {
    driver: driver && t.has(`driver.${driver}`) ? t(`driver.${driver}`) : t('detail.label'),
  })
  return words ? why : <Unsupported why={why} />
}
