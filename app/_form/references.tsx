'use client'
import { useMemo } from 'react'
import type { CallPath } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'
import type { Data } from '@/model/kind'
import type { ListKindId } from '@/model/registry'
import type { FormSpec } from './spec'

/** What a reference to that kind can point at. */
export function useReferences(kind: string | undefined) {
  const path = `settings/${kind}/options` as CallPath & `settings/${string}/options`
  const { data } = useNetworkCall(path, {})
  return (data?.result ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

/** What several references point at, by their names. */
export function ReferenceNames({ kind, ids }: { kind: string; ids: readonly string[] }) {
  const options = useReferences(kind)
  return ids.flatMap(id => options.find(one => one.value === id)?.label ?? []).join(', ')
}

/** What a reference points at, by its name; nothing while that is not known. */
export function ReferenceName({ kind, id, text }: { kind: string; id: string; text?(name: string): string }) {
  const name = useReferences(kind).find(one => one.value === id)?.label
  return name === undefined ? null : (text?.(name) ?? name)
}

/** The list's other documents, which rules look at; the manager judges by all of them. */
export function useOthers(spec: FormSpec<ListKindId>, stored: Data | undefined): readonly Data[] | undefined {
  const { data } = useNetworkCall(`settings/${spec.id}/list`, { pageSize: 200 })
  const id = stored?.id
  return useMemo(
    () => (data?.result as Data[] | undefined)?.filter(one => one.id !== id && one.damaged === undefined),
    [data, id],
  )
}
