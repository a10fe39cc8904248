import { getTranslations } from 'next-intl/server'

/** What answers 404 and is no page of the console: those lead home. */
export default async function NotFound() {
  const t = await getTranslations('common')
  return (
    <main className="lone">
      <section className="card">
        <h1>{t('notFound')}</h1>
        <p className="soft">{t('notFoundMore')}</p>
        <span className="row">
          {/* No link of the router's: with this page every other would load that code a second time. */}
          <a className="button primary" href="/">
            {t('toHome')}
          </a>
        </span>
      </section>
    </main>
  )
}
