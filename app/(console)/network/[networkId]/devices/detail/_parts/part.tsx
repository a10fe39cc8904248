'use client'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/states'
import { type PlainColumn, PlainTable } from '../../_parts/plain-table'
import { NotProvided } from './not-provided'

type PartProps<T> = {
  title: string
  rows: T[] | undefined
  driver: string
  empty: string
  columns: PlainColumn<T>[]
  rowKey: (row: T) => string
}

/** A card with one table: its rows, the sentence for none, or that the device does not tell. */
export function Part<T>({ title, rows, driver, empty, columns, rowKey }: PartProps<T>) {
  return (
    <Card title={title} meta={rows && <span className="number">{rows.length}</span>}>
      {rows === undefined ? (
        <EmptyState slim title={<NotProvided words driver={driver} />} />
      ) : rows.length === 0 ? (
        <EmptyState slim title={empty} />
      ) : (
        <PlainTable label={title} columns={columns} rows={rows} rowKey={rowKey} />
      )}
    </Card>
  )
}
