'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'

export function SignOutButton() {
  const t = useTranslations('signIn')
  const leave = () =>
    callApi('logout', {}, { quiet: true })
      .catch(() => undefined)
      .then(() => window.location.assign('/login'))
  return <Button onClick={leave}>{t('otherAccount')}</Button>
}
