'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { AccessLeft, useAccessLeft } from '@/app/_ui/access-left'
import { Button, LinkButton } from '@/app/_ui/button'
import { NewPassword, useNewPassword } from '@/app/_ui/new-password'
import { Note } from '@/app/_ui/note'
import { BackToSignIn } from '../_parts/ask-form'

/** A new password by the token in the address, behind `#`: it never went over the net to get here. */
export function ResetForm() {
  const t = useTranslations('recovery.reset')
  const [token, setToken] = useState<string>()
  const [done, setDone] = useState(false)
  const entry = useNewPassword()
  const access = useAccessLeft(useCall('auth/reset-password/access', token ? { token } : null).data)
  const { errors, busy, run } = useSubmit<'reset'>()
  useEffect(() => {
    setToken(window.location.hash.slice(1))
    // Neither the history nor a bookmark needs it.
    window.history.replaceState(null, '', window.location.pathname)
  }, [])
  const send = () => {
    if (!token || !entry.check()) return
    void run('reset', async () => {
      await callApi('auth/reset-password', { token, ...entry.values, ...access.values })
      setDone(true)
    })
  }
  return (
    <form
      className="sign-in-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <div>
        <h1>{t('title')}</h1>
        <p>{t('more')}</p>
      </div>
      {done && (
        <Note tone="ok" alert title={t('done')}>
          {t('doneMore')}
        </Note>
      )}
      {token === '' && (
        <Note tone="warn" alert title={t('noToken')}>
          {t('noTokenMore')}
        </Note>
      )}
      {!done && token !== '' && (
        <>
          <NewPassword entry={entry} errors={errors} />
          <AccessLeft entry={access} />
          <Button type="submit" kind="primary" wide busy={busy !== undefined}>
            {t('submit')}
          </Button>
        </>
      )}
      {done ? (
        <LinkButton kind="primary" wide href="/login">
          {t('signIn')}
        </LinkButton>
      ) : (
        <BackToSignIn />
      )}
    </form>
  )
}
