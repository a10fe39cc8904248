'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi, isCancelled } from '@/app/_api/client'
import { useFieldErrors } from '@/app/_api/words'
import { TextField } from '@/app/_ui/field'

type Props = {
  /** Whose address it is; without, of somebody new. */
  user: number | undefined
  value: string
  error: string | undefined
  onChange: (email: string) => void
}

/** An address that the manager judges once the field is left (rule A8): whether it is one, and nobody else's. */
export function EmailField({ user, value, error, onChange }: Props) {
  const t = useTranslations('users.form')
  const errorsOf = useFieldErrors()
  const [refused, setRefused] = useState<{ email: string; error: string | undefined }>()
  const check = async () => {
    const email = value
    if (email.trim() === '') return
    try {
      await callApi('email/check', { email, ...(user !== undefined && { id: user }) }, { quiet: true })
    } catch (problem) {
      if (!isCancelled(problem)) setRefused({ email, error: errorsOf(problem).email })
    }
  }
  return (
    <TextField
      label={t('email')}
      optional
      type="text"
      inputMode="email"
      autoComplete="off"
      value={value}
      onChange={onChange}
      onBlur={() => void check()}
      error={error ?? (refused?.email === value ? refused.error : undefined)}
    />
  )
}
