'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button, LinkButton } from '@/app/_ui/button'
import { ChoiceCards } from '@/app/_ui/check'
import { Moment } from '@/app/_ui/clock'
import { TextArea } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { SelectField } from '@/app/_ui/select-field'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'

type Notice = CallOutput<'alerts/notice/query'>
type Input = CallInput<'alerts/notice/save'>
const levels = [5, 10, 15] as const

/** Where alerts are told besides the console: by mail, and by webhooks that are kept elsewhere. */
export function NoticePage() {
  const t = useTranslations('alertsPage.notice')
  const call = useCall('alerts/notice/query', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} />
      <section className="card" style={{ maxInlineSize: 'var(--form-max)' }}>
        <Loaded call={call} lines={5}>
          {notice => <Form notice={notice} />}
        </Loaded>
      </section>
    </>
  )
}

type Values = { mode: Notice['mode']; level: Notice['level']; to: string }

const valuesOf = (notice: Notice): Values => ({
  mode: notice.mode,
  level: notice.level,
  to: (notice.mail?.to ?? []).join('\n'),
})

const mailOf = ({ to }: Values) => ({ mail: { to: to.split(/[\s,;]+/).filter(Boolean) } })
const inputOf = (values: Values): Input => ({
  ...{ mode: values.mode, level: values.level },
  ...(values.mode === 'mail' && mailOf(values)),
})

function Form({ notice }: { notice: Notice }) {
  const t = useTranslations('alertsPage.notice')
  const router = useRouter()
  const refresh = useRefresh()
  const { networkId } = useParams<{ networkId: string }>()
  const back = `/network/${networkId}/alerts`
  const [values, setValues] = useState(() => valuesOf(notice))
  const { errors, busy, run } = useSubmit<'save' | 'test'>()
  const put = (change: Partial<Values>) => setValues({ ...values, ...change })
  const save = () =>
    run('save', async () => {
      await callApi('alerts/notice/save', inputOf(values))
      toast('ok', t('saved'))
      router.push(back)
      await refresh('alerts/notice/query')
    })
  const test = () =>
    run('test', async () => {
      await callApi('alerts/notice/test', { mode: 'mail', level: values.level, ...mailOf(values) })
      toast('ok', t('tested'))
    })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="form-section">
        {notice.last && <Last last={notice.last} />}
        <ChoiceCards
          label={t('mode')}
          value={values.mode}
          options={(['off', 'mail'] as const).map(mode => ({
            value: mode,
            label: t(`modes.${mode}`),
            help: t(`modeHelp.${mode}`),
          }))}
          onChange={mode => put({ mode: mode as Values['mode'] })}
        />
        <Hooks />
        {values.mode !== 'off' && (
          <SelectField
            label={t('level')}
            value={String(values.level)}
            options={levels.map(level => ({ value: String(level), label: t(`levels.${level}`) }))}
            onChange={level => put({ level: Number(level) as Values['level'] })}
          />
        )}
      </div>
      {values.mode === 'mail' && <MailFields values={values} put={put} errors={errors} server={notice.mailServer} />}
      <div className="form-section form-end">
        {values.mode !== 'off' && (
          <Button busy={busy === 'test'} onClick={() => void test()}>
            {t('test')}
          </Button>
        )}
        <span className="end row">
          <LinkButton href={back}>{t('cancel')}</LinkButton>
          <Button type="submit" kind="primary" busy={busy === 'save'}>
            {t('save')}
          </Button>
        </span>
      </div>
    </form>
  )
}

type FieldsProps = {
  values: Values
  put: (change: Partial<Values>) => void
  errors: Record<string, string>
  server: boolean
}

/** Where to; the server is the manager's one, without which nothing could be sent. */
function MailFields({ values, put, errors, server }: FieldsProps) {
  const t = useTranslations('alertsPage.notice')
  const may = useMay('organization_mail')
  const toError = Object.entries(errors).find(([name]) => name.startsWith('mail.to'))?.[1]
  return (
    <div className="form-section">
      {!server && (
        <Note
          tone="warn"
          title={t('noServer')}
          actions={may && <LinkButton href="/organization/manager?tab=mail">{t('toServer')}</LinkButton>}
        >
          {t('noServerMore')}
        </Note>
      )}
      <TextArea label={t('to')} help={t('toHelp')} value={values.to} error={toError} onChange={to => put({ to })} />
    </div>
  )
}

/** Services hear of alerts by webhooks, which tell more than these. */
function Hooks() {
  const t = useTranslations('alertsPage.notice')
  const may = useMay('organization_api')
  return (
    <Note
      tone="info"
      title={t('hooks')}
      actions={may && <LinkButton href="/organization/api?tab=webhooks">{t('toHooks')}</LinkButton>}
    />
  )
}

function Last({ last }: { last: NonNullable<Notice['last']> }) {
  const t = useTranslations('alertsPage.notice')
  return (
    <Note tone={last.ok ? 'ok' : 'bad'} title={last.ok ? t('lastFine') : t('lastFailed')}>
      <Moment at={last.at} /> {last.error}
    </Note>
  )
}
