import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { useSettled } from '@/app/_ui/use-settled'

// Devices to choose from: a network can have ten thousand, so the manager searches, and answers the first that fit.

type Row = { id: number; name: string; address?: string }

const optionOf = ({ id, name, address }: Row) => ({ value: String(id), label: name, ...(address && { help: address }) })

/** Groups or devices as options; none while they are on their way. */
export const named = (rows: readonly Row[] = []) => rows.map(optionOf)

/** So many names of what is chosen are drawn. */
const drawn = 3

/** The network's devices by name, for whoever sets settings, and its groups. */
export function useTargets(chosen: readonly number[]) {
  const [typed, onTyped] = useState('')
  const search = useSettled(typed)
  const { data } = useNetworkCall('settings/targets', { search, chosen: chosen.slice(0, drawn) })
  const asked = { total: data?.total ?? 0, onTyped, chosen: named(data?.chosen) }
  return { groups: named(data?.groups), devices: { options: named(data?.devices), asked } }
}

/** The network's devices with their addresses, for whoever may see them; `but` is none of them. */
export function useDeviceOptions(but?: number) {
  const [typed, onTyped] = useState('')
  const search = useSettled(typed)
  const { data } = useNetworkCall('devices/list', { search, pageSize: 50 })
  const rows = (data?.result ?? []).filter(({ id }) => id !== but)
  const [known, setKnown] = useState<readonly Row[]>([])
  /** What is chosen stays named while something else is searched. */
  const keep = (id: string) => setKnown(rows.filter(row => String(row.id) === id))
  const total = (data?.total ?? 0) - ((data?.result.length ?? 0) - rows.length)
  return {
    keep,
    loaded: data !== undefined,
    none: typed === '' && data !== undefined && rows.length === 0,
    field: { options: named(rows), asked: { total, onTyped, chosen: named(known) } },
  }
}
