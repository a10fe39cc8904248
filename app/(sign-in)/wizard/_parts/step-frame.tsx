'use client'
import { useTranslations } from 'next-intl'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '@/app/_ui/button'

type Props = {
  title: string
  intro: string
  onSubmit: () => void
  onBack?: () => void
  onSkip?: () => void
  action?: string
  hint?: string
  busy?: boolean
  disabled?: boolean
  children: ReactNode
}

/** A step's page with its bar: back, skip, and the one way on. */
export function StepFrame({ title, intro, onSubmit, onBack, onSkip, action, hint, busy, disabled, children }: Props) {
  const t = useTranslations('wizard')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <form className="contents" onSubmit={send} noValidate>
      <main className="wizard-main">
        <h1>{title}</h1>
        <p>{intro}</p>
        {children}
      </main>
      <footer className="wizard-foot">
        {onBack && <Button onClick={onBack}>{t('back')}</Button>}
        {hint && <span className="muted fine-print no-phone">{hint}</span>}
        <span className="end" />
        {onSkip && (
          <Button kind="ghost" onClick={onSkip}>
            {t('skip')}
          </Button>
        )}
        <Button type="submit" kind="primary" busy={busy} disabled={disabled}>
          {action ?? t('continue')}
        </Button>
      </footer>
    </form>
  )
}
