'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useFailureText, useFieldText } from '@/app/_api/words'
import { Button, LinkButton } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'

/** The name under which an organization's identity provider is set up here; then its page opens (rule A2). */
export function SsoForm({ to, onPassword }: { to: string; onPassword: () => void }) {
  const t = useTranslations('signIn')
  const text = useFailureText()
  const fieldText = useFieldText()
  const [registrationId, setIdentifier] = useState('')
  const [failure, setFailure] = useState<ApiError>()
  const [empty, setEmpty] = useState(false)
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      const { url } = await callApi('sso/redirect', { registrationId, to }, { quiet: true })
      window.location.assign(url)
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError) setFailure(error)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const missing = registrationId.trim() === ''
    setEmpty(missing)
    setFailure(undefined)
    if (missing) return document.getElementById('login-identifier')?.focus()
    void go()
  }
  const wrong = failure?.fields.registrationId
  return (
    <form className="sign-in-form" onSubmit={send} noValidate>
      <div>
        <h1>{t('sso.title')}</h1>
        <p>{t('sso.help')}</p>
      </div>
      {failure && wrong === undefined && <Note tone="warn" alert title={text(failure)} />}
      <TextField
        id="login-identifier"
        label={t('sso.identifier')}
        help={t('sso.identifierHelp')}
        autoComplete="organization"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={registrationId}
        onChange={setIdentifier}
        error={empty ? t('required') : wrong && fieldText(wrong)}
      />
      <Button type="submit" kind="primary" wide busy={busy}>
        {t('sso.go')}
      </Button>
      <Button kind="ghost" wide onClick={onPassword}>
        {t('sso.password')}
      </Button>
    </form>
  )
}

/** The way back from the identity provider: its ticket is good once, in this browser. */
export function SsoReturn({ ticket, to }: { ticket: string; to: string }) {
  const t = useTranslations('signIn.sso')
  const text = useFailureText()
  const [failure, setFailure] = useState<ApiError>()
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    callApi('login', { ssoToken: ticket }, { quiet: true }).then(
      () => window.location.replace(to),
      error => error instanceof ApiError && setFailure(error),
    )
  }, [ticket, to])
  return (
    <div className="sign-in-form">
      <h1>{failure ? t('refused') : t('running')}</h1>
      {failure ? (
        <>
          <Note tone="warn" alert title={text(failure)} />
          <LinkButton wide href={`/login?to=${encodeURIComponent(to)}`}>
            {t('again')}
          </LinkButton>
        </>
      ) : (
        <p role="status">{t('moment')}</p>
      )}
    </div>
  )
}

/** Seen by few, and a dialog is as much as the rest of the page. */
export const SsoRefused = dynamic(async () => (await import('./sso-refused')).SsoRefused)
