'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { AccessLeft, useAccessLeft } from '@/app/_ui/access-left'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { PasswordField } from '@/app/_ui/field'
import { NewPassword, useNewPassword } from '@/app/_ui/new-password'
import { toast } from '@/app/_ui/toast'

/** A new password; the fields are new ones after each change. */
export function PasswordCard() {
  const t = useTranslations('security.password')
  const [changes, setChanges] = useState(0)
  return (
    <Card title={t('title')} pad>
      <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
    </Card>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('security.password')
  const entry = useNewPassword()
  const access = useAccessLeft(useCall('account/access', {}, { live: true }).data)
  const [oldPassword, setOld] = useState('')
  const { errors, busy, run } = useSubmit<'save'>()
  const save = async () => {
    await callApi('account/password', { oldPassword, ...entry.values, ...access.values })
    toast('ok', t('done'))
    onDone()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (entry.check()) void run('save', save)
  }
  const typed = [oldPassword, ...Object.values(entry.values)].some(one => one !== '')
  return (
    <form className="stack" id="password" onSubmit={submit} noValidate>
      <LeaveGuard on={typed} busy={busy !== undefined} />
      <PasswordField
        label={t('old')}
        autoComplete="current-password"
        value={oldPassword}
        onChange={setOld}
        error={errors.oldPassword}
      />
      <div className="two-columns">
        <NewPassword entry={entry} errors={errors} />
      </div>
      <AccessLeft entry={access} />
      <div>
        <Button type="submit" kind="primary" busy={busy !== undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
