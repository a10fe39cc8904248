'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError, type CallPath, callApi, isCancelled } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { isMeant, useSaveKey } from '@/app/_ui/save-key'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'
import type { Data, Kind } from '@/model/kind'
import { authorityOf, type OwnKindId, ownPath } from '@/model/registry'
import type { OwnView } from '@/server/kernel/own-settings'
import { Notices, ReadOnlyMark, SectionList } from './form-parts'
import { LeaveGuard } from './leave-guard'
import type { KindSpec } from './spec'
import { useBase } from './use-base'
import { type DocumentForm, useKind } from './use-document'
import { useWords } from './use-words'
import { cleaned, type FormValues, startValues } from './values'

/** What an area's own part of a form may look at and do. */
export type OwnPart = {
  form: DocumentForm
  /** As a call takes it: no empty field, none that does not exist with the others; a kept secret is {set: true}. */
  input(): Data
  /** The act under way. */
  busy: string | undefined
  /** Runs an act with what stands in the form, unless something is wrong there; what is refused shows at the fields. */
  act(name: string, work: (input: Data) => Promise<unknown>): Promise<void>
}

type Props = {
  spec: KindSpec<OwnKindId>
  /** Calls whose answers a save changes. */
  changes?: readonly CallPath[]
  /** Helps with values of now, in place of the kind's own words. */
  helps?: Readonly<Record<string, string>>
  /** Values to begin with where none is set. */
  suggested?: Data
  /** What else follows when a field is changed by hand. */
  follow?(key: string, value: unknown, before: Data): Data
  /** Fields that say nothing with these values and are kept all the same: they are not shown. */
  folded?(fields: Data): readonly string[]
  /** Without a card and a title of its own, as in a dialog. */
  bare?: boolean
  /** The page bears its name already. */
  pageNamed?: boolean
  /** Closes what it stands in, unsaved. */
  onCancel?: () => void
  /** Above the fields. */
  top?(part: OwnPart): ReactNode
  /** Beside a field's name or below it. */
  beside?(key: string, part: OwnPart): ReactNode
  /** Between the fields and the buttons. */
  extra?(part: OwnPart): ReactNode
  /** Buttons beside that which saves. */
  actions?(part: OwnPart): ReactNode
  onSaved?(): void
}

/** The manager's or an organization's own settings of one kind, on a card of their own. */
export function OwnForm(props: Props) {
  const { spec } = props
  const kind = useKind(spec.id)
  const words = useWords(spec)
  const mayEdit = useMay(`${authorityOf(spec.id)}_edit` as 'devices_edit')
  const read = useCall(ownPath(spec.id, 'get'), {}, { keep: false })
  const view = read.data
  const [reloads, setReloads] = useState(0)
  const body =
    kind && view ? (
      <Editor
        key={reloads}
        {...props}
        {...{ kind, view, mayEdit }}
        onRead={async () => void (await read.mutate())}
        onReload={async () => {
          await read.mutate()
          setReloads(count => count + 1)
        }}
      />
    ) : (
      <Loaded call={read} lines={6}>
        {() => null}
      </Loaded>
    )
  if (props.bare) return body
  return (
    <section className="card" aria-label={words.word('title')}>
      {!(props.pageNamed && mayEdit) && (
        <header>
          {!props.pageNamed && <h2>{words.word('title')}</h2>}
          {!mayEdit && <ReadOnlyMark />}
        </header>
      )}
      {body}
    </section>
  )
}

type EditorProps = Props & {
  kind: Kind
  view: OwnView
  mayEdit: boolean
  /** Asks for what is stored now. */
  onRead: () => Promise<void>
  /** Begins anew with what is stored now. */
  onReload: () => Promise<void>
}

/** As stored; of what was never saved as it is suggested. */
function startOf({ spec, view, suggested }: EditorProps): FormValues {
  const stored = { ...(view.revision === 0 && suggested), ...view.values }
  const { assign, fields } = startValues(spec, undefined)
  return { assign, fields: { ...fields, ...stored } }
}

type Base = ReturnType<typeof useBase>

function useActs({ spec, kind, changes = [], onSaved, onRead }: EditorProps, { form, revision, noteSent }: Base) {
  const words = useWords(spec)
  const t = useTranslations('form')
  const refresh = useRefresh()
  const worded = useFieldErrors()
  const text = useFailureText()
  const [busy, setBusy] = useState<string>()
  const [stale, setStale] = useState<{ revision: number }>()
  const [failure, setFailure] = useState('')
  const input = () => cleaned(kind, form.values.fields)
  const act: OwnPart['act'] = async (name, work) => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(name)
    setFailure('')
    try {
      await work(input())
    } catch (error) {
      if (isCancelled(error) || !(error instanceof ApiError)) return
      const current = error.data.current as { revision: number } | undefined
      form.refuse(worded(error))
      if (error.retCode === codes.staleRevision && current) setStale({ revision: current.revision })
      else if (name === 'save' && Object.keys(error.fields).length === 0) setFailure(text(error))
    } finally {
      setBusy(undefined)
    }
  }
  const save = (over = revision) =>
    act('save', async fields => {
      await callApi(ownPath(spec.id, 'save'), { ...fields, revision: over }, { quiet: true })
      noteSent()
      toast('ok', words.maybe('saved') ?? t('saved'))
      await refresh(...changes)
      await onRead()
      onSaved?.()
    })
  return { save, act, input, busy, stale, failure }
}

function Editor(props: EditorProps) {
  const { spec, view, mayEdit, helps, follow, top, beside, extra, actions, onCancel, onReload } = props
  const t = useTranslations('form')
  const common = useTranslations('common')
  const own = useWords(spec)
  const words = { ...own, help: (key: string) => helps?.[key] ?? own.help(key) }
  const base = useBase(props.kind, { revision: view.revision, start: () => startOf(props) })
  const { form, start } = base
  const { save, act, input, busy, stale, failure } = useActs(props, base)
  const typed: DocumentForm = {
    ...form,
    hidden: new Set([...form.hidden, ...(props.folded?.(form.values.fields) ?? [])]),
    set(key, value) {
      for (const [other, then] of Object.entries(follow?.(key, value, form.values.fields) ?? {})) form.set(other, then)
      form.set(key, value)
    },
  }
  const part: OwnPart = { form: typed, input, busy, act }
  const element = useRef<HTMLFormElement>(null)
  const dirty = form.changed.length > 0
  useSaveKey(event => {
    if (!mayEdit || !dirty || !isMeant(element, event)) return
    event.preventDefault()
    void save()
  })
  return (
    <form
      ref={element}
      className={props.bare ? 'own-form bare' : 'own-form'}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <LeaveGuard on={dirty} busy={!!busy && !base.typedSince} />
      <div className="own-top">
        {top?.(part)}
        <Notices
          stored={view.damaged && { damaged: view.damaged }}
          {...{ stale, failure, onReload }}
          onOver={() => stale && void save(stale.revision)}
        />
      </div>
      <SectionList
        {...{ spec, words, mayEdit }}
        form={typed}
        start={start.fields}
        {...(beside && { beside: (key: string) => beside(key, part) })}
      />
      {extra && mayEdit && <div className="form-section">{extra(part)}</div>}
      {mayEdit && (
        <div className="form-section form-end">
          {onCancel && <Button onClick={onCancel}>{common('cancel')}</Button>}
          <Button
            type="submit"
            kind="primary"
            busy={busy === 'save'}
            // What was never saved, or is damaged, may be saved as it is proposed.
            disabled={!dirty && view.revision > 0 && !view.damaged}
          >
            {words.maybe('save') ?? t('save')}
          </Button>
          {dirty && <Button onClick={form.reset}>{t('discard')}</Button>}
          {actions?.(part)}
        </div>
      )}
    </form>
  )
}
