'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'

/** Asks for the password, and the code, above what is on the page. `onClose`: whether one is signed in again. */
export function AskAgain({ account, onClose }: { account: string; onClose: (done: boolean) => void }) {
  const t = useTranslations('shell.sessionEnded')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string>()
  const text = useFailureText()
  // Said here: a notice would stay over the form's own buttons.
  const [refused, setRefused] = useState('')
  const signIn = async () => {
    setRefused('')
    const { passwordOnWire } = await import('@/app/_api/sha256')
    const first = { userName: account, userPwd: passwordOnWire(password) }
    const input = code === undefined ? first : { ...first, checkCode: code.trim() }
    const { url, mfaSetup } = await callApi('login', input, { quiet: true })
    // The page behind waits for this answer, and the dialog would wait for the page.
    if (!url) return onClose(true)
    if (mfaSetup) setRefused(t('setup'))
    else setCode('')
    return 'stay'
  }
  const refuse = (error: unknown) => {
    if (error instanceof ApiError) setRefused(text(error))
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      title={t('title')}
      help={t('help')}
      action={t('submit')}
      disabled={code === undefined ? password === '' : code.trim() === ''}
      onClose={onClose}
      onConfirm={() => signIn().catch(refuse)}
    >
      {refused && <Note tone="warn" alert title={refused} />}
      <PasswordField
        label={t('password', { account })}
        autoComplete="current-password"
        autoFocus
        readOnly={code !== undefined}
        value={password}
        onChange={setPassword}
      />
      {code !== undefined && (
        <TextField
          label={t('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={setCode}
        />
      )}
      <p>
        {/* By an identity provider or a directory, or where more is asked than a password. */}
        <a href="/login" target="_blank" rel="noreferrer">
          {t('elsewhere')}
        </a>
      </p>
    </ConfirmDialog>
  )
}
