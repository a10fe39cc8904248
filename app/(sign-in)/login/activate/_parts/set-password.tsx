import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { NewPassword, useNewPassword } from '@/app/_ui/new-password'
import { Note } from '@/app/_ui/note'
import { RuleList, useUserNameRules } from '@/app/_ui/rule-list'
import { codes } from '@/model/codes'
import { limits } from '@/model/limits'
import type { Invited } from './invited'

type Props = {
  invited: Invited
  token: string
  onDone: (done: { account: string; waits: boolean }) => void
  /** The link is worth nothing any more. */
  onRefused: (error: ApiError) => void
}

const overCodes: readonly number[] = [
  codes.activationInvalid,
  codes.activationExpired,
  codes.activationDone,
  codes.signUpWaits,
]

export function SetPassword({ invited, token, onDone, onRefused }: Props) {
  const t = useTranslations('activation')
  const errorsOf = useFieldErrors()
  const text = useFailureText()
  const [username, setUsername] = useState(invited.username)
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const entry = useNewPassword()
  const rules = useUserNameRules(username)
  const fields = errorsOf(error)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!entry.check()) return
    setBusy(true)
    try {
      onDone(await callApi('auth/activate', { token, username, ...entry.values }, { quiet: true }))
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof ApiError)) return
      if (overCodes.includes(failure.retCode)) return onRefused(failure)
      setError(failure)
    }
  }
  return (
    <form className="contents" onSubmit={send} noValidate>
      {!invited.secure && (
        <Note tone="bad" title={t('insecure')}>
          {t('insecureMore')}
        </Note>
      )}
      {error && Object.keys(fields).length === 0 && <Note tone="bad" alert title={text(error)} />}
      <TextField
        label={t('account')}
        help={t(invited.asked ? 'askedHelp' : 'accountHelp')}
        value={invited.account}
        onChange={() => undefined}
        readOnly
      />
      <TextField
        label={t('username')}
        help={<RuleList rules={rules} />}
        autoComplete="name"
        maxLength={limits.accountCharacters}
        value={username}
        error={fields.username}
        onChange={setUsername}
      />
      <NewPassword entry={entry} errors={fields} onChange={() => setError(undefined)} />
      <Button type="submit" kind="primary" wide busy={busy} disabled={!invited.secure}>
        {t('submit')}
      </Button>
    </form>
  )
}
