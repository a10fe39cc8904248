'use client'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { Button } from './button'
import { useCopy } from './copy'
import { Dialog } from './dialog'
import { TextField } from './field'
import { Note } from './note'

type Props = { title: string; once: string; help: string; label: string; value: string; onClose: () => void }

/** Something that is shown this once, to be copied. `once` says so. */
export function CopyDialog({ title, once, help, label, value, onClose }: Props) {
  const t = useTranslations('common')
  const copy = useCopy()
  const field = useRef<HTMLDivElement>(null)
  const select = () => field.current?.querySelector('input')?.select()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button kind="primary" icon="copy" onClick={() => void copy(value, select)}>
            {t('copy')}
          </Button>
        </>
      }
    >
      <Note tone="info" title={once}>
        {help}
      </Note>
      <div ref={field}>
        <TextField label={label} value={value} onChange={() => undefined} readOnly dir="ltr" spellCheck={false} />
      </div>
    </Dialog>
  )
}
