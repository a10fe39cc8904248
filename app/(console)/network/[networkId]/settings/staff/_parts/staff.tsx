'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { useFieldText } from '@/app/_api/words'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button } from '@/app/_ui/button'
import { TextArea, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Done } from './done'

type Saved = CallOutput<'radius/staff/save'>
const nothing = { name: '', vlan: '', people: '' }

/** The staff's Wi-Fi in one go: what it is called, who signs in, and what is handed out then. */
export function Staff() {
  const t = useTranslations('radius.staff')
  const here = useNetworkCall('radius/get', {})
  const [made, setMade] = useState<{ name: string; saved: Saved }>()
  if (here.error && !here.data) return <ErrorState error={here.error} onRetry={() => void here.mutate()} />
  return (
    <>
      <PageHead title={t('title')} />
      <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
        {!here.data ? (
          <SkeletonLines lines={6} />
        ) : here.data.state === 'unavailable' ? (
          <Note tone="warn" title={t('unavailable')} />
        ) : made?.saved.ssid ? (
          <Done name={made.name} ssid={made.saved.ssid} people={made.saved.people} />
        ) : (
          <Form onDone={(name, saved) => setMade({ name, saved })} errors={made?.saved.errors ?? []} />
        )}
      </div>
    </>
  )
}

type FormProps = { errors: Saved['errors']; onDone: (name: string, saved: Saved) => void }

function Form({ errors: lines, onDone }: FormProps) {
  const t = useTranslations('radius.staff')
  const { values, field, changed } = useFields(nothing)
  const { errors, busy, run } = useSubmit<'save'>()
  const send = (event: FormEvent) => {
    event.preventDefault()
    const { name, vlan, people } = values
    const number = /^\d+$/.test(vlan.trim()) ? Number(vlan) : vlan.trim()
    const input = { name, people, ...(vlan.trim() !== '' && { vlan: number as number }) }
    void run('save', async () => onDone(name, await callApi('radius/staff/save', withNetwork(input))))
  }
  return (
    <form className="card form-section" onSubmit={send} noValidate>
      <LeaveGuard on={changed} busy={busy !== undefined} />
      <p className="soft">{t('help')}</p>
      <TextField label={t('name')} help={t('nameHelp')} autoComplete="off" {...field('name', errors)} />
      <TextField label={t('vlan')} help={t('vlanHelp')} inputMode="numeric" optional {...field('vlan', errors)} />
      <TextArea
        label={t('people')}
        help={t('peopleHelp')}
        rows={8}
        dir="ltr"
        spellCheck={false}
        {...field('people', errors)}
      />
      <div role="status">{lines.length > 0 && <Problems errors={lines} />}</div>
      <Button className="justify-self-start" kind="primary" type="submit" busy={busy !== undefined}>
        {t('create')}
      </Button>
    </form>
  )
}

/** Of the problems of a list: whoever mends these sees the next. */
const mostShown = 20

function Problems({ errors }: Pick<FormProps, 'errors'>) {
  const t = useTranslations('radius.file')
  const text = useFieldText()
  return (
    <Note tone="bad" title={t('errors', { count: errors.length })}>
      {errors.slice(0, mostShown).map(({ row, field, problem }) => (
        <div key={`${row} ${field} ${problem}`}>{t('problem', { row, field, problem: text(problem) })}</div>
      ))}
    </Note>
  )
}
