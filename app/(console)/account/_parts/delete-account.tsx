'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { PasswordField } from '@/app/_ui/field'
import { signOutWith, toSignIn } from '@/app/(console)/_shell/outcomes'

/** Specification 2-rules.md section 9: so long it is said that the account is gone. */
const saidMs = 5000

/** It is over: the sign-in opens on its own. */
function Deleted({ account }: { account: string }) {
  const t = useTranslations('account.delete')
  useEffect(() => {
    const timer = setTimeout(toSignIn, saidMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Dialog
      open
      onClose={toSignIn}
      title={t('done', { account })}
      footer={
        <Button kind="primary" onClick={toSignIn}>
          {t('signIn')}
        </Button>
      }
    >
      <p role="status">{t('leads', { seconds: saidMs / 1000 })}</p>
    </Dialog>
  )
}

/** Ends one's own account for good. */
export function DeleteAccount({ account, role }: { account: string; role: string }) {
  const t = useTranslations('account.delete')
  const [open, setOpen] = useState(false)
  const [gone, setGone] = useState(false)
  const [password, setPassword] = useState('')
  const stays = role === 'superAdministrator'
  const close = () => {
    setPassword('')
    setOpen(false)
  }
  if (gone) return <Deleted account={account} />
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
        onConfirm={() =>
          signOutWith(
            () => callApi('account/delete', { password }),
            () => setGone(true),
          )
        }
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
