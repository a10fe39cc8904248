import { getLocale, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Logo } from '@/app/_ui/logo'
import packageJson from '@/package.json'
import { LanguagePick } from '../../_parts/language-pick'
import { languages } from '../../_parts/languages'
import { ThemeButton } from '../../_parts/theme-button'
import { BeaconRings } from './beacon-rings'

/** What every page before the session has around its form: the product at one side, language, theme and version at the other. */
export async function LoginFrame({ children }: { children: ReactNode }) {
  const t = await getTranslations('signIn')
  return (
    <div className="sign-in">
      <section className="sign-in-welcome" aria-label={t('product')}>
        <BeaconRings />
        <div className="sign-in-brand">
          <Logo />
          {t('product')}
        </div>
        <p className="claim">{t('claim')}</p>
        <p>{t('claimMore')}</p>
      </section>
      <main className="sign-in-body">
        <div className="sign-in-tools">
          <LanguagePick languages={languages} current={await getLocale()} />
          <ThemeButton />
        </div>
        {children}
        <div className="sign-in-foot">
          <span className="number">{t('version', { version: packageJson.version })}</span>
          <span>{t('local')}</span>
        </div>
      </main>
    </div>
  )
}
