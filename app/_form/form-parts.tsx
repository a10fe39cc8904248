'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button } from '@/app/_ui/button'
import { Note } from '@/app/_ui/note'
import { Badge, Glyph } from '@/app/_ui/status'
import type { Widget } from '@/model/fields'
import type { Data } from '@/model/kind'
import { AssignField } from './assign-field'
import { FieldInput } from './field-input'
import { idOf } from './input-frame'
import { NextChange, timesOf } from './next-change'
import type { FormSpec, KindSpec } from './spec'
import type { DocumentForm } from './use-document'
import type { Words } from './use-words'
import { isKept } from './values'

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

/** The sections, with a mark at those that hold a problem. */
export function Contents({ spec, words, form }: PartProps) {
  const t = useTranslations('form')
  const [on, setOn] = useState(spec.sections[0]?.id)
  return (
    <nav className="section-links" aria-label={t('sections')}>
      {spec.sections.map(section => (
        <a
          key={section.id}
          className={section.id === on ? 'on' : ''}
          href={`#${section.id}`}
          onClick={() => setOn(section.id)}
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
  ...(['text', 'secret', 'number', 'mac', 'lines', 'rows', 'rate', 'source', 'block', 'time'] as const),
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
export function SectionList({ spec, words, form, start, mayEdit, last, beside, within = '' }: SectionsProps) {
  const drawn = (key: string) => {
    const field = spec.fields[key]
    if (!field || form.hidden.has(key)) return null
    const demanded = !field.required && field.default === undefined && form.demands(key)
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
    if (!other) return input
    return (
      <div className="field-row" key={key}>
        {input}
        {other}
      </div>
    )
  }
  return (
    <fieldset className={mayEdit ? 'contents' : 'contents read'} disabled={!mayEdit}>
      {spec.sections.map((section, at) => {
        const title = words.word(`sections.${section.id}.title`)
        const help = words.maybe(`sections.${section.id}.help`)
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
            {linesOf(section).map(line =>
              line.length === 1 ? (
                drawn(line[0] as string)
              ) : (
                <div className="two-columns" key={line[0]}>
                  {line.map(drawn)}
                </div>
              ),
            )}
            {at === 0 && last}
          </section>
        )
      })}
    </fieldset>
  )
}

/** A section's fields, those together that stand on one line. */
function linesOf({ fields, beside }: KindSpec['sections'][number]): string[][] {
  const lines: string[][] = []
  for (const key of fields)
    if (beside.includes(key)) lines.at(-1)?.push(key)
    else lines.push([key])
  return lines
}

/** The sections of a list's document: with what a schedule does next, and which devices get it. */
export function DocumentSections(props: Omit<SectionsProps, 'last' | 'beside' | 'spec'> & { spec: FormSpec }) {
  const { spec, words, form } = props
  return (
    <Sections
      {...props}
      beside={key => spec.fields[key]?.widget === 'weekSlots' && <NextChange times={timesOf(form.values.fields)} />}
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
