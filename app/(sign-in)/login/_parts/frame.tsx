import { getLocale, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { Logo } from '@/app/_ui/logo'
import packageJson from '@/package.json'
import { LanguagePick } from '../../_parts/language-pick'
import { languages } from '../../_parts/languages'
import { ThemeButton } from '../../_parts/theme-button'
import { BeaconRings } from '../beacon-rings'

/** What every page before the session has around its form: the product at one side, language, theme and version at the other. */
export async function LoginFrame({ children }: { children: ReactNode }) {
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
        {children}
        <div className="ft">
          <span className="num">{t('version', { version: packageJson.version })}</span>
          <span>{t('local')}</span>
        </div>
      </main>
    </div>
  )
}
