'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import { Button, LinkButton } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { SkeletonLines } from '@/app/_ui/states'
import { codes } from '@/model/codes'
import type { Invited } from './invited'
import { NewLink } from './new-link'
import { SetPassword } from './set-password'

type State = { invited?: Invited; error?: ApiError; done?: { account: string; waits: boolean }; token: string }

async function look(): Promise<State> {
  const token = window.location.hash.slice(1)
  if (!token) return { token }
  try {
    return { token, invited: await callApi('auth/activation', { token }, { quiet: true }) }
  } catch (error) {
    return error instanceof ApiError ? { token, error } : { token }
  }
}

/** What a link of an invitation leads to: a name and a password to choose, or why not. */
export function Activation() {
  const t = useTranslations('activation')
  const [state, setState] = useState<State>()
  useEffect(() => {
    // The next link opened in this tab differs behind `#` alone: the page is not loaded anew.
    const load = () => void look().then(setState)
    load()
    window.addEventListener('hashchange', load)
    return () => window.removeEventListener('hashchange', load)
  }, [])
  if (!state) return <SkeletonLines lines={5} />
  if (state.done !== undefined) return <Done {...state.done} />
  if (!state.invited) return <Refused error={state.error} onRetry={() => void look().then(setState)} />
  const { asked } = state.invited
  return (
    <div className="sign-in-form">
      <div>
        <h1>{t(asked ? 'askedTitle' : 'title')}</h1>
        <p>{t(asked ? 'askedIntro' : 'intro', { manager: state.invited.manager })}</p>
      </div>
      <SetPassword
        invited={state.invited}
        token={state.token}
        onDone={done => setState({ token: '', done })}
        onRefused={error => setState({ token: state.token, error })}
      />
    </div>
  )
}

function Done({ account, waits }: { account: string; waits: boolean }) {
  const t = useTranslations('activation')
  return (
    <div className="sign-in-form">
      <h1>{t(waits ? 'waits' : 'done')}</h1>
      <Note tone="ok" title={waits ? t('waitsMore') : t('doneMore', { account })} />
      <LinkButton kind="primary" wide href="/login">
        {t('signIn')}
      </LinkButton>
    </div>
  )
}

function Refused({ error, onRetry }: { error: ApiError | undefined; onRetry: () => void }) {
  const t = useTranslations('activation')
  const text = useFailureText()
  const lost = error === undefined || error.kind === 'refused'
  const over: readonly number[] = [codes.activationDone, codes.signUpWaits]
  const active = error !== undefined && over.includes(error.retCode)
  return (
    <div className="sign-in-form">
      <h1>{t('title')}</h1>
      <Note tone={active ? 'info' : 'warn'} alert title={error ? text(error) : t('noLink')} />
      {!lost && (
        <Button icon="refresh" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
      {lost && !active && <NewLink />}
      <LinkButton href="/login">{t('signIn')}</LinkButton>
    </div>
  )
}
