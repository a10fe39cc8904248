import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { localPath } from '@/app/_ui/local-path'
import { directoryEnabled } from '@/server/people/federation/ldap/enabled'
import { ssoEnabled } from '@/server/people/federation/saml/enabled'
import { pageSession } from '@/server/people/sign-in/page-session'
import { signUpOpen } from '@/server/people/users/sign-ups'
import { LoginFrame } from './_parts/frame'
import { Forgotten } from './_parts/recovery-page'
import { SsoRefused, SsoReturn } from './sso'
import { Ways } from './ways'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') }
}

type Query = Partial<Record<'to' | 'sso' | 'ssoError' | 'ended', string | string[]>>

/** The codes that sso/acs sends a browser back with (specification 2-rules.md section 8). */
const isSsoCode = (text: string | string[] | undefined): text is string =>
  typeof text === 'string' && /^11101(0[5-9]|1[0-5])$/.test(text) && text !== '1110106'

export default async function LoginPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { runtime, session, wizardDone } = await pageSession()
  if (!wizardDone) redirect('/wizard')
  const { to: wanted, sso, ssoError, ended } = await searchParams
  const to = localPath(wanted)
  if (typeof sso === 'string' && sso !== '')
    return (
      <LoginFrame>
        <SsoReturn ticket={sso.slice(0, 64)} to={to} />
      </LoginFrame>
    )
  if (session) redirect(to)
  return (
    <LoginFrame>
      <Ways
        to={to}
        host={(await headers()).get('host') ?? ''}
        sso={ssoEnabled(runtime.db)}
        directory={directoryEnabled(runtime.db)}
        ended={ended === '1'}
      >
        <Forgotten signUp={signUpOpen(runtime)} />
      </Ways>
      {isSsoCode(ssoError) && <SsoRefused code={ssoError} />}
    </LoginFrame>
  )
}
