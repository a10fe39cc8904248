'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { ApiError, callApi, whenRenewed } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { SaveBar } from '@/app/_ui/save-bar'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { codes } from '@/model/codes'
import type { Data, Kind } from '@/model/kind'
import type { SingleKindId } from '@/model/registry'
import { deviceFields, type Source, valuesOf } from '@/model/single'
import type { SingleView } from '@/server/networks/settings/singles'
import { ChangesAside } from './changes-aside'
import { Contents, Notices, problemsOf, ReadOnlyMark, Sections } from './form-parts'
import { LeaveGuard } from './leave-guard'
import { reviewPath, SaveWays, type Then } from './save-ways'
import { SettingsHead, type SettingsPage } from './settings-tabs'
import type { FormSpec } from './spec'
import { type DocumentForm, useDocument, useKind } from './use-document'
import { useWords } from './use-words'
import { cleaned, type FormValues, isKept } from './values'

/** Whose values are edited; the network's when both are absent. */
type ScopeIds = { group?: number; device?: number }
type Props = {
  spec: FormSpec<SingleKindId>
  networkId: number
  mayEdit: boolean
  page: SettingsPage
  scope: ScopeIds
}

/** What exists once: for each field what the scope sets itself, or what it inherits and from whom. */
export function SingleForm(props: Props) {
  const { spec, page, networkId, scope, mayEdit } = props
  const kind = useKind(spec.id)
  const t = useTranslations('form')
  const read = useNetworkCall(`settings/${spec.id}/get`, { scope }, { keep: false })
  const view = read.data
  const of = view && view.scope.scope !== 'network' ? view.scope : undefined
  return (
    <>
      <SettingsHead
        {...{ ...page, networkId }}
        active={spec.id}
        {...(of && { sub: t(`of.${of.scope}`, { name: of.name }) })}
      >
        {!mayEdit && <ReadOnlyMark />}
      </SettingsHead>
      {read.error ? (
        <ErrorState error={read.error} onRetry={() => read.mutate()} />
      ) : kind && view ? (
        <Editor key={view.revision} {...props} kind={kind} view={view} onReload={() => read.mutate()} />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </>
  )
}

type EditorProps = Props & { kind: Kind; view: SingleView; onReload: () => Promise<unknown> }
const nobody: FormValues['assign'] = { all: true, groups: [], devices: [] }

function useSave({ spec, networkId, kind, view, scope, onReload }: EditorProps, form: DocumentForm, inherited: Data) {
  const router = useRouter()
  const worded = useFieldErrors()
  const text = useFailureText()
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState<{ revision: number; then: Then }>()
  const [failure, setFailure] = useState('')
  const save = async (then: Then, revision = view.revision) => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(true)
    setFailure('')
    const input: Data = withNetwork({ ...cleaned(kind, form.values.fields, inherited), scope, revision })
    try {
      await callApi(`settings/${spec.id}/save`, input, { quiet: true, done: 'save_success' })
      await whenRenewed()
      if (then === 'settings') await onReload()
      else router.push(reviewPath(networkId, then))
    } catch (error) {
      if (!(error instanceof ApiError)) return
      const current = error.data.current as { revision: number } | undefined
      form.refuse(worded(error))
      if (error.retCode === codes.staleRevision && current) setStale({ revision: current.revision, then })
      else if (Object.keys(error.fields).length === 0) setFailure(text(error))
    } finally {
      setBusy(false)
    }
  }
  return { save, busy, stale, failure }
}

function Editor(props: EditorProps) {
  const { spec, kind, view, mayEdit, onReload } = props
  const words = useWords(spec)
  const [start] = useState<FormValues>({ fields: view.own, assign: nobody })
  const inherited = useMemo(() => valuesOf(view.inherited), [view.inherited])
  const form = useDocument(kind, start, { inherited })
  const { save, busy, stale, failure } = useSave(props, form, inherited)
  // What stands in a field: the scope's own value, or the inherited one until somebody types.
  const shown: DocumentForm = {
    ...form,
    values: { ...form.values, fields: over(inherited, form.values.fields) },
    hidden: view.scope.scope === 'device' ? form.hidden : new Set([...form.hidden, ...deviceFields(kind)]),
    // A secret that is typed and cleared again stays as it is: an inherited one is none of the scope's own.
    set: (key, value) => form.set(key, isKept(value) ? start.fields[key] : value),
  }
  return (
    <>
      <LeaveGuard on={form.changed.length > 0 && !busy} />
      <Notices
        stored={view.damaged ? { damaged: view.damaged } : undefined}
        {...{ stale, failure, onReload }}
        onOver={() => stale && save(stale.then, stale.revision)}
      />
      <div className="form-layout">
        <Contents spec={spec} words={words} form={form} />
        <Sections
          {...{ spec, words, mayEdit }}
          form={shown}
          start={over(inherited, start.fields)}
          beside={key => <Origin {...{ form, mayEdit }} field={key} from={view.inherited[key]?.from} />}
        />
        {mayEdit && <ChangesAside spec={spec} words={words} form={form} inherits />}
      </div>
      {mayEdit && (
        <SaveBar
          changed={form.changed.length}
          problems={problemsOf(spec, words, form)}
          busy={busy}
          onDiscard={form.reset}
          onSave={() => save('settings')}
          also={<SaveWays busy={busy} onSave={save} />}
        />
      )}
    </>
  )
}

const over = (inherited: Data, own: Data): Data => ({
  ...inherited,
  ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
})

type OriginProps = { form: DocumentForm; field: string; from: Source | undefined; mayEdit: boolean }

/** Beside a field's name: whose value it is, and the way back to the inherited one. Nobody's choice is no mark. */
function Origin({ form, field, from = { scope: 'default' }, mayEdit }: OriginProps) {
  const t = useTranslations('form')
  const name = from.scope === 'default' ? '' : from.name
  const own = form.values.fields[field] !== undefined
  return (
    <div className="origin">
      {!own && from.scope === 'default' ? (
        <span className="muted">{t('from.default')}</span>
      ) : (
        <Badge {...(own && { tone: 'info' as const })}>{own ? t('setHere') : t(`from.${from.scope}`, { name })}</Badge>
      )}
      {own && mayEdit && (
        <Button small kind="ghost" icon="undo" onClick={() => form.set(field, undefined)}>
          {t(`resetTo.${from.scope}`, { name })}
        </Button>
      )}
    </div>
  )
}
