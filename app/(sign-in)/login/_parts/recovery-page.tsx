import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Link } from '@/app/_ui/link'
import { mailReady } from '@/server/mail/server'
import { pageSession } from '@/server/people/sign-in/page-session'
import { LoginFrame } from './frame'

/** For whoever cannot sign in. Without a mail server nothing could be sent: the page says how it goes then. */
export async function RecoveryPage({ children }: { children: ReactNode }) {
  const { runtime, wizardDone } = await pageSession()
  if (!wizardDone) redirect('/wizard')
  return <LoginFrame>{mailReady(runtime) ? children : <WithoutMail />}</LoginFrame>
}

async function WithoutMail() {
  const t = await getTranslations('recovery')
  return (
    <div className="sign-in-form">
      <div>
        <h1>{t('without.title')}</h1>
        <p>{t('without.more')}</p>
      </div>
      <p>
        <code className="ip">lanward reset-password ACCOUNT</code>
      </p>
      <p>
        <Link href="/login">{t('back')}</Link>
      </p>
    </div>
  )
}

/** Below the sign-in. `signUp`: an administrator let people ask for an account. */
export async function Forgotten({ signUp }: { signUp: boolean }) {
  const t = await getTranslations('recovery')
  return (
    <p className="row wrapping gap-x-4">
      <Link href="/login/forgot-password">{t('forgotPassword.link')}</Link>
      <Link href="/login/forgot-username">{t('forgotUsername.link')}</Link>
      {signUp && <Link href="/login/sign-up">{(await getTranslations('signUp'))('link')}</Link>}
    </p>
  )
}
