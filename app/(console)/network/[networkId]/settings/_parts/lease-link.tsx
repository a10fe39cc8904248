'use client'
import { useTranslations } from 'next-intl'
import { LinkButton } from '@/app/_ui/button'

/** From the LAN's networks to the addresses that they lease out. */
export function LeaseLink({ networkId }: { networkId: number }) {
  const t = useTranslations('lan.dhcpLeases')
  return (
    <div className="row mt-4">
      <LinkButton href={`/network/${networkId}/settings/lan/leases`}>{t('open')}</LinkButton>
    </div>
  )
}
