'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from './button'
import { useSaveKey } from './save-key'
import { Badge, Glyph } from './status'

type Props = {
  /** How many fields differ from what is saved; at 0 the bar is not there. */
  changed: number
  /** Fields with a problem: the id to lead to and its name. */
  problems?: readonly { id: string; name: string }[]
  busy?: boolean
  onDiscard: () => void
  onSave: () => void
  /** A second, primary way to save, e.g. "Save and review". */
  also?: ReactNode
}

/** Sits below a changed form: what changed, what is wrong, discard, save. Ctrl S saves. */
export function SaveBar({ changed, problems = [], busy, onDiscard, onSave, also }: Props) {
  const t = useTranslations('common.saveBar')
  const open = changed > 0
  useSaveKey(event => {
    if (!open) return
    event.preventDefault()
    // What is being saved stands in the dialog, not below it.
    if (!(event.target as Element).closest('[role="dialog"]')) onSave()
  })
  if (!open) return null
  const [first] = problems
  return (
    <section className="save-bar" aria-label={t('label')}>
      <div className="grow row wrapping">
        <Badge state="modified">{t('modified')}</Badge>
        <span>{t('fields', { count: changed })}</span>
        {first && (
          <span className="status bad">
            <Glyph shape="octagon" />
            <a href={`#${first.id}`} className="text-danger">
              {t('problems', { count: problems.length, name: first.name })}
            </a>
          </span>
        )}
      </div>
      <Button onClick={onDiscard}>{t('discard')}</Button>
      <Button kind={also ? 'plain' : 'primary'} busy={busy} disabled={problems.length > 0} onClick={onSave}>
        {t('save')}
      </Button>
      {also}
    </section>
  )
}
