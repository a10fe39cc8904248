'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { type CallInput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField, PasswordField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import type { MailSettings } from './mail-page'

type Input = CallInput<'system-settings/smtp/save'>
type Values = Required<Omit<Input, 'password'>> & { password: string }
const securities = ['starttls', 'tls', 'none'] as const
/** As they are usually used (RFC 8314, RFC 6409). */
const usualPort = { starttls: 587, tls: 465, none: 25 } as const

const empty: Values = {
  host: '',
  port: usualPort.starttls,
  security: 'starttls',
  verify: true,
  user: '',
  password: '',
  from: '',
  fromName: '',
  replyTo: '',
  publicUrl: '',
}

/** What is sent: a password left empty stays the one that is kept. */
const inputOf = ({ password, ...values }: Values, kept: boolean): Input => ({
  ...values,
  ...(password ? { password } : kept && values.user ? { password: { set: true as const } } : {}),
})

/** Host, login, sender, and the address that links begin with; a test by what stands here, saved or not. */
export function MailForm({ settings: { server } }: { settings: MailSettings }) {
  const t = useTranslations('manager.mail')
  const refresh = useRefresh()
  const kept = server?.password !== undefined
  const [values, setValues] = useState<Values>(() => ({ ...empty, ...server, password: '' }))
  const [removing, setRemoving] = useState(false)
  const { errors, busy, run } = useSubmit<'save' | 'test'>()
  const put = (change: Partial<Values>) => setValues(before => ({ ...before, ...change }))
  // The address by which this person is here is the likely one; another can be typed.
  useEffect(() => {
    setValues(before => (before.publicUrl ? before : { ...before, publicUrl: window.location.origin }))
  }, [])
  const save = () =>
    run('save', async () => {
      await callApi('system-settings/smtp/save', inputOf(values, kept))
      put({ password: '' })
      toast('ok', t('saved'))
      await refresh('system-settings/smtp', 'mail/list')
    })
  const remove = async () => {
    await callApi('system-settings/smtp/delete', {})
    toast('ok', t('removed'))
    await refresh('system-settings/smtp')
  }
  return (
    <form
      className="stack"
      style={{ maxInlineSize: 640 }}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <ServerFields {...{ values, put, errors, kept }} />
      <SenderFields {...{ values, put, errors }} />
      <TestRow input={() => inputOf(values, kept)} {...{ errors, run, busy }} />
      <div className="row wrapping">
        <Button type="submit" kind="primary" busy={busy === 'save'}>
          {t('save')}
        </Button>
        {server && <Button onClick={() => setRemoving(true)}>{t('remove')}</Button>}
      </div>
      <ConfirmDialog
        open={removing}
        danger
        title={t('removeTitle')}
        consequences={[t('removeWhat'), t('removeWaits')]}
        action={t('remove')}
        onConfirm={remove}
        onClose={() => setRemoving(false)}
      />
    </form>
  )
}

type FieldsProps = { values: Values; put: (change: Partial<Values>) => void; errors: Record<string, string> }

function ServerFields({ values, put, errors, kept }: FieldsProps & { kept: boolean }) {
  const t = useTranslations('manager.mail')
  const secure = (security: Values['security']) =>
    put({ security, ...(values.port === usualPort[values.security] && { port: usualPort[security] }) })
  return (
    <>
      <SelectField
        label={t('security')}
        value={values.security}
        options={securities.map(value => ({ value, label: t(`securities.${value}`) }))}
        onChange={security => secure(security as Values['security'])}
      />
      <div className="two-columns">
        <TextField
          label={t('host')}
          dir="ltr"
          value={values.host}
          error={errors.host}
          onChange={host => put({ host })}
        />
        <NumberField
          label={t('port')}
          value={values.port}
          error={errors.port}
          onChange={port => put({ port: port ?? 0 })}
        />
      </div>
      {values.security !== 'none' && (
        <SwitchField
          label={t('verify')}
          help={t('verifyHelp')}
          checked={values.verify}
          onChange={verify => put({ verify })}
        />
      )}
      <div className="two-columns">
        <TextField
          label={t('user')}
          optional
          autoComplete="off"
          value={values.user}
          error={errors.user}
          onChange={user => put({ user })}
        />
        <PasswordField
          label={t('password')}
          optional
          kept={kept}
          value={values.password}
          error={errors.password}
          onChange={password => put({ password })}
        />
      </div>
    </>
  )
}

function SenderFields({ values, put, errors }: FieldsProps) {
  const t = useTranslations('manager.mail')
  return (
    <>
      <div className="two-columns">
        <TextField
          label={t('from')}
          inputMode="email"
          value={values.from}
          error={errors.from}
          onChange={from => put({ from })}
        />
        <TextField
          label={t('fromName')}
          optional
          value={values.fromName}
          error={errors.fromName}
          onChange={fromName => put({ fromName })}
        />
      </div>
      <TextField
        label={t('replyTo')}
        help={t('replyToHelp')}
        optional
        inputMode="email"
        value={values.replyTo}
        error={errors.replyTo}
        onChange={replyTo => put({ replyTo })}
      />
      <TextField
        label={t('publicUrl')}
        help={t('publicUrlHelp')}
        dir="ltr"
        inputMode="url"
        value={values.publicUrl}
        error={errors.publicUrl}
        onChange={publicUrl => put({ publicUrl })}
      />
    </>
  )
}

type TestProps = {
  input: () => Input
  errors: Record<string, string>
  busy: 'save' | 'test' | undefined
  run: (act: 'test', work: () => Promise<unknown>) => Promise<boolean>
}

/** One message now, and what the server said to it. */
function TestRow({ input, errors, busy, run }: TestProps) {
  const t = useTranslations('manager.mail')
  const { data: me } = useCall('account/info', {})
  const [typed, setTyped] = useState<string>()
  const [said, setSaid] = useState<string>()
  const to = typed ?? me?.email ?? ''
  const test = () =>
    run('test', async () => {
      setSaid(undefined)
      const { response } = await callApi('system-settings/test-email', { ...input(), to })
      setSaid(response)
    })
  return (
    <div className="stack">
      <TextField
        label={t('testTo')}
        help={t('testHelp')}
        inputMode="email"
        value={to}
        error={errors.to}
        onChange={setTyped}
      />
      <div className="row wrapping">
        <Button icon="check" busy={busy === 'test'} onClick={() => void test()}>
          {t('test')}
        </Button>
        <span role="status" className="soft break-all">
          {said !== undefined && t('said', { said })}
        </span>
      </div>
    </div>
  )
}
