import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { localPath } from '@/app/_ui/local-path'
import { pageSession } from '@/server/accounts/page-session'
import { signUpOpen } from '@/server/users/sign-ups'
import { LoginFrame } from './_parts/frame'
import { Forgotten } from './_parts/recovery-page'
import { LoginForm } from './login-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') }
}

export default async function LoginPage({ searchParams }: { searchParams: Promise<{ to?: string | string[] }> }) {
  const { runtime, session, wizardDone } = await pageSession()
  if (!wizardDone) redirect('/wizard')
  const to = localPath((await searchParams).to)
  if (session) redirect(to)
  return (
    <LoginFrame>
      <LoginForm to={to} host={(await headers()).get('host') ?? ''}>
        <Forgotten signUp={signUpOpen(runtime)} />
      </LoginForm>
    </LoginFrame>
  )
}
