'use client'
import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import { Unsupported } from '@/app/_ui/value'

type Props = { driver?: string; words?: boolean }

/** The device answered and did not say this: neither zero nor unknown. `words` for a whole part. */
export function NotProvided({ driver, words }: Props) {
  const t = useTranslations('devices')
  const why = t('notProvided', {
    driver: wordOr(t, `driver.${driver}`, t('detail.label')),
  })
  return words ? why : <Unsupported why={why} />
}
