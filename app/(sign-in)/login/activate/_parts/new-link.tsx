import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'

/** Asks for the letter of an invitation again. Says the same whether there is one or not. */
export function NewLink() {
  const t = useTranslations('activation')
  const errorsOf = useFieldErrors()
  const text = useFailureText()
  const [email, setEmail] = useState('')
  const [again, setAgain] = useState<number>()
  const [error, setError] = useState<ApiError>()
  const now = useNow(1000) ?? 0
  const left = again === undefined ? 0 : Math.ceil((again - now) / 1000)
  const fields = errorsOf(error)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      const { seconds } = await callApi('auth/resend-activation', { email }, { quiet: true })
      setAgain(Date.now() + seconds * 1000)
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure)
    }
  }
  return (
    <form className="contents" onSubmit={send} noValidate>
      <TextField
        label={t('email')}
        help={t('againHelp')}
        type="text"
        inputMode="email"
        autoComplete="email"
        value={email}
        error={fields.email}
        onChange={setEmail}
      />
      {error && !fields.email && <Note tone="bad" alert title={text(error)} />}
      {again !== undefined && <Note tone="ok" alert title={t('sent')} />}
      <Button type="submit" disabled={left > 0 || email.trim() === ''}>
        {left > 0 ? t('sendIn', { seconds: left }) : t('send')}
      </Button>
    </form>
  )
}
