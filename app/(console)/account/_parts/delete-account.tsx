'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField } from '@/app/_ui/field'
import { signOutWith } from '@/app/(console)/_shell/outcomes'

/** Ends one's own account for good. */
export function DeleteAccount({ account, role }: { account: string; role: string }) {
  const t = useTranslations('account.delete')
  const [open, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const stays = role === 'superAdministrator'
  const close = () => {
    setPassword('')
    setOpen(false)
  }
  const consequences = ['sessions', 'made', 'back'] as const
  return (
    <Card title={t('title')} pad>
      <div className="stack">
        <p className="soft">{stays ? t('stays') : t('help')}</p>
        <div>
          <Button kind="danger" disabled={stays} onClick={() => setOpen(true)}>
            {t('action')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={open}
        danger
        title={t('question', { account })}
        consequences={consequences.map(one => t(`what.${one}`))}
        action={t('action')}
        disabled={password === ''}
        onConfirm={() => signOutWith(() => callApi('account/delete', { password }))}
        onClose={close}
      >
        {errors => (
          <PasswordField
            label={t('password')}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={errors.password}
          />
        )}
      </ConfirmDialog>
    </Card>
  )
}
