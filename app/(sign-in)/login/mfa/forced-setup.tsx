'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useSubmit } from '@/app/_api/use-submit'
import { useFailureText } from '@/app/_api/words'
import { CodeField } from '@/app/_shared/mfa/code-fields'
import { RecoveryCodes } from '@/app/_shared/mfa/recovery-codes'
import { type Shown, ShownSecret } from '@/app/_shared/mfa/shown-secret'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { SkeletonLines } from '@/app/_ui/states'
import { codes } from '@/model/codes'
import { Again } from './again'

/** A new secret, once a visit. */
function useShown() {
  const [shown, setShown] = useState<Shown>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    const leave = new AbortController()
    callApi('mfa/setup', {}, { quiet: true, signal: leave.signal }).then(setShown, failure => {
      if (failure instanceof ApiError) setError(failure)
    })
    return () => leave.abort()
  }, [])
  return { shown, error }
}

/** Everybody here must have a second factor: picture, code, recovery codes, then the console. */
export function ForcedSetup({ to }: { to: string }) {
  const t = useTranslations('mfa')
  const text = useFailureText()
  const { shown, error } = useShown()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  if (recoveryCodes) return <Kept codes={recoveryCodes} to={to} />
  if (error?.retCode === codes.mfaOn) return <Already to={to} />
  return (
    <div className="sign-in-form">
      <div>
        <h1>{t('setupTitle')}</h1>
        <p>{t('setupWhy')}</p>
      </div>
      {error ? <Note tone="warn" alert title={text(error)} /> : !shown && <SkeletonLines lines={6} />}
      {shown && <Confirm shown={shown} onDone={setRecoveryCodes} />}
      <Again to={to} />
    </div>
  )
}

function Confirm({ shown, onDone }: { shown: Shown; onDone: (codes: readonly string[]) => void }) {
  const t = useTranslations('mfa')
  const [code, setCode] = useState('')
  const { errors, busy, run } = useSubmit<'enable'>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('enable', async () => onDone((await callApi('mfa/enable', { code }, { quiet: true })).recoveryCodes))
  }
  return (
    <form className="contents" onSubmit={submit} noValidate>
      <ShownSecret shown={shown} />
      <CodeField value={code} onChange={setCode} error={errors.code} />
      <Button type="submit" kind="primary" wide busy={busy !== undefined}>
        {t('confirm')}
      </Button>
    </form>
  )
}

function Kept({ codes, to }: { codes: readonly string[]; to: string }) {
  const t = useTranslations('mfa')
  return (
    <div className="sign-in-form">
      <h1>{t('codesTitle')}</h1>
      <RecoveryCodes codes={codes} />
      <Button kind="primary" wide onClick={() => window.location.assign(to)}>
        {t('kept')}
      </Button>
    </div>
  )
}

function Already({ to }: { to: string }) {
  const t = useTranslations('mfa')
  const again = () => window.location.assign(`/login?to=${encodeURIComponent(to)}`)
  return (
    <Dialog
      open
      onClose={again}
      title={t('already')}
      footer={
        <Button kind="primary" onClick={again}>
          {t('back')}
        </Button>
      }
    >
      <p>{t('alreadyMore')}</p>
    </Dialog>
  )
}
