'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/app/_ui/button'

/** From where devices send their log to a while in which it is received here. */
export function CapturesLink() {
  const t = useTranslations('logs.captures')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <LinkButton small href={`/network/${networkId}/settings/system/syslog/detail`}>
      {t('open')}
    </LinkButton>
  )
}
