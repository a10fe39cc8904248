'use client'
import { useTranslations } from 'next-intl'
import type { KeyboardEvent, MouseEvent } from 'react'
import { Check } from './check'
import type { Column } from './data-table-types'
import { Icon } from './icon'
import { Grip, useRowOrder } from './row-order'
import { Skeleton } from './states'
import type { Table } from './use-table'

// The rows and columns of a table of data: rows that are picked, opened, put in order, by pointer and by key.

export type GridProps<T> = {
  label: string
  table: Table
  shown: readonly Column<T>[]
  /** Undefined while they are fetched for the first time. */
  rows: T[] | undefined
  rowKey: (row: T) => string
  /** What Enter and a press anywhere on the row open. */
  open?: (row: T) => void
  /** Chosen rows, kept by the page. Without it there are no boxes. */
  selection?: readonly string[]
  onSelection?: (keys: string[]) => void
  /** Rows can be put in order by their grip, with the pointer or the arrow keys; gets the keys of the page's rows anew. */
  onOrder?: (keys: string[]) => Promise<unknown>
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

/** A press on a control of the row, one that asks for another tab, and the end of marking text. */
const isElsewhere = ({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): boolean =>
  ctrlKey ||
  metaKey ||
  shiftKey ||
  // A menu opened from the row is its child in the tree of parts, and lies elsewhere on the page.
  !currentTarget.contains(target as Node) ||
  (target as Element).closest('a, button, input, label, .checkbox-cell, .grip-cell') !== null ||
  window.getSelection()?.isCollapsed === false

/** Which rows are ticked, and what ticks them. */
function usePicks<T>({ rowKey, selection = [], onSelection }: GridProps<T>, rows: readonly T[] | undefined) {
  const keys = rows?.map(rowKey) ?? []
  const picked = keys.filter(key => selection.includes(key)).length
  return {
    all: picked === 0 ? false : picked === keys.length ? true : ('indeterminate' as const),
    toggle: (key: string, on: boolean) =>
      onSelection?.(on ? [...selection, key] : selection.filter(entry => entry !== key)),
    toggleAll: (on: boolean) =>
      onSelection?.(on ? [...new Set([...selection, ...keys])] : selection.filter(entry => !keys.includes(entry))),
  }
}

export function Grid<T>(props: GridProps<T>) {
  const { label, shown, rows: given, table, rowKey, onSelection, onOrder } = props
  const t = useTranslations('common')
  const order = useRowOrder(given, rowKey, onOrder)
  const { rows } = order
  const picks = usePicks(props, rows)
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
                <Check aria-label={t('selectAll')} checked={picks.all} onChange={picks.toggleAll} />
              </th>
            )}
            {shown.map(column => (
              <Head key={column.key} column={column} table={table} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined && <Waiting shown={shown} picks={!!onSelection} />}
          {rows?.map(row => (
            <Row key={rowKey(row)} {...{ props, row, order }} onPick={on => picks.toggle(rowKey(row), on)} />
          ))}
        </tbody>
      </table>
      <span className="visually-hidden" role="status">
        {order.said}
      </span>
    </div>
  )
}

type RowProps<T> = {
  props: GridProps<T>
  row: T
  order: ReturnType<typeof useRowOrder<T>>
  onPick: (on: boolean) => void
}

function Row<T>({ props: { shown, rowKey, open, selection, onSelection, onOrder }, row, order, onPick }: RowProps<T>) {
  const t = useTranslations('common')
  const key = rowKey(row)
  const on = selection?.includes(key) ?? false
  const press = (event: KeyboardEvent<HTMLTableRowElement>) => {
    const act = rowKeys[event.key]
    if (!act || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (act === 'open') open?.(row)
    else if (act === 'pick') onPick(!on)
    else (event.currentTarget[act] as HTMLElement | null)?.focus()
  }
  const marks = {
    selected: on,
    picks: onSelection,
    grips: onOrder,
    clickable: open,
    moving: order.moving === key,
  }
  return (
    <tr
      className={Object.entries(marks)
        .flatMap(([mark, has]) => (has ? [mark] : []))
        .join(' ')}
      tabIndex={0}
      data-row={key}
      aria-selected={onSelection ? on : undefined}
      onKeyDown={press}
      onClick={event => !isElsewhere(event) && open?.(row)}
    >
      {onOrder && (
        <td className="grip-cell">
          <Grip {...order.grip(key)} />
        </td>
      )}
      {onSelection && (
        <td className="checkbox-cell">
          <Check aria-label={t('select')} tabIndex={-1} checked={on} onChange={onPick} />
        </td>
      )}
      {shown.map(column => (
        <td key={column.key} className={cellClass(column)} data-unit={column.phoneUnit}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
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

function Waiting<T>({ shown, picks }: { shown: readonly Column<T>[]; picks: boolean }) {
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
