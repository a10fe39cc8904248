import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NextIntlClientProvider } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { pickMessages } from '@/app/_i18n/pick'
import { pageSession } from '@/server/people/sign-in/page-session'
import { LoginFrame } from '../_parts/frame'
import { Activation } from './_parts/activation'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('activation'))('title') }
}

/** Opened by the link of an invitation; the token stands behind `#`, so the server does not see it with the page. */
export default async function ActivatePage() {
  if (!(await pageSession()).wizardDone) redirect('/wizard')
  return (
    <LoginFrame>
      <NextIntlClientProvider messages={await pickMessages(['common', 'codes', 'errors', 'signIn', 'activation'])}>
        <Activation />
      </NextIntlClientProvider>
    </LoginFrame>
  )
}
