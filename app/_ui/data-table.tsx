'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { ApiError } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import { codes } from '@/model/codes'
import { Button } from './button'
import { ColumnChooser } from './column-chooser'
import { Grid, type GridProps } from './data-grid'
import { arranged, type Column, type ColumnChoice } from './data-table-types'
import { TablePager } from './pager'
import { SearchBox } from './search-box'
import { EmptyState, ErrorState } from './states'
import { toast } from './toast'
import { type Table, useStored } from './use-table'

type Answer<T> = {
  data: { result: T[]; total: number } | undefined
  error: ApiError | undefined
  /** `data` is still of the former page, sort or search. */
  isLoading?: boolean
  mutate: () => unknown
}

export type DataTableProps<T> = Omit<GridProps<T>, 'shown' | 'rows'> & {
  /** Names the stored column choice. */
  id: string
  columns: readonly Column<T>[]
  /** What `useCall` gave for a list call. */
  call: Answer<T>
  searchLabel?: string
  /** Filters between search and column chooser. */
  tools?: ReactNode
  /** Chosen filters as removable tags, below the tools. */
  chosen?: ReactNode
  empty: ReactNode
}

/** A list: search, filters, columns, sortable head, rows with keys j k x Enter, pager; and each of its honest states. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { id, columns, table, call, searchLabel, tools, chosen } = props
  const [choice, setChoice] = useStored<ColumnChoice>(`lanward.columns.${id}`)
  const shown = useMemo(() => arranged(columns, choice), [columns, choice])
  const view = JSON.stringify(props.onOrder ? call.data?.result.map(props.rowKey) : table.input)
  const rows = useSteady(call, props.rowKey, view)
  return (
    <section className="card" aria-label={props.label}>
      <div className="filter-bar">
        {searchLabel && (
          <SearchBox
            value={table.state.search}
            placeholder={searchLabel}
            onSearch={search => table.change({ search })}
          />
        )}
        {tools}
        {call.data?.total !== 0 && columns.some(column => !column.fixed) && (
          <span className="end row">
            <ColumnChooser columns={columns} choice={choice} onChoice={setChoice} />
          </span>
        )}
      </div>
      {chosen}
      <Body {...props} shown={shown} rows={rows} />
      <TablePager table={table} total={call.data?.total} />
    </section>
  )
}

/** An address with a filter or a sort that the list does not know: the list without them, and why. */
function useUnknownFilter(error: ApiError | undefined, { filtered, state, reset }: Table): void {
  const text = useFailureText()
  const unknown = error?.retCode === codes.invalidInput && (filtered || state.sort !== undefined) ? error : undefined
  useEffect(() => {
    if (!unknown) return
    toast('bad', text(unknown))
    reset()
  }, [unknown, text, reset])
}

/** Rows in the order they were drawn while only their values change: a row never jumps away under the pointer. */
function useSteady<T>({ data, isLoading }: Answer<T>, keyOf: (row: T) => string, view: string): T[] | undefined {
  const last = useRef<{ view: string; keys: string[] }>({ view: '', keys: [] })
  const rows = data?.result
  if (!rows) return rows
  const byKey = new Map(rows.map(row => [keyOf(row), row]))
  const { keys } = last.current
  const same =
    (isLoading || last.current.view === view) && keys.length === byKey.size && keys.every(key => byKey.has(key))
  if (same) return keys.flatMap(key => byKey.get(key) ?? [])
  last.current = { view: isLoading ? '' : view, keys: [...byKey.keys()] }
  return rows
}

function Body<T>(props: DataTableProps<T> & Pick<GridProps<T>, 'shown' | 'rows'>) {
  const { call, rows, table, empty } = props
  const t = useTranslations('common')
  useUnknownFilter(call.error, table)
  if (!rows && call.error) return <ErrorState error={call.error} onRetry={() => call.mutate()} />
  if (rows?.length === 0)
    return table.filtered ? (
      <EmptyState icon="search" title={t('noMatch')}>
        <Button onClick={table.clear}>{t('clearFilters')}</Button>
      </EmptyState>
    ) : (
      empty
    )
  return <Grid {...props} />
}
