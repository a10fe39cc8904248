'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Age, Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import type { Scope } from './key-rows'

/** Says whether scripts may ask who is where, and until when; the super administrator turns it here. */
export function PresenceMode({ presence, mayTurn }: Pick<Scope, 'presence' | 'mayTurn'>) {
  const t = useTranslations('api.presence')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { enabled, askedAt, endsAt } = presence
  const turnOn = async () => {
    setBusy(true)
    // Why it failed is told by a toast.
    const done = await callApi('developer-api/save', { presence: true }).catch(() => undefined)
    if (done) toast('ok', t('turnedOn'))
    await whenRenewed()
    setBusy(false)
  }
  const action = enabled ? (
    <Button onClick={() => setAsking(true)}>{t('turnOff')}</Button>
  ) : (
    <Button busy={busy} onClick={() => void turnOn()}>
      {t('turnOn')}
    </Button>
  )
  return (
    <>
      <Note tone={enabled ? 'ok' : 'info'} title={t(`title.${enabled ? 'on' : 'off'}`)} actions={mayTurn && action}>
        {t(enabled ? 'on' : 'off')}{' '}
        {endsAt !== undefined && t.rich('ends', { time: () => <Moment key="ends" at={endsAt} /> })}{' '}
        {askedAt !== undefined && t.rich('asked', { time: () => <Age key="asked" at={askedAt} /> })}
      </Note>
      {asking && (
        <ActDialog
          call="developer-api/save"
          input={{ presence: false }}
          done={t('turnedOff')}
          danger
          onClose={() => setAsking(false)}
          title={t('offTitle')}
          consequences={[t('offWhat')]}
          action={t('turnOff')}
        />
      )}
    </>
  )
}
