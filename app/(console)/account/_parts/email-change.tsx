'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField, TextField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'

/** Another mail address for oneself: the password first, then the code that was sent there. */
export function EmailChange({ email }: { email: string }) {
  const t = useTranslations('account.emailChange')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{email ? t('change') : t('set')}</Button>
      {open && <EmailDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account.emailChange')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<{ resendFrom: number }>()
  const done = async () => {
    toast('ok', t('done'))
  }
  const send = async () => {
    const answer = await callApi('account/email/save', { email, password })
    if (answer.resendFrom === undefined) return done()
    setSent(answer)
    return 'stay'
  }
  const confirm = async () => {
    await callApi('account/email/confirm', { code })
    await done()
  }
  return (
    <ConfirmDialog
      open
      title={t('title')}
      help={sent ? t('codeHelp', { email }) : t('help')}
      action={sent ? t('confirm') : t('send')}
      onConfirm={sent ? confirm : send}
      onClose={onClose}
    >
      {errors =>
        sent ? (
          <>
            <TextField
              label={t('code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={setCode}
              error={errors.code}
            />
            <AnotherCode from={sent.resendFrom} onSent={resendFrom => setSent({ resendFrom })} />
          </>
        ) : (
          <>
            <TextField
              label={t('email')}
              inputMode="email"
              autoComplete="email"
              value={email}
              onChange={setEmail}
              error={errors.email}
            />
            <PasswordField
              label={t('password')}
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
              error={errors.password}
            />
          </>
        )
      }
    </ConfirmDialog>
  )
}

/** Sends another code, from a moment on (unix ms); the one before is worth nothing then. */
function AnotherCode({ from, onSent }: { from: number; onSent: (resendFrom: number) => void }) {
  const t = useTranslations('account.emailChange')
  const now = useNow(1000)
  const [busy, setBusy] = useState(false)
  const seconds = now === undefined ? 0 : Math.max(0, Math.ceil((from - now) / 1000))
  const send = async () => {
    setBusy(true)
    // A failure is told by a toast.
    const done = await callApi('code/generate-code', {}).catch(() => undefined)
    setBusy(false)
    if (!done) return
    toast('ok', t('sentAgain', { email: done.email }))
    onSent(done.resendFrom)
  }
  return (
    <div>
      <Button small busy={busy} disabled={seconds > 0} onClick={() => void send()}>
        {seconds > 0 ? t('againIn', { seconds }) : t('again')}
      </Button>
    </div>
  )
}
