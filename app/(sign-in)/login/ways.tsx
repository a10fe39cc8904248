'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { LoginForm } from './login-form'
import { SsoForm } from './sso'

type Props = { to: string; host: string; sso: boolean; directory: boolean; ended: boolean; children?: ReactNode }

/** The ways to sign in, one at a time: by password, or, where one is set up, by an identity provider. */
export function Ways({ to, host, sso, directory, ended, children }: Props) {
  const t = useTranslations('signIn.sso')
  const [chosen, choose] = useState<'password' | 'sso'>('password')
  if (chosen === 'sso') return <SsoForm to={to} onPassword={() => choose('password')} />
  return (
    <LoginForm to={to} host={host} directory={directory} ended={ended}>
      {sso && (
        <Button kind="ghost" wide onClick={() => choose('sso')}>
          {t('offer')}
        </Button>
      )}
      {children}
    </LoginForm>
  )
}
