'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { Link } from '@/app/_ui/link'
import { Note } from '@/app/_ui/note'

type Ask = 'forgotPassword' | 'forgotUsername'
const asks = {
  forgotPassword: (value: string) => callApi('auth/forgot-password', { account: value }),
  forgotUsername: (value: string) => callApi('auth/forgot-username', { email: value }),
}
const fieldOf = { forgotPassword: 'account', forgotUsername: 'email' } as const

/** Asks for a letter. What follows is said the same way whether there is such an account or not. */
export function AskForm({ ask }: { ask: Ask }) {
  const t = useTranslations(`recovery.${ask}`)
  const [value, setValue] = useState('')
  const [sent, setSent] = useState(false)
  const { errors, busy, run } = useSubmit<'ask'>()
  const send = () =>
    run('ask', async () => {
      await asks[ask](value)
      setSent(true)
    })
  return (
    <form
      className="sign-in-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <div>
        <h1>{t('title')}</h1>
        <p>{t('more')}</p>
      </div>
      {sent ? (
        <Note tone="ok" alert title={t('sent')}>
          {t('sentMore')}
        </Note>
      ) : (
        <>
          <TextField
            label={t('field')}
            autoComplete={ask === 'forgotPassword' ? 'username' : 'email'}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={setValue}
            error={errors[fieldOf[ask]]}
          />
          <Button type="submit" kind="primary" wide busy={busy !== undefined}>
            {t('submit')}
          </Button>
        </>
      )}
      <BackToSignIn />
    </form>
  )
}

export function BackToSignIn() {
  const t = useTranslations('recovery')
  return (
    <p>
      <Link href="/login">{t('back')}</Link>
    </p>
  )
}
