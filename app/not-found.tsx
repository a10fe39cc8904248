import { getTranslations } from 'next-intl/server'
import { LinkButton } from './_ui/button'

/** What answers 404 and is no page of the console: those lead home. */
export default async function NotFound() {
  const t = await getTranslations('common')
  return (
    <main className="lone">
      <section className="card">
        <h1>{t('notFound')}</h1>
        <p className="soft">{t('notFoundMore')}</p>
        <span className="row">
          <LinkButton kind="primary" href="/">
            {t('toHome')}
          </LinkButton>
        </span>
      </section>
    </main>
  )
}
