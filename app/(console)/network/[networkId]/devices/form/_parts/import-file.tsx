'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi, isCancelled } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFieldErrors, useFieldText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { SwitchField } from '@/app/_ui/check'
import { Field } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PlainTable } from '@/app/(console)/network/[networkId]/devices/_parts/plain-table'
import { candidateOf } from './by-address'
import { GroupChoice, useGroupChoice } from './group-choice'
import { ItemRow } from './item-row'
import { useAdoption } from './use-adoption'

type Checked = CallOutput<'devices/import'>

/** Many devices from a CSV file: looked at first, line by line, and adopted only when no line is wrong. */
export function ImportFile() {
  const t = useTranslations('addDevices.file')
  const errorsOf = useFieldErrors()
  const adoption = useAdoption()
  const group = useGroupChoice()
  const [file, setFile] = useState('')
  const [trust, setTrust] = useState(false)
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (text: string, check: boolean) => {
    setBusy(true)
    try {
      const done = await callApi(
        'devices/import',
        withNetwork({ file: text, check, trustHostKeys: trust, groupId: group.value }),
      )
      setChecked(done)
      setProblem(undefined)
      if (done.jobId) adoption.follow(done.jobId)
    } catch (error) {
      setChecked(undefined)
      if (!isCancelled(error)) setProblem(errorsOf(error).file)
    } finally {
      setBusy(false)
    }
  }
  const take = async (chosen: File | undefined) => {
    const text = (await chosen?.text()) ?? ''
    setFile(text)
    if (text) await send(text, true)
  }
  const fine = checked !== undefined && checked.errors.length === 0
  return (
    <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
      <section className="card form-section">
        <p>{t('help')}</p>
        <code className="fine-print ip" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {t('columns')}
        </code>
        <Field label={t('file')} error={problem}>
          {wired => (
            <input
              {...wired}
              type="file"
              accept=".csv,text/csv"
              // The same file, mended, is a change too.
              onClick={event => {
                event.currentTarget.value = ''
              }}
              onChange={event => void take(event.target.files?.[0])}
            />
          )}
        </Field>
        <SwitchField label={t('trust')} help={t('trustHelp')} checked={trust} onChange={setTrust} />
        <GroupChoice state={group} />
        {fine && <Note tone="ok" title={t('fine', { count: checked.rows })} />}
        <Button
          className="justify-self-start"
          kind="primary"
          busy={busy}
          disabled={!fine || adoption.going}
          onClick={() => void send(file, false)}
        >
          {t('adopt', { count: checked?.rows ?? 0 })}
        </Button>
      </section>
      {checked && checked.errors.length > 0 && <Errors errors={checked.errors} />}
      {adoption.items.length > 0 && (
        <Card title={t('progress')}>
          {adoption.items.map(item => (
            <ItemRow key={item.address} one={candidateOf(item)} />
          ))}
        </Card>
      )}
    </div>
  )
}

function Errors({ errors }: { errors: Checked['errors'] }) {
  const t = useTranslations('addDevices.file')
  const text = useFieldText()
  return (
    <Card title={t('errors', { count: errors.length })}>
      <PlainTable
        label={t('errors', { count: errors.length })}
        rows={errors}
        rowKey={one => `${one.row} ${one.field} ${one.problem}`}
        columns={[
          { key: 'row', title: t('line'), end: true, cell: one => one.row },
          { key: 'field', title: t('column'), cell: one => <span className="ip">{one.field}</span> },
          { key: 'problem', title: t('problem'), cell: one => text(one.problem) },
        ]}
      />
    </Card>
  )
}
