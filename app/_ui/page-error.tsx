'use client'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'

/**
 * In the place of a page that failed while it was drawn; the shell around it lives on. It comes with every page, and once
 * more beside what the page itself is made of: so it is made of nothing.
 */
export function PageError({ error }: { error: Error }) {
  const t = useTranslations('common')
  useEffect(() => console.error(error), [error])
  return (
    <div className="card" role="alert">
      <div className="empty">
        <b className="medium">{t('pageFailed')}</b>
        <span className="muted">{t('pageFailedMore')}</span>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          {t('reload')}
        </button>
      </div>
    </div>
  )
}
