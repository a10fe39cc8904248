'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { passwordOnWire } from '@/app/_api/sha256'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { PasswordField, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { codes } from '@/model/codes'
import type { SignInCode } from './_parts/code-entry'
import { Locked, Refusal } from './_parts/refusal'

// Asked for after failures only.
const CodeEntry = dynamic(async () => (await import('./_parts/code-entry')).CodeEntry)

type Lock = { account: string; until: number }

/** Codes after which the picture is asked for, whatever else the answer says. */
const withCode: readonly number[] = [codes.codeRequired, codes.codeWrong]

const asksCode = ({ data, retCode }: ApiError) => !!data.showCode || withCode.includes(retCode)
/** Who listens goes on listening. */
const isHeard = (code: SignInCode | undefined) => code !== undefined && 'audio' in code

/** Where a right password leads: to the page that is wanted, or first to what `url` still wants. */
const nextPage = (url: string, to: string) => (url ? `${url}?to=${encodeURIComponent(to)}` : to)

/** The directory is told the password itself: from here on over https, or on this machine alone. */
const mayTell = () =>
  window.location.protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(window.location.hostname)
const onServer = () => true
const never = () => () => undefined

const credentialsOf = (userName: string, password: string, directory: boolean) => ({
  userName,
  userPwd: passwordOnWire(password),
  ...(directory && mayTell() && { plainPwd: password }),
})

function useLogin(to: string, directory: boolean) {
  const [error, setError] = useState<ApiError>()
  const [lock, setLock] = useState<Lock>()
  const [code, setCode] = useState<SignInCode>()
  const [busy, setBusy] = useState(false)
  const picture = () => callApi('auth/login-valid', {}, { quiet: true }).then(setCode)
  const spoken = () => callApi('auth/login-spoken', {}, { quiet: true }).then(setCode)
  const refuse = async (failure: ApiError, account: string) => {
    const seconds = failure.retCode === codes.accountLocked ? Number(failure.data.lockSeconds ?? 0) : 0
    if (seconds > 0) {
      setLock({ account, until: Date.now() + seconds * 1000 })
      // It will have run out when the lock ends.
      return setCode(undefined)
    }
    setLock(undefined)
    setError(failure)
    if (asksCode(failure)) await (isHeard(code) ? spoken : picture)().catch(() => undefined)
  }
  const submit = async (userName: string, password: string, typed: string) => {
    setBusy(true)
    setError(undefined)
    try {
      const { url } = await callApi(
        'login',
        { ...credentialsOf(userName, password, directory), ...(code && { code: typed, codeToken: code.codeToken }) },
        { quiet: true },
      )
      // A whole new page: the session's cookie, theme and language count from the first byte.
      window.location.assign(nextPage(url, to))
    } catch (failure) {
      setBusy(false)
      if (failure instanceof ApiError) await refuse(failure, userName)
    }
  }
  return { error, lock, code, busy, picture, spoken, submit }
}

type Props = {
  to: string
  host: string
  directory: boolean
  /** Whoever comes here was signed in until now. */
  ended: boolean
  children?: ReactNode
}

/** Account, password, and the code in the picture once it is asked for. */
export function LoginForm({ to, host, directory, ended, children }: Props) {
  const t = useTranslations('signIn')
  const { error, lock, code, busy, picture, spoken, submit } = useLogin(to, directory)
  const untold = !useSyncExternalStore(never, mayTell, onServer) && directory
  const now = useNow(lock ? 1000 : undefined)
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [typed, setTyped] = useState('')
  const [empty, setEmpty] = useState<readonly string[]>([])
  const send = (event: FormEvent) => {
    event.preventDefault()
    const missing = [!account.trim() && 'account', !password && 'password', code && !typed.trim() && 'code']
    const names = missing.filter(name => typeof name === 'string')
    setEmpty(names)
    if (names.length > 0) return document.getElementById(`login-${names[0]}`)?.focus()
    void submit(account, password, typed).then(() => setTyped(''))
  }
  const seconds = lock?.account === account && now !== undefined ? Math.ceil((lock.until - now) / 1000) : 0
  const required = (name: string) => (empty.includes(name) ? t('required') : undefined)
  return (
    <form className="sign-in-form" onSubmit={send} noValidate>
      <div>
        <h1>{t('title')}</h1>
        <p>
          {t('to')} <b className="ip">{host}</b>
        </p>
      </div>
      {ended && !error && seconds <= 0 && <Note tone="info" title={t('ended')} />}
      {seconds > 0 ? <Locked seconds={seconds} /> : error && <Refusal error={error} />}
      <TextField
        id="login-account"
        autoFocus
        label={t('account')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={account}
        onChange={setAccount}
        error={required('account')}
      />
      <PasswordField
        id="login-password"
        label={t('password')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={required('password')}
        help={untold ? t('directoryHttps') : undefined}
      />
      {code && (
        <CodeEntry
          code={code}
          typed={typed}
          onTyped={setTyped}
          error={required('code')}
          onPicture={() => void picture()}
          onSpoken={() => void spoken()}
        />
      )}
      <Button type="submit" kind="primary" wide busy={busy} disabled={seconds > 0}>
        {t('submit')}
      </Button>
      {children}
    </form>
  )
}
