'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { RuleList, useSignInNameRules, useUserNameRules } from '@/app/_ui/rule-list'
import { limits } from '@/model/limits'
import { BackToSignIn } from '../_parts/ask-form'

const empty = { account: '', username: '', email: '', company: '' }
type Sent = { email: string; days: number; again: number }

/** Who one is; the password is chosen behind the letter's link, which proves the address. */
export function SignUpForm() {
  const t = useTranslations('signUp')
  const { values, field } = useFields(empty)
  const userNameRules = useUserNameRules(values.username)
  const accountRules = useSignInNameRules(values.account)
  const [sent, setSent] = useState<Sent>()
  const { errors, busy, run } = useSubmit<'ask'>()
  const ask = async () => {
    const { seconds, days } = await callApi('auth/sign-up', values)
    setSent({ email: values.email.trim(), days, again: Date.now() + seconds * 1000 })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('ask', ask)
  }
  if (sent) return <OnItsWay sent={sent} onChange={() => setSent(undefined)} />
  return (
    <form className="sign-in-form" onSubmit={submit} noValidate>
      <div>
        <h1>{t('title')}</h1>
        <p>{t('more')}</p>
      </div>
      <TextField
        label={t('username')}
        help={<RuleList rules={userNameRules} />}
        autoComplete="name"
        maxLength={limits.accountCharacters}
        {...field('username', errors)}
      />
      <TextField
        label={t('email')}
        type="text"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        {...field('email', errors)}
      />
      <TextField
        label={t('account')}
        help={<RuleList rules={accountRules} />}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.accountCharacters}
        {...field('account', errors)}
      />
      <TextField
        label={t('company')}
        optional
        autoComplete="organization"
        maxLength={limits.companyCharacters}
        {...field('company', errors)}
      />
      <Button type="submit" kind="primary" wide busy={busy !== undefined}>
        {t('submit')}
      </Button>
      <BackToSignIn />
    </form>
  )
}

/** What follows is said the same way whether the letter asks for a proof or says that there is an account already. */
function OnItsWay({ sent, onChange }: { sent: Sent; onChange: () => void }) {
  const t = useTranslations('signUp')
  const [again, setAgain] = useState(sent.again)
  const [told, setTold] = useState(false)
  const { busy, run } = useSubmit<'again'>()
  const now = useNow(1000)
  const left = now === undefined ? limits.resendSeconds : Math.max(0, Math.ceil((again - now) / 1000))
  const resend = async () => {
    const { seconds } = await callApi('auth/resend-activation', { email: sent.email })
    setAgain(Date.now() + seconds * 1000)
    setTold(true)
  }
  return (
    <div className="sign-in-form">
      <h1>{t('title')}</h1>
      <Note tone="ok" alert title={t('sent', { email: sent.email })}>
        {t('sentMore', { days: sent.days })}
      </Note>
      {told && <Note tone="info" alert title={t('againDone')} />}
      <Button wide disabled={left > 0} busy={busy !== undefined} onClick={() => void run('again', resend)}>
        {left > 0 ? t('againIn', { seconds: left }) : t('again')}
      </Button>
      <Button kind="ghost" wide onClick={onChange}>
        {t('change')}
      </Button>
      <BackToSignIn />
    </div>
  )
}
