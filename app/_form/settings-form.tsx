'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { useNetworkCall, useRefresh, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { SaveBar } from '@/app/_ui/save-bar'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Glyph } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { Crumb } from '@/app/(console)/_shell/crumb'
import { codes } from '@/model/codes'
import type { Widget } from '@/model/fields'
import type { Data, Kind } from '@/model/kind'
import { AssignField } from './assign-field'
import { ChangesAside } from './changes-aside'
import { FieldInput } from './field-input'
import { LeaveGuard } from './leave-guard'
import type { FormSpec } from './spec'
import { type DocumentForm, useDocument, useKind } from './use-document'
import { useWords, type Words } from './use-words'
import { cleaned, isKept, startValues } from './values'

type Props = { spec: FormSpec; networkId: number; id?: string; mayEdit: boolean }

/** The form of any kind: without an id it creates. A document that is gone leads back to the list. */
export function SettingsForm({ spec, networkId, id, mayEdit }: Props) {
  const kind = useKind(spec.id)
  const router = useRouter()
  const text = useFailureText()
  const stored = useNetworkCall(`settings/${spec.id}/get`, id ? { id } : null, { keep: false })
  const gone = stored.error?.retCode === codes.documentNotFound ? stored.error : undefined
  useEffect(() => {
    if (!gone) return
    toast('bad', text(gone))
    router.replace(`/network/${networkId}/${spec.paths.list}`)
  }, [gone, text, router, networkId, spec.paths.list])
  if (stored.error && !gone) return <ErrorState error={stored.error} onRetry={() => stored.mutate()} />
  if (!kind || gone || (id && !stored.data)) return <SkeletonLines lines={8} />
  const data = stored.data as Data | undefined
  return (
    <Editor
      key={`${id ?? 'new'} ${data?.revision ?? 0}`}
      {...{ spec, networkId, kind, stored: data, mayEdit }}
      onReload={() => stored.mutate()}
    />
  )
}

type EditorProps = Omit<Props, 'id'> & { kind: Kind; stored: Data | undefined; onReload: () => unknown }

/** Saves, and says how that ended; `stale` holds the revision somebody else made. */
function useSave({ spec, networkId, kind, stored }: EditorProps, form: DocumentForm) {
  const router = useRouter()
  const refresh = useRefresh()
  const worded = useFieldErrors()
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState<{ revision: number; review: boolean }>()
  const save = async (review: boolean, revision = stored?.revision as number | undefined) => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(true)
    const input: Data = {
      ...cleaned(kind, form.values.fields),
      assign: form.values.assign,
      ...(stored && { id: stored.id, revision }),
    }
    try {
      await callApi(`settings/${spec.id}/save`, withNetwork(input), { quiet: true, done: 'save_success' })
      await refresh(`settings/${spec.id}/list`, `settings/${spec.id}/get`, 'changes/list')
      router.push(`/network/${networkId}/${review ? 'settings/review' : spec.paths.list}`)
    } catch (error) {
      setBusy(false)
      if (!(error instanceof ApiError)) return
      const current = error.data.current as { revision: number } | undefined
      if (error.retCode === codes.staleRevision && current) setStale({ revision: current.revision, review })
      else form.refuse(worded(error))
      return error
    }
  }
  return { save, busy, stale }
}

function Editor(props: EditorProps) {
  const { spec, stored, kind, mayEdit, onReload } = props
  const t = useTranslations('form')
  const text = useFailureText()
  const words = useWords(spec)
  // The values as they were read: what is changed is told from these.
  const [start] = useState(() => startValues(spec, stored))
  const form = useDocument(kind, start)
  const { save, busy, stale } = useSave(props, form)
  const [failure, setFailure] = useState('')
  const dirty = form.changed.length > 0 || form.assignChanged
  const run = async (review: boolean, revision?: number) => {
    const error = await save(review, revision)
    setFailure(
      error && Object.keys(error.fields).length === 0 && error.retCode !== codes.staleRevision ? text(error) : '',
    )
  }
  const title = stored ? String(stored[spec.title] ?? '') : words.word('new')
  return (
    <>
      <LeaveGuard on={dirty && !busy} />
      <Crumb name={title} />
      <PageHead title={title}>{stored && mayEdit && <DeleteButton {...props} />}</PageHead>
      <Notices {...{ stored, stale, failure, onReload }} onOver={() => stale && run(stale.review, stale.revision)} />
      <div className="fl">
        <Contents spec={spec} words={words} form={form} />
        <Sections {...{ spec, words, form, start: start.fields, mayEdit }} />
        <ChangesAside spec={spec} words={words} form={form} />
      </div>
      {mayEdit && (
        <SaveBar
          changed={form.changed.length + Number(form.assignChanged)}
          problems={Object.keys(form.errors).map(key => ({
            id: `field-${key}`,
            name: spec.fields[key] ? words.label(key) : key,
          }))}
          busy={busy}
          onDiscard={form.reset}
          onSave={() => run(false)}
          also={
            <Button kind="primary" busy={busy} onClick={() => run(true)}>
              {t('saveReview')}
            </Button>
          }
        />
      )}
    </>
  )
}

type NoticesProps = {
  stored: Data | undefined
  stale: { revision: number } | undefined
  failure: string
  onReload: () => unknown
  onOver: () => void
}

function Notices({ stored, stale, failure, onReload, onOver }: NoticesProps) {
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

type PartProps = { spec: FormSpec; words: Words; form: DocumentForm }

/** The sections, with a mark at those that hold a problem. */
function Contents({ spec, words, form }: PartProps) {
  const t = useTranslations('form')
  const [on, setOn] = useState(spec.sections[0]?.id)
  return (
    <nav className="toc" aria-label={t('sections')}>
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
const leftFirst: ReadonlySet<Widget> = new Set(['text', 'secret', 'number', 'mac', 'lines', 'rows', 'rate', 'source'])

function Sections({ spec, words, form, start, mayEdit }: PartProps & { start: Data; mayEdit: boolean }) {
  const drawn = (key: string) => {
    const field = spec.fields[key]
    if (!field || form.hidden.has(key)) return null
    const atOnce = !leftFirst.has(field.widget)
    const { inner, error } = form.messages(key)
    return (
      <FieldInput
        key={key}
        spec={field}
        words={words}
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
  }
  return (
    <form className="card" noValidate onSubmit={event => event.preventDefault()}>
      <fieldset className="contents" disabled={!mayEdit}>
        {spec.sections.map((section, at) => (
          <section className="sec" id={section.id} key={section.id}>
            <h2>{words.word(`sections.${section.id}.title`)}</h2>
            {section.fields.map(drawn)}
            {at === 0 && (
              <AssignField
                label={words.word('assign')}
                value={form.values.assign}
                changed={form.assignChanged}
                onChange={form.assign}
              />
            )}
          </section>
        ))}
      </fieldset>
    </form>
  )
}

function DeleteButton({ spec, stored, networkId }: EditorProps) {
  const t = useTranslations('form')
  const router = useRouter()
  const refresh = useRefresh()
  const [open, setOpen] = useState(false)
  const remove = async () => {
    const input = withNetwork({ ids: [String(stored?.id)] })
    await callApi(`settings/${spec.id}/delete`, input, { done: 'delete_success' })
    await refresh(`settings/${spec.id}/list`, 'changes/list')
    router.push(`/network/${networkId}/${spec.paths.list}`)
  }
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('deleteTitle', { name: String(stored?.[spec.title] ?? '') })}
        consequences={[t('deleteText')]}
        action={t('delete')}
        danger
        onConfirm={remove}
      />
    </>
  )
}
