'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi, isCancelled } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { useCall } from '@/app/_api/use-call'
import { useFieldErrors, useFieldText } from '@/app/_api/words'
import { fileText } from '@/app/_shared/file-text'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { FileField } from '@/app/_ui/file-input'
import { Link } from '@/app/_ui/link'
import { Note } from '@/app/_ui/note'

type Checked = CallOutput<'networks/device-import'>
type Job = Checked['jobs'][number]
const pollMs = 1000

/** A file of devices for several networks: looked at first, then adopted in each, which is followed here. */
export function ImportDevicesDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('networks.devicesFile')
  const errorsOf = useFieldErrors()
  const [file, setFile] = useState('')
  const [trustHostKeys, setTrust] = useState(false)
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<string>()
  const look = async (chosen: File | undefined) => {
    const text = chosen ? await fileText(chosen) : ''
    setFile(text)
    setChecked(undefined)
    if (text === '') return
    try {
      setChecked(await callApi('networks/device-import', { file: text, check: true }, { quiet: true }))
      setProblem(undefined)
    } catch (error) {
      if (!isCancelled(error)) setProblem(errorsOf(error).file)
    }
  }
  const adopt = async () => {
    setChecked(await callApi('networks/device-import', { file, trustHostKeys }))
    return 'stay'
  }
  if (checked && checked.jobs.length > 0) return <Jobs jobs={checked.jobs} onClose={onClose} />
  const fine = checked !== undefined && checked.errors.length === 0
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title')}
      help={t('help')}
      action={t('adopt', { count: fine ? checked.rows : 0 })}
      disabled={!fine}
      onConfirm={adopt}
    >
      <FileField label={t('file')} error={problem} accept=".csv,text/csv" onFile={file => void look(file)} />
      <SwitchField label={t('trust')} help={t('trustHelp')} checked={trustHostKeys} onChange={setTrust} />
      {fine && <Note tone="ok" title={t('fine', { count: checked.rows })} />}
      {checked && !fine && <Errors errors={checked.errors} />}
    </ConfirmDialog>
  )
}

function Errors({ errors }: { errors: Checked['errors'] }) {
  const t = useTranslations('networks.devicesFile')
  const text = useFieldText()
  return (
    <Note tone="bad" title={t('errors', { count: errors.length })}>
      {errors.map(({ row, field, problem }) => (
        <div key={`${row} ${field} ${problem}`}>{t('problem', { row, field, problem: text(problem) })}</div>
      ))}
    </Note>
  )
}

function Jobs({ jobs, onClose }: { jobs: readonly Job[]; onClose: () => void }) {
  const t = useTranslations('networks.devicesFile')
  return (
    <Dialog open onClose={onClose} title={t('title')} footer={<Button onClick={onClose}>{t('close')}</Button>}>
      <ul className="plain-words">
        {jobs.map(job => (
          <JobLine key={job.jobId} job={job} />
        ))}
      </ul>
    </Dialog>
  )
}

/** How far the devices of one network are, and why some are not adopted. */
function JobLine({ job: { networkId, networkName, jobId, rows } }: { job: Job }) {
  const t = useTranslations('networks.devicesFile')
  const why = useReason()
  const [going, setGoing] = useState(true)
  const { data } = useCall(
    'devices/adopt/result',
    { networkId, jobId },
    { refreshMs: going ? pollMs : 0, swr: { onSuccess: answer => setGoing(answer.state === 'running') } },
  )
  const items = data?.items ?? []
  const failed = items.filter(one => one.state === 'failed')
  const adopted = items.filter(one => one.state === 'adopted').length
  const words = { done: adopted + failed.length, all: rows, failed: failed.length }
  return (
    <li>
      <span className="row wrapping">
        <Link href={`/network/${networkId}/devices`}>{networkName}</Link>
        <span className="soft">
          {going || failed.length > 0 ? t('progress', words) : t('adopted', { count: adopted })}
        </span>
      </span>
      {failed.map(one => (
        <span key={one.address} className="fine-print muted">
          {t('failed', { address: one.address, why: why(one.failure?.reason ?? '').title })}
        </span>
      ))}
    </li>
  )
}
