'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'

/** Back to account and password, with the same target. `only`: there is nothing else to do. */
export function Again({ to, only = false }: { to: string; only?: boolean }) {
  const t = useTranslations('mfa')
  return (
    <Button
      kind={only ? 'primary' : 'ghost'}
      wide
      onClick={() => window.location.assign(`/login?to=${encodeURIComponent(to)}`)}
    >
      {t('back')}
    </Button>
  )
}
