'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi, isCancelled } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFieldErrors, useFieldText } from '@/app/_api/words'
import { LoginList } from '@/app/_shared/adoption/login-list'
import { fileText } from '@/app/_shared/file-text'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { SwitchField } from '@/app/_ui/check'
import { FileField } from '@/app/_ui/file-input'
import { Note } from '@/app/_ui/note'
import { PlainTable } from '@/app/(console)/network/[networkId]/devices/_parts/plain-table'
import { AdoptionItems } from './adoption-items'
import { GroupChoice, useGroupChoice } from './group-choice'
import { useLoginChoice } from './login-choice'
import { useAdoption } from './use-adoption'

type Checked = CallOutput<'devices/import'>

type Rest = Omit<CallInput<'devices/import'>, 'file' | 'check' | 'networkId'>

/** A file, what was found wrong in it, and its adoption. `rest`: how its devices are adopted. */
function useImport(rest: Rest) {
  const errorsOf = useFieldErrors()
  const adoption = useAdoption()
  const [file, setFile] = useState('')
  const [checked, setChecked] = useState<Checked>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const send = async (text: string, check: boolean) => {
    setBusy(true)
    try {
      const { logins, ...others } = rest
      const input = { file: text, check, ...others, ...(logins && !check && { logins }) }
      const done = await callApi('devices/import', withNetwork(input))
      setChecked(done)
      setErrors({})
      if (done.jobId) adoption.follow(done.jobId)
    } catch (error) {
      if (check) setChecked(undefined)
      if (!isCancelled(error)) setErrors(errorsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const look = async (chosen: File | undefined) => {
    const text = chosen ? await fileText(chosen) : ''
    setFile(text)
    if (text) await send(text, true)
  }
  return { adoption, checked, errors, busy, look, adopt: () => send(file, false) }
}

/** Many devices from a CSV file: looked at first, line by line, and adopted only when no line is wrong. */
export function ImportFile() {
  const words = useTranslations('adoption')
  const t = useTranslations('adoption.file')
  const group = useGroupChoice()
  const logins = useLoginChoice()
  const [common, setCommon] = useState(false)
  const [trust, setTrust] = useState(false)
  const { adoption, checked, errors, busy, look, adopt } = useImport({
    trustHostKeys: trust,
    ...group.input,
    ...(common && { logins: logins.value }),
  })
  const fine = checked !== undefined && checked.errors.length === 0
  return (
    <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
      <section className="card form-section">
        <p>{t('help')}</p>
        <code className="fine-print ip" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {t('columns')}
        </code>
        <FileField label={t('file')} error={errors.file} accept=".csv,text/csv" onFile={file => void look(file)} />
        <SwitchField label={t('trust')} help={t('trustHelp')} checked={trust} onChange={setTrust} />
        <SwitchField label={t('logins')} help={t('loginsHelp')} checked={common} onChange={setCommon} />
        {common && <LoginList logins={logins} errors={errors} />}
        <GroupChoice state={group} />
        {fine && <Note tone="ok" title={t('fine', { count: checked.rows })} />}
        <Button
          className="justify-self-start"
          kind="primary"
          busy={busy}
          disabled={!fine || adoption.going}
          onClick={() => void adopt()}
        >
          {words('adopt', { count: checked?.rows ?? 0 })}
        </Button>
      </section>
      {checked && checked.errors.length > 0 && <Errors errors={checked.errors} />}
      <AdoptionItems adoption={adoption} />
    </div>
  )
}

function Errors({ errors }: { errors: Checked['errors'] }) {
  const t = useTranslations('adoption.file')
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
