import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NextIntlClientProvider } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { pickMessages } from '@/app/_i18n/pick'
import { pageSession } from '@/server/people/sign-in/page-session'
import { signUpOpen } from '@/server/people/users/sign-ups'
import { LoginFrame } from '../_parts/frame'
import { SignUpForm } from './sign-up-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signUp'))('title') }
}

/** There only where an administrator opened it: else an address like any that no screen has. */
export default async function SignUpPage() {
  const { runtime, session, wizardDone } = await pageSession()
  if (!wizardDone) redirect('/wizard')
  if (session || !signUpOpen(runtime)) redirect('/?denied=1')
  return (
    <LoginFrame>
      <NextIntlClientProvider messages={await pickMessages(['common', 'codes', 'errors', 'recovery', 'signUp'])}>
        <SignUpForm />
      </NextIntlClientProvider>
    </LoginFrame>
  )
}
