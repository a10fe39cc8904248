'use client'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, callApi, whenRenewed } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { ReachNote, useLeftOut, useSaved } from '@/app/_shared/left-out'
import { Button } from '@/app/_ui/button'
import { Crumb } from '@/app/_ui/crumb'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { wayBack } from '@/app/_ui/kept-view'
import { PageHead } from '@/app/_ui/page-head'
import { SaveBar } from '@/app/_ui/save-bar'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { codes, documentCode } from '@/model/codes'
import type { Data, Kind } from '@/model/kind'
import type { ListKindId } from '@/model/registry'
import { ChangesAside } from './changes-aside'
import { Contents, DocumentSections, Notices, problemsOf, ReadOnlyMark } from './form-parts'
import { LeaveGuard } from './leave-guard'
import { Presets, usePresets } from './presets'
import { useOthers } from './references'
import { reviewPath, SaveWays, type Then } from './save-ways'
import type { FormSpec } from './spec'
import { type DocumentForm, useDocument, useKind } from './use-document'
import { useWords } from './use-words'
import { cleaned, startValues } from './values'

const LogMatches = dynamic(async () => (await import('./log-matches')).LogMatches)
const SplashPreview = dynamic(async () => (await import('./splash-preview')).SplashPreview)

/** What no document can be called is none that exists. */
const isGone = (spec: FormSpec, error: ApiError | undefined) =>
  error?.retCode === codes[documentCode(spec.id, 'notFound')] || error?.fields.id === 'notFound'

type Props = {
  spec: FormSpec<ListKindId>
  networkId: number
  id?: string
  mayEdit: boolean
  /** Beside the name of what is saved. */
  actions?: ReactNode
  /** What a new one begins with, where something else proposes it. */
  given?: Data
}

/** The form of any kind: without an id it creates. A document that is gone leads back to the list. */
export function SettingsForm({ spec, networkId, id, mayEdit, actions, given }: Props) {
  const kind = useKind(spec.id)
  const presets = usePresets(spec.id, !id)
  const router = useRouter()
  const text = useFailureText()
  const stored = useNetworkCall(`settings/${spec.id}/get`, id ? { id } : null, { keep: false })
  const gone = isGone(spec, stored.error) ? stored.error : undefined
  useEffect(() => {
    if (!gone) return
    toast('bad', text(new ApiError('refused', gone.path, codes[documentCode(spec.id, 'notFound')])))
    router.replace(wayBack(`/network/${networkId}/${spec.paths.list}`))
  }, [gone, text, router, networkId, spec])
  if (stored.error && !stored.data && !gone) return <ErrorState error={stored.error} onRetry={() => stored.mutate()} />
  if (!kind || !presets || gone || (id && !stored.data)) return <SkeletonLines lines={8} />
  const data = stored.data as Data | undefined
  return (
    <Editor
      key={`${id ?? 'new'} ${data?.revision ?? 0}`}
      {...{ spec, networkId, kind, presets, stored: data, mayEdit, actions, given }}
      onReload={() => stored.mutate()}
    />
  )
}

type EditorProps = Omit<Props, 'id' | 'given'> & {
  given: Data | undefined
  kind: Kind
  presets: Parameters<typeof Presets>[0]['presets']
  stored: Data | undefined
  onReload: () => unknown
}

/** Saves, and says how that ended; `stale` holds the revision somebody else made. */
function useSave({ spec, networkId, kind, stored, onReload }: EditorProps, form: DocumentForm) {
  const router = useRouter()
  const worded = useFieldErrors()
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState<{ revision: number; then: Then }>()
  const done = stored ? 'saved' : 'added'
  const tellSaved = useSaved()
  const save = async (then: Then, revision = stored?.revision as number | undefined) => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(true)
    const input: Data = {
      ...cleaned(kind, form.values.fields),
      ...(spec.assigned && { assign: form.values.assign }),
      ...(stored && { id: stored.id, revision }),
    }
    try {
      const { id } = await callApi(`settings/${spec.id}/save`, withNetwork(input), { quiet: true })
      void tellSaved({ kind: spec.id, id }, done)
      await Promise.all([whenRenewed(), onReload()])
      router.push(
        then === 'settings' ? wayBack(`/network/${networkId}/${spec.paths.list}`) : reviewPath(networkId, then),
      )
    } catch (error) {
      setBusy(false)
      if (!(error instanceof ApiError)) return
      const current = error.data.current as { revision: number } | undefined
      if (error.retCode === codes.staleRevision && current) setStale({ revision: current.revision, then })
      else form.refuse(worded(error))
      return error
    }
  }
  return { save, busy, stale }
}

function Editor(props: EditorProps) {
  const { spec, stored, kind, presets, mayEdit, actions, given, onReload } = props
  const text = useFailureText()
  const words = useWords(spec)
  // The values as they were read: what is changed is told from these.
  const [start] = useState(() => startValues(spec, stored))
  const form = useDocument(kind, start, { others: useOthers(spec, stored), given })
  const { save, busy, stale } = useSave(props, form)
  const [failure, setFailure] = useState('')
  const reach = useLeftOut(spec.id).get(String(stored?.id))
  const dirty = form.changed.length > 0 || form.assignChanged
  const run = async (then: Then, revision?: number) => {
    const error = await save(then, revision)
    setFailure(
      error && Object.keys(error.fields).length === 0 && error.retCode !== codes.staleRevision ? text(error) : '',
    )
  }
  const problems = problemsOf(spec, words, form)
  const title = stored ? String(stored[spec.title] ?? '') : words.word('new')
  return (
    <>
      <LeaveGuard on={dirty} busy={busy} />
      <Crumb name={title} />
      <PageHead title={title} mark={!mayEdit && <ReadOnlyMark />}>
        {stored && mayEdit && (
          <>
            {actions}
            <DeleteButton {...props} />
          </>
        )}
      </PageHead>
      <Notices {...{ stored, stale, failure, onReload }} onOver={() => stale && run(stale.then, stale.revision)} />
      {stored && <ReachNote reach={reach} />}
      <div className="form-layout">
        <Contents spec={spec} words={words} form={form} />
        <div className="stack">
          {!stored && <Presets {...{ presets, spec, words, form }} start={start.fields} />}
          <DocumentSections
            {...{ spec, words, form, start: start.fields, mayEdit }}
            beside={key => spec.id === 'logRule' && key === 'text' && <LogMatches {...form.values} />}
          />
          {spec.id === 'splash' && (
            <SplashPreview fields={cleaned(kind, form.values.fields)} id={stored?.id as string | undefined} />
          )}
        </div>
        {mayEdit && <ChangesAside {...{ spec, words, form }} start={start.fields} />}
      </div>
      {mayEdit && (
        <SaveBar
          changed={form.changed.length + Number(form.assignChanged)}
          problems={problems}
          busy={busy}
          onDiscard={form.reset}
          onSave={() => run('settings')}
          also={!spec.managers && <SaveWays busy={busy} wrong={problems.length > 0} onSave={run} />}
        />
      )}
    </>
  )
}

function DeleteButton({ spec, stored, networkId }: EditorProps) {
  const t = useTranslations('form')
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const remove = async () => {
    const input = withNetwork({ ids: [String(stored?.id)] })
    await callApi(`settings/${spec.id}/delete`, input, { done: 'deleted' })
    router.push(wayBack(`/network/${networkId}/${spec.paths.list}`))
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
        consequences={[t(spec.managers ? 'deleteHere' : 'deleteText')]}
        action={t('delete')}
        danger
        onConfirm={remove}
      />
    </>
  )
}
