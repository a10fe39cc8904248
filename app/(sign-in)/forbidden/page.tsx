import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { LinkButton } from '@/app/_ui/button'
import { SignOutButton } from './sign-out-button'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('forbidden') }
}

/** Codes 20011 and 20008: signed in, but nothing here may be opened. */
export default async function ForbiddenPage() {
  const t = await getTranslations('signIn')
  return (
    <main className="lone">
      <section className="card">
        <h1>{t('forbidden')}</h1>
        <p className="soft">{t('forbiddenMore')}</p>
        <span className="row">
          <SignOutButton />
          <LinkButton kind="primary" href="/">
            {t('home')}
          </LinkButton>
        </span>
      </section>
    </main>
  )
}
