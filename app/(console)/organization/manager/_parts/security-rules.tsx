'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { KeyValues } from '@/app/_ui/card'
import { SwitchField } from '@/app/_ui/check'
import { NumberField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'

type Rules = CallOutput<'account/security/get'>

/** The rules as another company's super administrator meets them: set by the manager's own. */
export function RulesOfOthers({ rules }: { rules: Rules }) {
  const t = useTranslations('security.rules')
  const { sessionTimeout, passwordNoticeDays: days, forceMfa, withoutMfa } = rules
  return (
    <div className="stack" style={{ maxInlineSize: 480 }}>
      <Note tone="info">{t('ofOthers')}</Note>
      <KeyValues
        rows={[
          [t('timeout'), t('inMinutes', { count: sessionTimeout })],
          [t('notice'), t('inDays', { count: days })],
          [t('force'), `${t(forceMfa ? 'forced' : 'notForced')} ${t('without', { count: withoutMfa })}`],
        ]}
      />
    </div>
  )
}

export function SecurityRules({ rules: { withoutMfa, mayChange: _, mail, ...stored } }: { rules: Rules }) {
  const t = useTranslations('security.rules')
  const refresh = useRefresh()
  const [values, setValues] = useState<typeof stored>(stored)
  const { errors, busy, run } = useSubmit<'save'>()
  const change = (part: Partial<typeof stored>) => setValues(before => ({ ...before, ...part }))
  const save = async () => {
    await callApi('account/security/save', values)
    toast('ok', t('saved'))
    await refresh('account/security/get', 'account/info', 'auth/mfa-info')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('save', save)
  }
  return (
    <form className="stack" style={{ maxInlineSize: 480 }} onSubmit={submit} noValidate>
      <NumberField
        label={t('timeout')}
        help={t('timeoutHelp')}
        unit={t('minutes')}
        value={values.sessionTimeout}
        onChange={sessionTimeout => change({ sessionTimeout })}
        error={errors.sessionTimeout}
      />
      <SwitchField
        label={t('sync')}
        help={t('syncHelp')}
        checked={values.syncTimeouts}
        onChange={syncTimeouts => change({ syncTimeouts })}
      />
      <NumberField
        label={t('notice')}
        help={t('noticeHelp')}
        unit={t('days')}
        value={values.passwordNoticeDays}
        onChange={passwordNoticeDays => change({ passwordNoticeDays })}
        error={errors.passwordNoticeDays}
      />
      <SwitchField
        label={t('force')}
        help={`${t('forceHelp')} ${t('without', { count: withoutMfa })}`}
        checked={values.forceMfa}
        onChange={forceMfa => change({ forceMfa })}
      />
      <SwitchField
        label={t('signUp')}
        help={mail ? t('signUpHelp') : `${t('signUpHelp')} ${t('signUpMail')}`}
        error={errors.signUp}
        checked={values.signUp}
        onChange={signUp => change({ signUp })}
      />
      <div>
        <Button type="submit" kind="primary" busy={busy !== undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
