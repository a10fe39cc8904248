'use client'
import { useTranslations } from 'next-intl'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
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

/** Enter in a closed picker goes on, as in every other field; space and the arrows open it. Heard before the picker does. */
function goOnFromPicker(event: KeyboardEvent<HTMLFormElement>): void {
  const picker = (event.target as Element).closest('button[aria-haspopup], [role="combobox"]')
  if (event.key !== 'Enter' || !picker || picker.getAttribute('aria-expanded') === 'true') return
  event.preventDefault()
  event.stopPropagation()
  event.currentTarget.requestSubmit()
}

/** A step's page with its bar: back, skip, and the one way on. */
export function StepFrame({ title, intro, onSubmit, onBack, onSkip, action, hint, busy, disabled, children }: Props) {
  const t = useTranslations('wizard')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <form className="contents" onSubmit={send} onKeyDownCapture={goOnFromPicker} noValidate>
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
