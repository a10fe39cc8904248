'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import type { KindSpec } from '@/app/_form/spec'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ChoiceCards } from '@/app/_ui/check'
import { TextArea, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { type FeedbackKind, feedbackKinds } from '@/model/feedback'
import { limits } from '@/model/limits'
import { type Attached, Attachment } from './attachment'
import { KeptFeedback } from './kept'

type Info = CallOutput<'feedback/info'>
type Outcome = CallOutput<'feedback/send'>

/** Something to say to whoever runs this manager; administrators see what is kept, and set where it goes. */
export function FeedbackPage({ address }: { address: KindSpec<'feedbackAddress'> }) {
  const t = useTranslations('feedback')
  const reads = useMay('organization_manager')
  const call = useCall('feedback/info', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack">
        <div style={{ maxInlineSize: 'var(--form-max)' }}>
          <Loaded call={call} lines={6}>
            {info => <Write info={info} />}
          </Loaded>
        </div>
        {reads && <KeptFeedback address={address} />}
      </div>
    </>
  )
}

/** The form, then what became of it. */
function Write({ info }: { info: Info }) {
  const t = useTranslations('feedback')
  const [outcome, setOutcome] = useState<Outcome>()
  if (!outcome) return <Form info={info} onDone={setOutcome} />
  const sent = outcome.state === 'sent'
  return (
    <Card pad>
      <Note
        tone={sent ? 'ok' : 'info'}
        alert
        title={sent ? t('sent', { to: outcome.to }) : t('keptTitle')}
        actions={<Button onClick={() => setOutcome(undefined)}>{t('another')}</Button>}
      >
        {sent ? undefined : t(`kept.${outcome.why}`, { detail: outcome.detail })}
      </Note>
    </Card>
  )
}

function Form({ info, onDone }: { info: Info; onDone: (outcome: Outcome) => void }) {
  const t = useTranslations('feedback')
  const [kind, setKind] = useState<FeedbackKind>('problem')
  const [text, setText] = useState('')
  const [reply, setReply] = useState(info.reply)
  const [file, setFile] = useState<Attached>()
  const { errors, busy, run } = useSubmit<'send'>()
  const send = () =>
    run('send', async () => {
      const outcome = await callApi('feedback/send', { kind, text, reply, ...(file && { attachment: file.id }) })
      onDone(outcome)
    })
  return (
    <form
      className="card"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <LeaveGuard on={text !== '' || file !== undefined || reply !== info.reply} busy={busy !== undefined} />
      <div className="form-section">
        <ChoiceCards
          label={t('kind')}
          value={kind}
          options={feedbackKinds.map(one => ({
            value: one,
            label: t(`kinds.${one}.label`),
            help: t(`kinds.${one}.help`),
          }))}
          onChange={one => setKind(one as FeedbackKind)}
        />
        <TextArea
          label={t('text')}
          help={t('textHelp', { max: limits.feedbackCharacters })}
          rows={7}
          maxLength={limits.feedbackCharacters}
          value={text}
          onChange={setText}
          error={errors.text}
        />
        <Attachment file={file} onChange={setFile} error={errors.attachment} />
        <TextField
          label={t('reply')}
          help={t('replyHelp')}
          optional
          inputMode="email"
          autoComplete="email"
          value={reply}
          onChange={setReply}
          error={errors.reply}
        />
        <p className="soft">{info.why === null ? t('goes', { to: info.to }) : t(`stays.${info.why}`)}</p>
      </div>
      <div className="form-section form-end">
        <Button type="submit" kind="primary" busy={busy !== undefined}>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}
