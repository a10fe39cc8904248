'use client'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { TextField } from './field'
import { Note } from './note'
import { toast } from './toast'

/** Copies a text, and says so. Browsers allow it over https and on this machine alone: `select` then marks it, to be copied by hand. */
export function useCopy(): (text: string, select?: () => void) => Promise<void> {
  const t = useTranslations('common')
  return async (text, select) => {
    select?.()
    const copied = navigator.clipboard?.writeText(text).then(() => true) ?? Promise.resolve(false)
    const done = await copied.catch(() => false)
    toast(done ? 'ok' : 'warn', t(done ? 'copied' : 'copyByHand'))
  }
}

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
