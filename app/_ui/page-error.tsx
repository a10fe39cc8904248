'use client'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Button } from './button'
import { EmptyState } from './states'

/** In the place of a page that failed while it was drawn; the shell around it lives on. */
export function PageError({ error }: { error: Error }) {
  const t = useTranslations('common')
  useEffect(() => console.error(error), [error])
  return (
    <div className="card" role="alert">
      <EmptyState title={t('pageFailed')}>
        <span className="muted">{t('pageFailedMore')}</span>
        <Button icon="refresh" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      </EmptyState>
    </div>
  )
}
