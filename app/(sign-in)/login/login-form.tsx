'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { PasswordField, TextField } from '@/app/_ui/field'
import { codes } from '@/model/codes'
import { Locked, Refusal } from './_parts/refusal'
import { passwordOnWire } from './_parts/sha256'

type Lock = { account: string; until: number }
type Code = { code: string; codeToken: string }

/** Codes after which the picture is asked for, whatever else the answer says. */
const withCode: readonly number[] = [codes.codeRequired, codes.codeWrong]

/** Where a right password leads: to the page that is wanted, or first to what `url` still wants. */
const nextPage = (url: string, to: string) => (url ? `${url}?to=${encodeURIComponent(to)}` : to)

/** The directory is told the password itself: from here on over https, or on this machine alone. */
const mayTell = () =>
  window.location.protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(window.location.hostname)
const onServer = () => true
const never = () => () => undefined

function useLogin(to: string, directory: boolean) {
  const [error, setError] = useState<ApiError>()
  const [lock, setLock] = useState<Lock>()
  const [code, setCode] = useState<Code>()
  const [busy, setBusy] = useState(false)
  const picture = () => callApi('auth/login-valid', {}, { quiet: true }).then(setCode)
  const submit = async (userName: string, password: string, typed: string) => {
    setBusy(true)
    setError(undefined)
    try {
      const { url } = await callApi(
        'login',
        {
          userName,
          userPwd: passwordOnWire(password),
          ...(directory && mayTell() && { plainPwd: password }),
          ...(code && { code: typed, codeToken: code.codeToken }),
        },
        { quiet: true },
      )
      // A whole new page: the session's cookie, theme and language count from the first byte.
      window.location.assign(nextPage(url, to))
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof ApiError)) return
      const seconds = failure.retCode === codes.accountLocked ? Number(failure.data.lockSeconds ?? 0) : 0
      if (seconds > 0) {
        setLock({ account: userName, until: Date.now() + seconds * 1000 })
        // It will have run out when the lock ends.
        return setCode(undefined)
      }
      setLock(undefined)
      setError(failure)
      if (failure.data.showCode || withCode.includes(failure.retCode)) await picture().catch(() => undefined)
    }
  }
  return { error, lock, code, busy, picture, submit }
}

type Props = { to: string; host: string; directory: boolean; children?: ReactNode }

/** Account, password, and the code in the picture once it is asked for. */
export function LoginForm({ to, host, directory, children }: Props) {
  const t = useTranslations('signIn')
  const { error, lock, code, busy, picture, submit } = useLogin(to, directory)
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
      {seconds > 0 ? <Locked seconds={seconds} /> : error && <Refusal error={error} />}
      <TextField
        id="login-account"
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
        <div className="captcha">
          <TextField
            id="login-code"
            label={t('code')}
            autoComplete="off"
            autoCapitalize="characters"
            value={typed}
            onChange={setTyped}
            error={required('code')}
          />
          <button
            type="button"
            className="captcha-picture"
            aria-label={t('newCode')}
            title={t('newCode')}
            onClick={() => void picture()}
          >
            <CodePicture svg={code.code} />
          </button>
        </div>
      )}
      <Button type="submit" kind="primary" wide busy={busy} disabled={seconds > 0}>
        {t('submit')}
      </Button>
      {children}
    </form>
  )
}

/** The picture takes the colour of the text in every theme: it is a mask. */
function CodePicture({ svg }: { svg: string }) {
  const mask = `url("data:image/svg+xml,${encodeURIComponent(svg)}") center / contain no-repeat`
  return <span className="code-picture" style={{ mask }} />
}
