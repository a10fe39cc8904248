'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFieldText } from '@/app/_api/words'
import { limits } from '@/model/limits'
import { passwordProblem } from '@/model/password'
import { PasswordField } from './field'

type Name = 'password' | 'repeat'
type Values = Record<Name, string>

/** A password to set, twice (rule A9). What is wrong is said once its field was left, or `check` was called. */
export function useNewPassword() {
  const word = useFieldText()
  const [values, setValues] = useState<Values>({ password: '', repeat: '' })
  const [left, setLeft] = useState<readonly Name[]>([])
  const problem = values.password === '' ? undefined : passwordProblem(values.password)
  const differ = values.repeat !== values.password
  return {
    values,
    set: (name: Name, value: string) => setValues(now => ({ ...now, [name]: value })),
    leave: (name: Name) => setLeft(now => [...now, name]),
    errors: {
      password: left.includes('password') && problem ? word(problem, limits.passwordCharacters) : undefined,
      repeat: left.includes('repeat') && differ ? word('passwordsDiffer') : undefined,
    },
    /** True when the two may be sent; an empty field is for the manager to name. */
    check() {
      setLeft(['password', 'repeat'])
      return !problem && (values.password === '' || !differ)
    },
  }
}

type Props = {
  entry: ReturnType<typeof useNewPassword>
  /** What a call said of them. */
  errors: Partial<Record<string, string>>
  onChange?: (name: Name) => void
}

/** The two fields of `useNewPassword`. */
export function NewPassword({ entry, errors, onChange }: Props) {
  const t = useTranslations('common.newPassword')
  const field = (name: Name) => ({
    value: entry.values[name],
    error: errors[name] ?? entry.errors[name],
    onBlur: () => entry.leave(name),
    onChange: (value: string) => {
      entry.set(name, value)
      onChange?.(name)
    },
  })
  return (
    <>
      <PasswordField label={t('password')} help={t('help', limits.passwordCharacters)} {...field('password')} />
      <PasswordField label={t('repeat')} {...field('repeat')} />
    </>
  )
}
