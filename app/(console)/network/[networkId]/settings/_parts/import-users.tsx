'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFieldErrors, useFieldText } from '@/app/_api/words'
import { fileText } from '@/app/_shared/file-text'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { FileField } from '@/app/_ui/file-input'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'

/** Of the problems of a file: whoever mends these sees the next. */
const mostShown = 20

type Checked = CallOutput<'radius/users/import'>

/** RADIUS users from a CSV file: looked at first, line by line, and taken in only when no line is wrong. */
export function ImportUsers({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('radius.file')
  const errorsOf = useFieldErrors()
  const [file, setFile] = useState('')
  const [checked, setChecked] = useState<Checked>()
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const look = async (chosen: File | undefined) => {
    const text = chosen ? await fileText(chosen) : ''
    setFile(text)
    setChecked(undefined)
    setErrors({})
    try {
      if (text) setChecked(await callApi('radius/users/import', withNetwork({ file: text, check: true })))
    } catch (error) {
      setErrors(errorsOf(error))
    }
  }
  const take = async () => {
    const { rows } = await callApi('radius/users/import', withNetwork({ file }))
    toast('ok', t('done', { count: rows }))
  }
  const close = () => {
    setFile('')
    setChecked(undefined)
    setErrors({})
    onClose()
  }
  const fine = checked !== undefined && checked.errors.length === 0
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title={t('title')}
      help={t('help')}
      action={t('import')}
      disabled={!fine}
      onConfirm={take}
    >
      <FileField label={t('choose')} error={errors.file} accept=".csv,text/csv" onFile={chosen => void look(chosen)} />
      <div role="status">
        {checked &&
          (fine ? (
            <Note tone="ok" title={t('fine', { added: checked.added, changed: checked.changed })} />
          ) : (
            <Problems errors={checked.errors} />
          ))}
      </div>
    </ConfirmDialog>
  )
}

function Problems({ errors }: { errors: Checked['errors'] }) {
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
