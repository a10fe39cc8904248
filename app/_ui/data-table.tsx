'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react'
import type { ApiError } from '@/app/_api/client'
import { Button, IconButton } from './button'
import { Check } from './check'
import { ColumnChooser } from './column-chooser'
import { arranged, type Column, type ColumnChoice } from './data-table-types'
import { Icon } from './icon'
import { Pager } from './pager'
import { Grip, useRowOrder } from './row-order'
import { SearchBox } from './search-box'
import { EmptyState, ErrorState, Skeleton } from './states'
import { type Table, useStored } from './use-table'

type Answer<T> = {
  data: { result: T[]; total: number } | undefined
  error: ApiError | undefined
  /** `data` is still of the former page, sort or search. */
  isLoading?: boolean
  mutate: () => unknown
}

export type DataTableProps<T> = {
  /** Names the stored column choice. */
  id: string
  label: string
  columns: readonly Column<T>[]
  table: Table
  /** What `useCall` gave for a list call. */
  call: Answer<T>
  rowKey: (row: T) => string
  /** What Enter and a double click open. */
  open?: (row: T) => void
  /** Chosen rows, kept by the page. Without it there are no boxes. */
  selection?: readonly string[]
  onSelection?: (keys: string[]) => void
  searchLabel?: string
  /** Filters between search and column chooser. */
  tools?: ReactNode
  /** Chosen filters as removable tags, below the tools. */
  chosen?: ReactNode
  empty: ReactNode
  /** Rows can be put in order by their grip, with the pointer or the arrow keys; gets the keys of the page's rows anew. */
  onOrder?: (keys: string[]) => Promise<unknown>
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
        <span className="end row">
          <ColumnChooser columns={columns} choice={choice} onChoice={setChoice} />
        </span>
      </div>
      {chosen}
      <Body {...props} shown={shown} rows={rows} />
      {call.data && call.data.total > 0 && (
        <Pager
          page={table.state.page}
          pageSize={table.state.pageSize}
          total={call.data.total}
          onPage={page => table.change({ page })}
          onPageSize={pageSize => table.change({ pageSize })}
        />
      )}
    </section>
  )
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

type BodyProps<T> = DataTableProps<T> & { shown: Column<T>[]; rows: T[] | undefined }

function Body<T>(props: BodyProps<T>) {
  const { call, rows, table, empty } = props
  const t = useTranslations('common')
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

const down = 'nextElementSibling'
const up = 'previousElementSibling'
type RowAct = typeof down | typeof up | 'pick' | 'open'
/** What a key does on the row in focus. */
const rowKeys: Readonly<Record<string, RowAct>> = {
  j: down,
  ArrowDown: down,
  k: up,
  ArrowUp: up,
  x: 'pick',
  Enter: 'open',
}

function Grid<T>({ label, shown, rows: given, table, rowKey, open, selection, onSelection, onOrder }: BodyProps<T>) {
  const t = useTranslations('common')
  const order = useRowOrder(given, rowKey, onOrder)
  const { rows } = order
  const keys = rows?.map(rowKey) ?? []
  const picked = keys.filter(key => selection?.includes(key))
  const toggle = (key: string, on: boolean) =>
    onSelection?.(on ? [...(selection ?? []), key] : (selection ?? []).filter(entry => entry !== key))
  const toggleAll = (on: boolean) =>
    onSelection?.(on ? [...new Set([...(selection ?? []), ...keys])] : (selection ?? []).filter(k => !keys.includes(k)))
  const press = (event: KeyboardEvent<HTMLTableRowElement>, row: T) => {
    const act = rowKeys[event.key]
    if (!act || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const line = event.currentTarget
    if (act === 'open') open?.(row)
    else if (act === 'pick') toggle(rowKey(row), !selection?.includes(rowKey(row)))
    else (line[act] as HTMLElement | null)?.focus()
  }
  return (
    <div className="table-scroll">
      <table className="data-table rows" aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {onOrder && (
              <th className="grip-cell">
                <span className="visually-hidden">{t('order')}</span>
              </th>
            )}
            {onSelection && (
              <th className="checkbox-cell">
                <Check
                  aria-label={t('selectAll')}
                  checked={picked.length === 0 ? false : picked.length === keys.length ? true : 'indeterminate'}
                  onChange={toggleAll}
                />
              </th>
            )}
            {shown.map(column => (
              <Head key={column.key} column={column} table={table} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined && <Waiting shown={shown} picks={!!onSelection} />}
          {rows?.map(row => {
            const key = rowKey(row)
            const on = selection?.includes(key) ?? false
            return (
              <tr
                key={key}
                className={[
                  on && 'selected',
                  onSelection && 'picks',
                  onOrder && 'grips',
                  open && 'clickable',
                  order.moving === key && 'moving',
                ]
                  .filter(Boolean)
                  .join(' ')}
                tabIndex={0}
                data-row={key}
                aria-selected={onSelection ? on : undefined}
                onKeyDown={event => press(event, row)}
                onDoubleClick={() => open?.(row)}
              >
                {onOrder && (
                  <td className="grip-cell">
                    <Grip {...order.grip(key)} />
                  </td>
                )}
                {onSelection && (
                  <td className="checkbox-cell">
                    <Check aria-label={t('select')} tabIndex={-1} checked={on} onChange={next => toggle(key, next)} />
                  </td>
                )}
                {shown.map(column => (
                  <td key={column.key} className={cellClass(column)} data-unit={column.phoneUnit}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <span className="visually-hidden" role="status">
        {order.said}
      </span>
    </div>
  )
}

const cellClass = <T,>(column: Column<T>) =>
  [
    column.numeric && 'numeric',
    column.until && `until-${column.until}`,
    column.phone && `phone-${column.phone}`,
    column.wrap && 'wrap',
  ]
    .filter(Boolean)
    .join(' ')

const sortWords = { asc: 'ascending', desc: 'descending' } as const

function Head<T>({ column, table }: { column: Column<T>; table: Table }) {
  const { sort } = table.state
  const own = sort?.field === column.key ? sort.direction : undefined
  const classes = [column.numeric && 'numeric', column.until && `until-${column.until}`].filter(Boolean).join(' ')
  const style = column.width ? { inlineSize: column.width } : undefined
  if (!column.sort)
    return (
      <th className={classes} style={style}>
        {column.label}
      </th>
    )
  return (
    <th className={classes} style={style} aria-sort={own ? sortWords[own] : 'none'}>
      <button
        type="button"
        onClick={() => table.change({ sort: { field: column.key, direction: own === 'asc' ? 'desc' : 'asc' } })}
      >
        {column.label}
        {own && <Icon name={own === 'asc' ? 'arrowUp' : 'arrowDown'} />}
      </button>
    </th>
  )
}

const lines = ['1', '2', '3', '4', '5', '6', '7', '8']

function Waiting<T>({ shown, picks }: { shown: Column<T>[]; picks: boolean }) {
  return lines.map(line => (
    <tr key={line} className={picks ? 'skeleton-row picks' : 'skeleton-row'}>
      {picks && <td className="checkbox-cell" />}
      {shown.map((column, at) => (
        <td key={column.key} className={cellClass(column)}>
          <Skeleton width={at === 1 ? 120 : 64} />
        </td>
      ))}
    </tr>
  ))
}

/** Floats over the end of the list while rows are chosen. Esc clears. The first child is the one useful action (`go`). */
export function BulkBar({
  count,
  onClear,
  label,
  children,
}: {
  count: number
  onClear: () => void
  label: string
  children: ReactNode
}) {
  const t = useTranslations('common')
  if (count === 0) return null
  return (
    <div className="bulk" role="toolbar" aria-label={label} onKeyDown={event => event.key === 'Escape' && onClear()}>
      <span className="count" role="status">
        {t('selected', { count })}
      </span>
      {children}
      <IconButton icon="close" label={t('clearSelection')} onClick={onClear} />
    </div>
  )
}
