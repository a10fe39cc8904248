'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Card } from '@/app/_ui/card'
import { fold } from '@/app/_ui/listbox'
import { SearchBox } from '@/app/_ui/search-box'
import { EmptyState } from '@/app/_ui/states'
import { NotProvided } from '../../_parts/not-provided'
import { type PlainColumn, PlainTable } from '../../_parts/plain-table'

type PartProps<T> = {
  title: string
  rows: T[] | undefined
  driver: string
  empty: string
  columns: PlainColumn<T>[]
  rowKey: (row: T) => string
  /** What a row is found by; without it the table is not searched. */
  found?: (row: T) => string
}

const fewRows = 8

/** A card with one table: its rows, the sentence for none, or that the device does not tell. */
export function Part<T>({ title, rows, driver, empty, columns, rowKey, found }: PartProps<T>) {
  const t = useTranslations('common')
  const [search, setSearch] = useState('')
  const shown = found ? rows?.filter(row => fold(found(row)).includes(fold(search))) : rows
  return (
    <Card title={title} meta={rows && <span className="number">{rows.length}</span>}>
      {found && rows && rows.length > fewRows && (
        <div className="filter-bar">
          <SearchBox value={search} placeholder={t('field.search')} onSearch={setSearch} />
        </div>
      )}
      {shown === undefined ? (
        <EmptyState slim title={<NotProvided words driver={driver} />} />
      ) : shown.length === 0 ? (
        <EmptyState slim title={search ? t('noMatch') : empty} />
      ) : (
        <PlainTable label={title} columns={columns} rows={shown} rowKey={rowKey} />
      )}
    </Card>
  )
}
