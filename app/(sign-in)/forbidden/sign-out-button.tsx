'use client'
import { useTranslations } from 'next-intl'
import { endSessions } from '@/app/_api/sign-out'
import { Button } from '@/app/_ui/button'

export function SignOutButton() {
  const t = useTranslations('signIn')
  return <Button onClick={endSessions}>{t('otherAccount')}</Button>
}
