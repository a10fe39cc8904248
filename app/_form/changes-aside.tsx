'use client'
import { useTranslations } from 'next-intl'
import { Card } from '@/app/_ui/card'
import { Note } from '@/app/_ui/note'
import { Glyph } from '@/app/_ui/status'
import type { Data } from '@/model/kind'
import { ReferenceName } from './references'
import type { FormSpec } from './spec'
import type { DocumentForm } from './use-document'
import type { Words } from './use-words'
import { isKept } from './values'

type Props = {
  spec: FormSpec
  words: Words
  form: DocumentForm
  /** As it was read: a secret is replaced where one was stored. */
  start: Data
  /** What is taken out is inherited then. */
  inherits?: boolean
}

/** In plain words what a save would change, and what stands in its way. */
export function ChangesAside({ spec, words, form, start, inherits }: Props) {
  const t = useTranslations('form')
  const sentence = (key: string) => {
    const field = spec.fields[key]
    const label = words.label(key)
    const value = form.values.fields[key]
    if (!field || form.hidden.has(key) || value === undefined || value === '')
      return t(inherits ? 'inheritedAgain' : 'removed', { label })
    const becomes = (shown: string) => t('becomes', { label, value: shown })
    if (field.widget === 'ref' && field.kind)
      return <ReferenceName kind={field.kind} id={String(value)} text={becomes} />
    if (field.widget === 'secret') return t(isKept(start[key]) ? 'replaced' : 'isSet', { label })
    return becomes(words.shown(field, value))
  }
  const wrong = Object.entries(form.errors)
  const fine = form.changed.filter(key => !form.errors[key])
  const untouched = fine.length + wrong.length === 0 && !form.assignChanged
  return (
    <aside className="aside">
      <Card title={t('whatChanges')} pad>
        <ul className="plain-words marked">
          {fine.map(key => (
            <li key={key}>
              <Glyph shape="diamond" />
              <span>{sentence(key)}</span>
            </li>
          ))}
          {form.assignChanged && (
            <li>
              <Glyph shape="diamond" />
              <span>{t('becomes', { label: words.word('assign'), value: assignText(form, t) })}</span>
            </li>
          )}
          {wrong.map(([key, message]) => (
            <li key={key}>
              <span className="status bad">
                <Glyph shape="octagon" />
              </span>
              <span>{t('wrong', { label: spec.fields[key] ? words.label(key) : key, message })}</span>
            </li>
          ))}
        </ul>
        {untouched && <p className="muted">{t('nothingChanged')}</p>}
      </Card>
      {spec.managers ? (
        <p className="muted fine-print">{t('atOnce')}</p>
      ) : untouched ? (
        <p className="muted fine-print">{t('later')}</p>
      ) : (
        <Note tone="pending">{t('later')}</Note>
      )}
    </aside>
  )
}

type Say = (key: 'allDevices' | 'assignNone' | 'assigned', values?: { count: number }) => string

export function assignText({ values }: Pick<DocumentForm, 'values'>, t: Say): string {
  const { all, groups, devices } = values.assign
  if (all) return t('allDevices')
  const count = groups.length + devices.length
  return count === 0 ? t('assignNone') : t('assigned', { count })
}
