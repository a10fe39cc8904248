'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFieldText } from '@/app/_api/words'
import { limits } from '@/model/limits'
import { type PasswordRule, passwordProblems } from '@/model/password'
import { PasswordField } from './field'
import { RuleList } from './rule-list'

type Name = 'password' | 'repeat'
type Values = Record<Name, string>

/** The conditions of rule A9 as people read them; of control characters, which nobody types, only the error speaks. */
const shownRules = {
  length: ['passwordShort', 'passwordLong'],
  letter: ['passwordLetter'],
  digit: ['passwordDigit'],
  symbol: ['passwordSymbol'],
  repeated: ['passwordRepeated'],
  consecutive: ['passwordConsecutive'],
} as const satisfies Record<string, readonly PasswordRule[]>

/** A password to set, twice (rule A9). What is wrong is said once its field was left, or `check` was called. */
export function useNewPassword() {
  const word = useFieldText()
  const t = useTranslations('common.newPassword')
  const [values, setValues] = useState<Values>({ password: '', repeat: '' })
  const [left, setLeft] = useState<readonly Name[]>([])
  const problems = values.password === '' ? [] : passwordProblems(values.password)
  const [problem, ...others] = problems
  const differ = values.repeat !== values.password
  const wrong = problem && (others.length > 0 ? t('unmet') : word(problem, limits.passwordCharacters))
  return {
    values,
    set: (name: Name, value: string) => setValues(now => ({ ...now, [name]: value })),
    leave: (name: Name) => setLeft(now => [...now, name]),
    errors: {
      password: left.includes('password') ? wrong : undefined,
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
  const { password } = entry.values
  const problems = passwordProblems(password)
  const rules = Object.entries(shownRules).map(([name, of]) => ({
    text: t(`rules.${name as keyof typeof shownRules}`, limits.passwordCharacters),
    met: password !== '' && !of.some(rule => problems.includes(rule)),
  }))
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
      <PasswordField label={t('password')} help={<RuleList rules={rules} />} {...field('password')} />
      <PasswordField label={t('repeat')} {...field('repeat')} />
    </>
  )
}
