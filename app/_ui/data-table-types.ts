import type { ReactNode } from 'react'

export type SortState = { field: string; direction: 'asc' | 'desc' }

export type Column<T> = {
  key: string
  label: string
  cell: (row: T) => ReactNode
  /** The list call can sort by `key`. */
  sort?: boolean
  /** End-aligned tabular figures. */
  numeric?: boolean
  /** Always shown and first to stay: state and name. */
  fixed?: boolean
  /** Not shown until chosen. */
  off?: boolean
  /** Leaves the table below this width, px. */
  until?: 1480 | 1320 | 1180
  /** Where the cell stands in the two-line row of a phone; a column without a place is not drawn there. */
  phone?: 'title' | 'key' | 'state' | 'extra'
  /** The word behind the figure on a phone, where the head is missing. */
  phoneUnit?: string
  wrap?: boolean
  width?: string
}

/** The last column: what can be done with a row. */
export const actionsColumn = <T>(label: string, cell: (row: T) => ReactNode): Column<T> => ({
  key: 'actions',
  label,
  phone: 'key',
  width: '56px',
  numeric: true,
  cell,
})

/** Which columns are shown, in which order: what a person chose. */
export type ColumnChoice = { order: string[]; off: string[] }

/** The columns to draw: chosen order first, new ones in their place after them, fixed ones always. */
export function arranged<T>(columns: readonly Column<T>[], choice: ColumnChoice | undefined): Column<T>[] {
  const fixed = columns.filter(column => column.fixed)
  const free = columns.filter(column => !column.fixed)
  if (!choice) return [...fixed, ...free.filter(column => !column.off)]
  const rank = (column: Column<T>) => {
    const at = choice.order.indexOf(column.key)
    return at < 0 ? choice.order.length : at
  }
  const known = (column: Column<T>) =>
    choice.order.includes(column.key) ? !choice.off.includes(column.key) : !column.off
  return [...fixed, ...free.filter(known).sort((a, b) => rank(a) - rank(b))]
}
