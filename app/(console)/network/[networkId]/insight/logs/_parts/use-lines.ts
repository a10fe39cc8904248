import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import type { Table } from '@/app/_ui/use-table'
import type { useFilter } from './filters'

/** A page of lines: the newest, which follow what comes, or those before a number, which stand still. */
export function useLines(table: Table, filter: ReturnType<typeof useFilter>) {
  const { before } = table.state.filters
  const at = before && /^\d{1,16}$/.test(before) ? Number(before) : undefined
  const live = !at
  const [passed, setPassed] = useState<string[]>([])
  const input = { ...filter, pageSize: table.state.pageSize, ...(at && { before: at }) }
  const call = useNetworkCall('logs/find', input, { live, ...(live && { refreshMs: 5000 }) })
  const rows = call.data?.lines
  const go = (to: string) => table.change({ filters: { before: to } })
  return {
    ...{ call, rows, live, next: call.data?.next, searchedTo: call.data?.searchedTo },
    hold: () => rows?.[0] && go(String(rows[0].id + 1)),
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
export type LinesView = ReturnType<typeof useLines>
