'use client'
import { useTranslations } from 'next-intl'
import type { ApiError } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import { Note } from '@/app/_ui/note'

/** Why a sign-in was refused, and how many tries are left. */
export function Refusal({ error }: { error: ApiError }) {
  const t = useTranslations('signIn')
  const text = useFailureText()
  const { lockStatus, remainCount } = error.data as Record<string, number | undefined>
  return (
    <Note tone="warn" alert title={text(error)}>
      {lockStatus === 1 && remainCount !== undefined && (
        <span className="fine-print">{t('remaining', { count: remainCount })}</span>
      )}
    </Note>
  )
}

/** Counts down to when this account may be tried again; another account may be tried meanwhile. */
export function Locked({ seconds }: { seconds: number }) {
  const t = useTranslations('signIn')
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <div className="grid gap-2">
      <Note tone="bad" alert title={t('locked')} />
      <p role="timer" className="number soft">
        {t('lockedFor', { left })}
      </p>
    </div>
  )
}
