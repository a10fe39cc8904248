'use client'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { Button } from '@/app/_ui/button'
import { Icon } from '@/app/_ui/icon'
import { Note } from '@/app/_ui/note'
import { Badge, Glyph } from '@/app/_ui/status'
import type { Widget } from '@/model/field-meta'
import type { Data } from '@/model/kind'
import type { Lock, Locks } from '@/server/networks/settings/locks'
import { AssignField } from './assign-field'
import { FieldInput } from './field-input'
import { Fold } from './fold'
import { idOf } from './input-frame'
import { useSectionRead } from './section-read'
import type { FormSpec, KindSpec } from './spec'
import type { DocumentForm } from './use-document'
import type { Words } from './use-words'
import { changedKeys, isKept, startOf } from './values'

const NextChangeOf = dynamic(async () => (await import('./next-change')).NextChangeOf)

// Parts that the form of a list's document and that of a single share.

type NoticesProps = {
  stored: Data | undefined
  stale: { revision: number } | undefined
  failure: string
  onReload: () => unknown
  onOver: () => void
}

export function Notices({ stored, stale, failure, onReload, onOver }: NoticesProps) {
  const t = useTranslations('form')
  const actions = (
    <span className="row">
      <Button small onClick={() => onReload()}>
        {t('loadTheirs')}
      </Button>
      <Button small onClick={onOver}>
        {t('saveOver')}
      </Button>
    </span>
  )
  return (
    <>
      {stored?.damaged !== undefined && (
        <Note tone="bad" title={t('damagedTitle')}>
          {t('damagedText')}
        </Note>
      )}
      {stale && (
        <Note tone="warn" alert title={t('staleTitle')} actions={actions}>
          {t('staleText')}
        </Note>
      )}
      {failure && <Note tone="bad" alert title={failure} />}
    </>
  )
}

type PartProps = { spec: KindSpec; words: Words; form: DocumentForm }

/** A section whose fields do not exist with these values is none. */
const shownSections = (spec: KindSpec, form: DocumentForm) =>
  spec.sections.filter(section => !section.fields.every(key => form.hidden.has(key)))

/** The sections, with a mark at the one that is read and at those that hold a problem. */
export function Contents({ spec, words, form }: PartProps) {
  const t = useTranslations('form')
  const shown = shownSections(spec, form)
  const [read, choose] = useSectionRead(shown.map(section => section.id))
  return (
    <nav className="section-links" aria-label={t('sections')}>
      {shown.map(section => (
        <a
          key={section.id}
          className={section.id === read ? 'on' : ''}
          aria-current={section.id === read ? 'location' : undefined}
          href={`#${section.id}`}
          onClick={() => choose(section.id)}
        >
          {words.word(`sections.${section.id}.title`)}
          {section.fields.some(key => form.errors[key]) && <Glyph shape="octagon" />}
        </a>
      ))}
    </nav>
  )
}

// Typed into: judged when they are left, not at the first key.
const leftFirst: ReadonlySet<Widget> = new Set([
  ...([
    'text',
    'secret',
    'number',
    'mac',
    'lines',
    'rows',
    'rate',
    'data',
    'source',
    'block',
    'prose',
    'colour',
    'time',
    'ports',
  ] as const),
])

/** Beside the title of what is only read. */
export const ReadOnlyMark = () => <Badge>{useTranslations('form')('readOnly')}</Badge>

type SectionsProps = PartProps & {
  start: Data
  mayEdit: boolean
  /** At the end of the first section. */
  last?: ReactNode
  /** What stands with a field: below it, or at its name's end. */
  beside?: (key: string) => ReactNode
  /** Fields that the device decides itself, each with why. */
  locked?: Locks
  /** Before all ids, where this form lies above another. */
  within?: string
}

export function Sections(props: SectionsProps) {
  return (
    <form className="card" noValidate onSubmit={event => event.preventDefault()}>
      <SectionList {...props} />
    </form>
  )
}

/** The sections themselves, for a form that brings more than these. */
export function SectionList({ spec, words, form, start, mayEdit, last, beside, locked, within = '' }: SectionsProps) {
  const drawn = (key: string) => {
    const field = spec.fields[key]
    if (!field || form.hidden.has(key)) return null
    const demanded = !field.required && form.demands(key)
    const atOnce = !leftFirst.has(field.widget)
    const { inner, error } = form.messages(key)
    const input = (
      <FieldInput
        key={key}
        spec={demanded ? { ...field, required: true } : field}
        words={words}
        within={within}
        value={form.values.fields[key]}
        stored={isKept(start[key])}
        changed={form.changed.includes(key)}
        inner={inner}
        onBlur={(path = key) => form.touch(path)}
        onChange={value => {
          form.set(key, value)
          if (atOnce) form.touch(key)
        }}
        {...(error !== undefined && { error })}
      />
    )
    const other = beside?.(key)
    const lock = locked?.[key]
    if (!other && !lock) return input
    return (
      <div className="field-row" key={key}>
        {lock ? <Locked why={lock}>{input}</Locked> : input}
        {other}
      </div>
    )
  }
  return (
    <fieldset className={mayEdit ? 'contents' : 'contents read'} disabled={!mayEdit}>
      {shownSections(spec, form).map((section, at) => {
        const title = words.word(`sections.${section.id}.title`)
        const help = words.maybe(`sections.${section.id}.help`)
        const visible = linesOf(section).filter(line => !line.every(key => form.hidden.has(key)))
        const lines = visible.map(line =>
          line.length === 1 ? (
            drawn(line[0] as string)
          ) : (
            <div className="two-columns" key={line[0]}>
              {line.map(drawn)}
            </div>
          ),
        )
        if (section.fold)
          return (
            <Fold
              key={section.id}
              id={`${within}${section.id}`}
              {...{ title, help }}
              differs={differing(spec, form, section.fields).map(words.label)}
              wrong={section.fields.some(key => form.errors[key])}
            >
              {lines}
            </Fold>
          )
        const [first] = section.fields
        // The heading is the field's name already.
        const named = first !== undefined && words.label(first) === title
        return (
          <section
            className={named ? 'form-section named' : 'form-section'}
            id={`${within}${section.id}`}
            key={section.id}
          >
            {!(spec.sections.length === 1 && title === words.maybe('title')) && <h2>{title}</h2>}
            {help && <p>{help}</p>}
            {lines}
            {at === 0 && last}
          </section>
        )
      })}
    </fieldset>
  )
}

/** A field that is shown and not to be changed, with the reason. */
function Locked({ why, children }: { why: Lock; children: ReactNode }) {
  const t = useTranslations('form.locked')
  const id = useId()
  return (
    <fieldset className="locked read" disabled aria-describedby={id}>
      {children}
      <p className="help locked-why" id={id}>
        <Icon name="lock" />
        {t(why)}
      </p>
    </fieldset>
  )
}

/** Of these fields, those that are not as they are by default. */
const differing = (spec: KindSpec, form: DocumentForm, keys: readonly string[]) =>
  changedKeys(
    Object.fromEntries(keys.flatMap(key => (spec.fields[key] ? [[key, startOf(spec.fields[key])]] : []))),
    Object.fromEntries(keys.filter(key => !form.hidden.has(key)).map(key => [key, form.values.fields[key]])),
  )

/** A section's fields, those together that stand on one line. */
function linesOf({ fields, beside }: KindSpec['sections'][number]): string[][] {
  const lines: string[][] = []
  for (const key of fields)
    if (beside.includes(key)) lines.at(-1)?.push(key)
    else lines.push([key])
  return lines
}

/** The sections of a list's document: with what a schedule does next, and which devices get it. */
export function DocumentSections(props: Omit<SectionsProps, 'last' | 'spec'> & { spec: FormSpec }) {
  const { spec, words, form, beside } = props
  return (
    <Sections
      {...props}
      beside={key =>
        spec.fields[key]?.widget === 'weekSlots' ? <NextChangeOf values={form.values.fields} /> : beside?.(key)
      }
      last={
        spec.assigned && (
          <AssignField
            label={words.word('assign')}
            value={form.values.assign}
            changed={form.assignChanged}
            onChange={form.assign}
          />
        )
      }
    />
  )
}

/** Fields that keep the form from being saved, each with a way to it. */
export const problemsOf = (spec: KindSpec, words: Words, form: DocumentForm) =>
  Object.keys(form.errors).map(key => ({ id: idOf(key), name: spec.fields[key] ? words.label(key) : key }))
