'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { TextField } from '@/app/_ui/field'
import { NewPassword, useNewPassword } from '@/app/_ui/new-password'
import { Note } from '@/app/_ui/note'
import { RuleList, useAccountRules } from '@/app/_ui/rule-list'
import { StepFrame } from './step-frame'
import { useStep, useTyped } from './use-step'
import type { StepProps } from './wizard-data'

const names = ['account', 'email', 'password', 'repeat'] as const

export function AccountStep({ draft, typed, onSaved, onBack, secure }: StepProps & { secure: boolean }) {
  const t = useTranslations('wizard.account')
  const { busy, errors, failure, run, clear } = useStep(names)
  const { values: fields, put } = useTyped(typed, 'account', {
    account: draft.account?.account ?? '',
    email: draft.account?.email ?? '',
  })
  const entry = useNewPassword()
  const rules = useAccountRules(fields.account)
  const set = (name: keyof typeof fields) => (value: string) => {
    clear(name)
    put({ [name]: value })
  }
  const send = async () => {
    if (!entry.check()) return
    const input = { step: 'account', ...fields, ...entry.values } as const
    const saved = await run(() => callApi('wizard/account', input, { quiet: true }))
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
        <section className="card form-section">
          <TextField
            label={t('account')}
            help={<RuleList rules={rules} />}
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
          <div className="two-columns">
            <NewPassword entry={entry} errors={errors} onChange={clear} />
          </div>
        </section>
      </div>
    </StepFrame>
  )
}
