import type { ReactNode } from 'react'

export type PlainColumn<T> = {
  key: string
  title: ReactNode
  cell: (row: T) => ReactNode
  /** A number: end-aligned. */
  end?: boolean
  /** Left out on a phone. */
  wideOnly?: boolean
}

type Props<T> = { columns: readonly PlainColumn<T>[]; rows: readonly T[]; rowKey: (row: T) => string; label: string }

const classOf = <T,>({ end, wideOnly }: PlainColumn<T>) =>
  [end && 'numeric', wideOnly && 'no-phone'].filter(Boolean).join(' ') || undefined

// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

/** A short table inside a card: no paging, no selection. */
export function PlainTable<T>({ columns, rows, rowKey, label }: Props<T>) {
  return (
    <div className="table-scroll" {...scrolled}>
      <table className="data-table plain" aria-label={label}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.key} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)}>
              {columns.map(column => (
                <td key={column.key} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
