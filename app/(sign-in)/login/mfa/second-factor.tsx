'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { CodeFields, noFactor } from '@/app/_shared/mfa/code-fields'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { SkeletonLines } from '@/app/_ui/states'
import { Locked, Refusal } from '../_parts/refusal'
import { Again } from './again'
import { ForcedSetup } from './forced-setup'

/** After the password: the code, or setting the second factor up where everybody must have one. */
export function SecondFactor({ to }: { to: string }) {
  // Asked once: what is on the page outlives the answer, as recovery codes do.
  const { data, error } = useCall('auth/pending-factor', {}, { keep: false, swr: { revalidateOnReconnect: false } })
  const text = useFailureText()
  const t = useTranslations('mfa')
  if (error)
    return (
      <div className="sign-in-form">
        <h1>{t('title')}</h1>
        <Note tone="warn" alert title={text(error)} />
        <Again to={to} only />
      </div>
    )
  if (!data) return <SkeletonLines lines={4} />
  return data.wanted === 'setup' ? <ForcedSetup to={to} /> : <CodeForm to={to} account={data.account} />
}

/** Until when a refused try has locked the account; undefined when it has not. */
const lockedUntil = ({ data }: ApiError): number | undefined =>
  Number(data.lockSeconds) > 0 ? Date.now() + Number(data.lockSeconds) * 1000 : undefined

function useCodeLogin(to: string) {
  const [error, setError] = useState<ApiError>()
  const [until, setUntil] = useState<number>()
  const [busy, setBusy] = useState(false)
  const send = async (input: { checkCode: string } | { recoveryCode: string }) => {
    setBusy(true)
    try {
      await callApi('login', input, { quiet: true })
      // A whole new page: the session's cookie, theme and language count from the first byte.
      window.location.assign(to)
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof ApiError)) return
      setUntil(lockedUntil(failure))
      setError(failure)
    }
  }
  return { error, until, busy, send }
}

function CodeForm({ to, account }: { to: string; account: string }) {
  const t = useTranslations('mfa')
  const errorsOf = useFieldErrors()
  const { error, until, busy, send } = useCodeLogin(to)
  const [factor, setFactor] = useState(noFactor)
  const [empty, setEmpty] = useState(false)
  const now = useNow(until === undefined ? undefined : 1000)
  const seconds = until === undefined || now === undefined ? 0 : Math.ceil((until - now) / 1000)
  const atField = Object.values(errorsOf(error))[0]
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = factor.text.trim()
    setEmpty(text === '')
    if (text === '') return
    void send(factor.recovery ? { recoveryCode: text } : { checkCode: text }).then(() =>
      setFactor({ ...factor, text: '' }),
    )
  }
  return (
    <form className="sign-in-form" onSubmit={submit} noValidate>
      <div>
        <h1>{t('signIn')}</h1>
        <p>{t('signInFor', { account })}</p>
      </div>
      {seconds > 0 ? <Locked seconds={seconds} /> : error && !atField && <Refusal error={error} />}
      <CodeFields factor={factor} onChange={setFactor} error={empty ? t('required') : atField} focus />
      <Button type="submit" kind="primary" wide busy={busy} disabled={seconds > 0}>
        {t('submit')}
      </Button>
      <Again to={to} />
    </form>
  )
}
