'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useFieldText } from '@/app/_api/words'
import { PasswordField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { limits } from '@/model/limits'
import { passwordProblem } from '@/model/password'
import { StepFrame } from '../step-frame'
import { useStep } from '../use-step'
import type { StepProps } from '../wizard-data'

const names = ['account', 'email', 'password', 'repeat'] as const

export function AccountStep({ draft, onSaved, onBack, secure }: StepProps & { secure: boolean }) {
  const t = useTranslations('wizard.account')
  const word = useFieldText()
  const { busy, errors, failure, run, clear } = useStep(names)
  const [fields, setFields] = useState({
    account: draft.account?.account ?? '',
    email: draft.account?.email ?? '',
    password: '',
    repeat: '',
  })
  const [left, setLeft] = useState<readonly string[]>([])
  const set = (name: keyof typeof fields) => (value: string) => {
    clear(name)
    setFields(now => ({ ...now, [name]: value }))
  }
  const leave = (name: string) => () => setLeft(now => [...now, name])
  const problem = fields.password === '' ? undefined : passwordProblem(fields.password)
  const own = {
    password: left.includes('password') && problem ? word(problem, limits.passwordCharacters) : undefined,
    repeat: left.includes('repeat') && fields.repeat !== fields.password ? word('passwordsDiffer') : undefined,
  }
  const send = async () => {
    setLeft(['password', 'repeat'])
    if (problem || (fields.password !== '' && fields.repeat !== fields.password)) return
    const saved = await run(() => callApi('wizard/account', { step: 'account', ...fields }, { quiet: true }))
    if (saved) onSaved(saved)
  }
  return (
    <StepFrame title={t('title')} intro={t('intro')} onSubmit={send} onBack={onBack} busy={busy} disabled={!secure}>
      <div className="stack">
        {!secure && (
          <Note tone="bad" title={t('insecure')}>
            {t('insecureMore')}
          </Note>
        )}
        {failure && <Note tone="bad" alert title={failure} />}
        <section className="card sec">
          <TextField
            label={t('account')}
            help={t('accountHelp')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            value={fields.account}
            onChange={set('account')}
            error={errors.account}
          />
          <TextField
            label={t('email')}
            optional
            help={t('emailHelp')}
            type="email"
            autoComplete="email"
            value={fields.email}
            onChange={set('email')}
            error={errors.email}
          />
          <div className="two">
            <PasswordField
              label={t('password')}
              help={t('passwordHelp', limits.passwordCharacters)}
              value={fields.password}
              onChange={set('password')}
              onBlur={leave('password')}
              error={errors.password ?? own.password}
            />
            <PasswordField
              label={t('repeat')}
              value={fields.repeat}
              onChange={set('repeat')}
              onBlur={leave('repeat')}
              error={errors.repeat ?? own.repeat}
            />
          </div>
        </section>
      </div>
    </StepFrame>
  )
}
