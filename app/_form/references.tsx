'use client'
import type { CallPath } from '@/app/_api/client'
import { useNetworkCall } from '@/app/_api/use-call'

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
