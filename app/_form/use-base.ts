import { useState } from 'react'
import type { Data, Kind } from '@/model/kind'
import { useDocument } from './use-document'
import type { FormValues } from './values'

type Stored = { revision: number; start: () => FormValues; inherited?: Data }

/**
 * What the form began with, and the revision of that. After a save it is what was saved; what was typed meanwhile stays.
 * What somebody else saved is taken where nothing was changed here; else the save is refused as stale, and says so.
 */
export function useBase(kind: Kind, { revision, start: startOf, inherited }: Stored) {
  const [base, setBase] = useState(() => ({ revision, start: startOf() }))
  const [sent, setSent] = useState<Data>()
  const form = useDocument(kind, base.start, { ...(inherited && { inherited }) })
  if (revision !== base.revision && (sent || form.changed.length === 0)) {
    const start = startOf()
    form.rebase(start, sent ?? base.start.fields)
    setSent(undefined)
    setBase({ revision, start })
  }
  return {
    ...base,
    form,
    noteSent: () => setSent(form.values.fields),
    /** Typed after what was sent: no part of what is being saved. */
    typedSince: sent !== undefined && sent !== form.values.fields,
  }
}
