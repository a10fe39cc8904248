import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import type { Table } from '@/app/_ui/use-table'
import type { useFilter } from './filters'

/** A page of what came: the newest, which follows what comes, or what is before a number, which stands still. */
export function usePlace(table: Table) {
  const { before } = table.state.filters
  const at = before && /^\d{1,16}$/.test(before) ? Number(before) : undefined
  const [passed, setPassed] = useState<string[]>([])
  const go = (to: string) => table.change({ filters: { before: to } })
  return {
    ...{ at, live: !at },
    go,
    resume() {
      setPassed([])
      go('')
    },
    older(next: number) {
      setPassed([...passed, before ?? ''])
      go(String(next))
    },
    ...(passed.length > 0 && {
      newer() {
        go(passed.at(-1) ?? '')
        setPassed(passed.slice(0, -1))
      },
    }),
  }
}
export type Place = ReturnType<typeof usePlace>

export function useLines(table: Table, filter: ReturnType<typeof useFilter>) {
  const place = usePlace(table)
  const { at, live, go } = place
  const input = { ...filter, pageSize: table.state.pageSize, ...(at && { before: at }) }
  const call = useNetworkCall('logs/find', input, { live, ...(live && { refreshMs: 5000 }) })
  const rows = call.data?.lines
  return {
    ...{ call, rows, live, place },
    hold: () => rows?.[0] && go(String(rows[0].id + 1)),
    resume: place.resume,
  }
}
export type LinesView = ReturnType<typeof useLines>
