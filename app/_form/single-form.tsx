'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from 'react'
import { ApiError, callApi, whenRenewed } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { ReachNote, useLeftOut, useSaved } from '@/app/_shared/left-out'
import { Button } from '@/app/_ui/button'
import { SaveBar } from '@/app/_ui/save-bar'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { Badge } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'
import type { Data, Kind } from '@/model/kind'
import type { SingleKindId } from '@/model/registry'
import { deviceFields, type Source, valuesOf } from '@/model/single'
import type { Locks } from '@/server/networks/settings/locks'
import type { SingleView } from '@/server/networks/settings/singles'
import { ChangesAside } from './changes-aside'
import { Contents, Notices, problemsOf, ReadOnlyMark, Sections } from './form-parts'
import { LeaveGuard } from './leave-guard'
import { reviewPath, SaveWays, type Then } from './save-ways'
import { SettingsHead, type SettingsPage } from './settings-tabs'
import type { FormSpec } from './spec'
import { useBase } from './use-base'
import { type DocumentForm, useKind } from './use-document'
import { useWords } from './use-words'
import { cleaned, type FormValues, isKept } from './values'

/** Whose values are edited; the network's when both are absent. */
export type ScopeIds = { group?: number; device?: number }
export type SingleFormProps = {
  spec: FormSpec<SingleKindId>
  networkId: number
  mayEdit: boolean
  page: SettingsPage
  scope: ScopeIds
  /** Around the sections, with the values as they stand. */
  Around?: ComponentType<{ scope: ScopeIds; values: Data; children: ReactNode }>
  /** Below a field. */
  below?: (field: string) => ReactNode
}

type Props = SingleFormProps

const Bare = ({ children }: { children: ReactNode }) => children

/** What exists once: for each field what the scope sets itself, or what it inherits and from whom. */
export function SingleForm(props: Props) {
  const { spec, page, networkId, scope, mayEdit } = props
  const kind = useKind(spec.id)
  const read = useNetworkCall(`settings/${spec.id}/get`, { scope }, { keep: false })
  const view = read.data
  const [reloads, setReloads] = useState(0)
  useScopeGone(props, read.error)
  return (
    <>
      <SettingsHead {...{ ...page, networkId }} active={spec.id}>
        {!mayEdit && <ReadOnlyMark />}
      </SettingsHead>
      {read.error && !view ? (
        <ErrorState error={read.error} onRetry={() => read.mutate()} />
      ) : kind && view ? (
        <Editor
          key={`${scope.group ?? ''} ${scope.device ?? ''} ${reloads}`}
          {...props}
          {...{ kind, view }}
          onRead={() => read.mutate()}
          onReload={async () => {
            await read.mutate()
            setReloads(count => count + 1)
          }}
        />
      ) : (
        <SkeletonLines lines={8} />
      )}
    </>
  )
}

const scopeGone: readonly number[] = [codes.deviceNotFound, codes.groupNotFound]

/** Own settings of a device or a group that is gone: the network's open, with the reason. */
function useScopeGone({ spec, networkId, scope }: Props, error: ApiError | undefined) {
  const text = useFailureText()
  const router = useRouter()
  const gone = error && scopeGone.includes(error.retCode) && (scope.group ?? scope.device) !== undefined
  useEffect(() => {
    if (!gone) return
    toast('bad', text(error))
    router.replace(`/network/${networkId}/${spec.paths.list}`)
  }, [gone, error, text, router, networkId, spec.paths.list])
}

type EditorProps = Props & {
  kind: Kind
  view: SingleView & { locked: Locks }
  /** Asks for what is stored now. */
  onRead: () => Promise<unknown>
  /** Begins anew with what is stored now. */
  onReload: () => Promise<unknown>
}
const nobody: FormValues['assign'] = { all: true, groups: [], devices: [] }

type Base = ReturnType<typeof useBase>

function useSave({ spec, networkId, kind, scope, onRead }: EditorProps, base: Base, inherited: Data) {
  const { form, noteSent } = base
  const router = useRouter()
  const worded = useFieldErrors()
  const text = useFailureText()
  const tellSaved = useSaved()
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState<{ revision: number; then: Then }>()
  const [failure, setFailure] = useState('')
  const save = async (then: Then, revision = base.revision) => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(true)
    setFailure('')
    const input: Data = withNetwork({ ...cleaned(kind, form.values.fields, inherited), scope, revision })
    try {
      await callApi(`settings/${spec.id}/save`, input, { quiet: true })
      void tellSaved({ kind: spec.id })
      noteSent()
      await whenRenewed()
      if (then === 'settings') await onRead()
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
  const { spec, kind, view, mayEdit, scope, onReload, Around = Bare, below } = props
  const words = useWords(spec)
  const left = useLeftOut(spec.id)
  const inherited = useMemo(() => valuesOf(view.inherited), [view.inherited])
  const base = useBase(kind, {
    revision: view.revision,
    start: () => ({ fields: view.own, assign: nobody }),
    inherited,
  })
  const { form, start } = base
  const { save, busy, stale, failure } = useSave(props, base, inherited)
  // What stands in a field: the scope's own value, or the inherited one until somebody types.
  const shown: DocumentForm = {
    ...form,
    values: { ...form.values, fields: over(inherited, form.values.fields) },
    hidden: view.scope.scope === 'device' ? form.hidden : new Set([...form.hidden, ...deviceFields(kind)]),
    // A secret that is typed and cleared again stays as it is: an inherited one is none of the scope's own.
    set: (key, value) => form.set(key, isKept(value) ? start.fields[key] : value),
  }
  const problems = problemsOf(spec, words, form)
  return (
    <>
      <LeaveGuard on={form.changed.length > 0} busy={busy && !base.typedSince} />
      <Notices
        stored={view.damaged ? { damaged: view.damaged } : undefined}
        {...{ stale, failure, onReload }}
        onOver={() => stale && save(stale.then, stale.revision)}
      />
      <ReachNote reach={left.get(spec.id)} />
      <div className="form-layout">
        <Contents spec={spec} words={words} form={form} />
        <Around scope={scope} values={shown.values.fields}>
          <Sections
            {...{ spec, words, mayEdit }}
            form={shown}
            start={over(inherited, start.fields)}
            locked={view.locked}
            beside={key => (
              <>
                <Origin {...{ form, mayEdit }} field={key} from={view.inherited[key]?.from} />
                {below?.(key)}
              </>
            )}
          />
        </Around>
        {mayEdit && <ChangesAside {...{ spec, words, form }} start={over(inherited, start.fields)} inherits />}
      </div>
      {mayEdit && (
        <SaveBar
          changed={form.changed.length}
          problems={problems}
          busy={busy}
          onDiscard={form.reset}
          onSave={() => save('settings')}
          also={<SaveWays busy={busy} wrong={problems.length > 0} onSave={save} />}
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
        <Badge>{t('from.default')}</Badge>
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
