import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getTranslations } from 'next-intl/server'
import { pickMessages } from '@/app/_i18n/pick'
import { pageSession } from '@/server/people/sign-in/page-session'
import { languages } from '../_parts/languages'
import { Wizard } from './_parts/wizard'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('wizard'))('title') }
}

type Props = { searchParams: Promise<{ push?: string | string[] }> }

/** The first start. Once finished it opens only for the push it began, for whom signed in by it. */
export default async function WizardPage({ searchParams }: Props) {
  const { session, wizardDone } = await pageSession()
  const { push } = await searchParams
  const networkId = session?.actor.network
  const pushed = networkId && typeof push === 'string' ? { job: push, networkId } : undefined
  if (wizardDone && pushed === undefined) redirect('/')
  const messages = await pickMessages([
    'common',
    'codes',
    'errors',
    'signIn',
    'wizard',
    'adoption',
    'reasons',
    'change',
  ])
  return (
    <NextIntlClientProvider messages={messages}>
      <Wizard languages={languages} locale={await getLocale()} push={pushed} />
    </NextIntlClientProvider>
  )
}
