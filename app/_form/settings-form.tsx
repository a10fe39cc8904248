'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { ApiError, callApi, whenRenewed } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { Crumb } from '@/app/_ui/crumb'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PageHead } from '@/app/_ui/page-head'
import { SaveBar } from '@/app/_ui/save-bar'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { codes } from '@/model/codes'
import type { Data, Kind } from '@/model/kind'
import type { ListKindId } from '@/model/registry'
import { ChangesAside } from './changes-aside'
import { Contents, DocumentSections, Notices, problemsOf, ReadOnlyMark } from './form-parts'
import { LeaveGuard } from './leave-guard'
import { useOthers } from './references'
import { reviewPath, SaveWays, type Then } from './save-ways'
import type { FormSpec } from './spec'
import { type DocumentForm, useDocument, useKind } from './use-document'
import { useWords } from './use-words'
import { cleaned, startValues } from './values'

type Props = { spec: FormSpec<ListKindId>; networkId: number; id?: string; mayEdit: boolean }

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
function useSave({ spec, networkId, kind, stored, onReload }: EditorProps, form: DocumentForm) {
  const router = useRouter()
  const worded = useFieldErrors()
  const [busy, setBusy] = useState(false)
  const [stale, setStale] = useState<{ revision: number; then: Then }>()
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
      await callApi(`settings/${spec.id}/save`, withNetwork(input), { quiet: true, done: 'save_success' })
      await Promise.all([whenRenewed(), onReload()])
      router.push(then === 'settings' ? `/network/${networkId}/${spec.paths.list}` : reviewPath(networkId, then))
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
  const { spec, stored, kind, mayEdit, onReload } = props
  const text = useFailureText()
  const words = useWords(spec)
  // The values as they were read: what is changed is told from these.
  const [start] = useState(() => startValues(spec, stored))
  const form = useDocument(kind, start, { others: useOthers(spec, stored) })
  const { save, busy, stale } = useSave(props, form)
  const [failure, setFailure] = useState('')
  const dirty = form.changed.length > 0 || form.assignChanged
  const run = async (then: Then, revision?: number) => {
    const error = await save(then, revision)
    setFailure(
      error && Object.keys(error.fields).length === 0 && error.retCode !== codes.staleRevision ? text(error) : '',
    )
  }
  const title = stored ? String(stored[spec.title] ?? '') : words.word('new')
  return (
    <>
      <LeaveGuard on={dirty && !busy} />
      <Crumb name={title} />
      <PageHead title={title} mark={!mayEdit && <ReadOnlyMark />}>
        {stored && mayEdit && <DeleteButton {...props} />}
      </PageHead>
      <Notices {...{ stored, stale, failure, onReload }} onOver={() => stale && run(stale.then, stale.revision)} />
      <div className="form-layout">
        <Contents spec={spec} words={words} form={form} />
        <DocumentSections {...{ spec, words, form, start: start.fields, mayEdit }} />
        {mayEdit && <ChangesAside spec={spec} words={words} form={form} />}
      </div>
      {mayEdit && (
        <SaveBar
          changed={form.changed.length + Number(form.assignChanged)}
          problems={problemsOf(spec, words, form)}
          busy={busy}
          onDiscard={form.reset}
          onSave={() => run('settings')}
          also={<SaveWays busy={busy} onSave={run} />}
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
    await callApi(`settings/${spec.id}/delete`, input, { done: 'delete_success' })
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
