import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { localPath } from '@/app/_ui/local-path'
import { Logo } from '@/app/_ui/logo'
import packageJson from '@/package.json'
import { pageSession } from '@/server/accounts/page-session'
import { LanguagePick } from '../_parts/language-pick'
import { languages } from '../_parts/languages'
import { ThemeButton } from '../_parts/theme-button'
import { BeaconRings } from './beacon-rings'
import { LoginForm } from './login-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') }
}

export default async function LoginPage({ searchParams }: { searchParams: Promise<{ to?: string | string[] }> }) {
  const { session, wizardDone } = await pageSession()
  if (!wizardDone) redirect('/wizard')
  const to = localPath((await searchParams).to)
  if (session) redirect(to)
  const t = await getTranslations('signIn')
  return (
    <div className="login">
      <section className="lp" aria-label={t('product')}>
        <BeaconRings />
        <div className="bb">
          <Logo />
          {t('product')}
        </div>
        <p className="claim">{t('claim')}</p>
        <p>{t('claimMore')}</p>
      </section>
      <main className="rp">
        <div className="t">
          <LanguagePick languages={languages} current={await getLocale()} />
          <ThemeButton />
        </div>
        <LoginForm to={to} host={(await headers()).get('host') ?? ''} />
        <div className="ft">
          <span className="num">{t('version', { version: packageJson.version })}</span>
          <span>{t('local')}</span>
        </div>
      </main>
    </div>
  )
}
