'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { ApiError, callApi, whenRenewed } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { useSaved } from '@/app/_shared/left-out'
import { Button } from '@/app/_ui/button'
import { Dialog, LeaveQuestion } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { useSaveKey } from '@/app/_ui/save-key'
import { toast } from '@/app/_ui/toast'
import type { Data, Kind } from '@/model/kind'
import { loadKind } from '@/model/registry'
import { DocumentSections } from './form-parts'
import { LeaveGuard } from './leave-guard'
import { InPanel, type QuickAddPanelProps, useDepth } from './quick-add'
import { useOthers } from './references'
import { type DocumentForm, useDocument } from './use-document'
import { useWords } from './use-words'
import { cleaned, startValues } from './values'

/** A form above the form: makes what a field refers to, while all that was typed below stays. */
export function QuickAddPanel(props: QuickAddPanelProps) {
  const { spec, onClose } = props
  const failed = useTranslations('common.failure')
  const [kind, setKind] = useState<Kind>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, when it opens
  useEffect(() => {
    let here = true
    const lost = () => {
      if (!here) return
      toast('bad', failed('network'))
      onClose()
    }
    loadKind(spec.id).then(loaded => here && setKind(loaded), lost)
    return () => {
      here = false
    }
  }, [])
  return kind ? <Panel {...props} kind={kind} /> : null
}

type PanelProps = QuickAddPanelProps & { kind: Kind }

function useCreate({ spec, kind, onClose }: PanelProps, form: DocumentForm) {
  const worded = useFieldErrors()
  const text = useFailureText()
  const tellSaved = useSaved()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const create = async () => {
    form.touchAll()
    if (!form.valid || busy) return
    setBusy(true)
    setFailure('')
    const { fields, assign } = form.values
    try {
      const input = withNetwork<Data>({ ...cleaned(kind, fields), ...(spec.assigned && { assign }) })
      const { id } = await callApi(`settings/${spec.id}/save`, input, { quiet: true })
      void tellSaved({ kind: spec.id, id }, 'added')
      await whenRenewed()
      onClose(id)
    } catch (error) {
      setBusy(false)
      if (!(error instanceof ApiError)) return
      form.refuse(worded(error))
      if (Object.keys(error.fields).length === 0) setFailure(text(error))
    }
  }
  return { create, busy, failure }
}

function Panel(props: PanelProps) {
  const { spec, kind, field, onClose } = props
  const common = useTranslations('common')
  const words = useWords(spec)
  const [start] = useState(() => startValues(spec, undefined))
  const form = useDocument(kind, start, { others: useOthers(spec, undefined) })
  const { create, busy, failure } = useCreate(props, form)
  const [leaving, setLeaving] = useState(false)
  const within = `panel${useDepth() + 1}-`
  const dirty = form.changed.length > 0 || form.assignChanged
  const close = () => (dirty ? setLeaving(true) : onClose())
  const body = useRef<HTMLDivElement>(null)
  // Ctrl S in this panel saves what is in it, not what lies below.
  useSaveKey(event => {
    if (!body.current?.closest('[role="dialog"]')?.contains(event.target as Node)) return
    event.preventDefault()
    void create()
  })
  const footer = (
    <>
      <Button onClick={close}>{common('cancel')}</Button>
      <Button kind="primary" busy={busy} disabled={Object.keys(form.errors).length > 0} onClick={create}>
        {common('save')}
      </Button>
    </>
  )
  return (
    <InPanel kind={spec.id}>
      <LeaveGuard on={dirty} busy={busy} />
      <Dialog open width="wide" onClose={close} title={words.word('new')} footer={footer} focusAfter={field}>
        {failure && <Note tone="bad" alert title={failure} />}
        <div className="contents" ref={body}>
          <DocumentSections {...{ spec, words, form, start: start.fields, within }} mayEdit />
        </div>
      </Dialog>
      <LeaveQuestion leave={leaving ? () => onClose() : undefined} stay={() => setLeaving(false)} />
    </InPanel>
  )
}
