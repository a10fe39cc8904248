import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { useCopy } from '@/app/_ui/copy-dialog'
import { recipe } from './hook-recipe'

/** How a receiver tells what is from here, and how it is asked. */
export function HookCheck() {
  const t = useTranslations('webhooks.check')
  const copy = useCopy()
  return (
    <section className="card" aria-label={t('title')}>
      <header>
        <h2>{t('title')}</h2>
        <span className="end">
          <Button small kind="ghost" icon="copy" onClick={() => void copy(recipe)}>
            {t('copy')}
          </Button>
        </span>
      </header>
      <div className="padded call-more" style={{ paddingBlockStart: 14 }}>
        <p className="soft">{t('help')}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, by the keyboard, too. */}
        <pre dir="ltr" tabIndex={0}>
          {recipe}
        </pre>
      </div>
    </section>
  )
}
