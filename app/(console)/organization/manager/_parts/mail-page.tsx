'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { OwnForm, type OwnPart } from '@/app/_form/own-form'
import { Button } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import type { Data } from '@/model/kind'
import { MailQueue } from './mail-queue'
import type { TabProps } from './tab-props'

type MailSettings = CallOutput<'system-settings/smtp'>

/** As they are usually used (RFC 8314, RFC 6409). */
const usualPort: Readonly<Record<string, number>> = { starttls: 587, tls: 465, none: 25 }
const follow = (key: string, value: unknown, { port, security }: Data): Data =>
  key === 'security' && port === usualPort[String(security)] ? { port: usualPort[String(value)] } : {}

/** The mail server through which everything is sent, and what waits for it. */
export function MailPage({ specs, children }: TabProps) {
  const call = useCall('system-settings/smtp', {}, { live: true, keep: false })
  return (
    <>
      <PageHead title={useTranslations('backups')('title')} />
      {children}
      <div className="stack">
        <OwnForm
          spec={specs.mailServer}
          changes={['system-settings/smtp', 'mail/list']}
          suggested={{ publicUrl: typeof window === 'undefined' ? '' : window.location.origin }}
          follow={follow}
          top={() => (
            <Loaded call={call} lines={1}>
              {settings => <State settings={settings} />}
            </Loaded>
          )}
          extra={part => <TestRow {...part} />}
          actions={() => call.data?.server && <RemoveButton />}
        />
        <MailQueue />
      </div>
    </>
  )
}

/** What the server said last, and what is still missing. */
function State({ settings: { server, last } }: { settings: MailSettings }) {
  const t = useTranslations('manager.mail')
  if (!server)
    return (
      <Note tone="info" title={t('none')}>
        {t('noneMore')}
      </Note>
    )
  return (
    <>
      {!server.publicUrl && (
        <Note tone="warn" title={t('noUrl')}>
          {t('noUrlMore')}
        </Note>
      )}
      {last && (
        <Note tone={last.ok ? 'ok' : 'bad'} title={last.ok ? t('lastFine') : t('lastFailed')}>
          <Moment at={last.at} /> {last.error}
        </Note>
      )}
    </>
  )
}

/** One message now, and what the server said to it. */
function TestRow({ act, busy, form }: OwnPart) {
  const t = useTranslations('manager.mail')
  const { data: me } = useCall('account/info', {})
  const [typed, setTyped] = useState<string>()
  const [said, setSaid] = useState<string>()
  const to = typed ?? me?.email ?? ''
  const test = () =>
    act('test', async fields => {
      setSaid(undefined)
      const input = { ...fields, to } as CallInput<'system-settings/test-email'>
      setSaid((await callApi('system-settings/test-email', input)).response)
    })
  return (
    <div className="stack">
      <TextField
        label={t('testTo')}
        help={t('testHelp')}
        inputMode="email"
        value={to}
        error={form.errors.to}
        onChange={setTyped}
      />
      <div className="row w">
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

function RemoveButton() {
  const t = useTranslations('manager.mail')
  const refresh = useRefresh()
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    await callApi('system-settings/smtp/delete', {})
    toast('ok', t('removed'))
    await refresh('system-settings/smtp', 'settings/mailServer/get')
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('remove')}</Button>
      <ConfirmDialog
        open={asking}
        danger
        title={t('removeTitle')}
        consequences={[t('removeWhat'), t('removeWaits')]}
        action={t('remove')}
        onConfirm={remove}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
