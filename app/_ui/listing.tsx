'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { ApiError } from '@/app/_api/client'
import { Button } from './button'
import { Icon } from './icon'
import { Menu } from './menu'
import { TablePager } from './pager'
import { SearchBox } from './search-box'
import { EmptyState, Loaded } from './states'
import type { Table } from './use-table'

type Call<T> = {
  data: { result: T[]; total: number } | undefined
  error: ApiError | undefined
  mutate: () => unknown
}

type Props<T> = {
  label: string
  table: Table
  call: Call<T>
  /** Fields that the call sorts by, with their words. */
  sorts: readonly { field: string; label: string }[]
  /** It stands in a card already. */
  bare?: boolean
  /** Where there is nothing at all. */
  empty?: ReactNode
  children: (rows: readonly T[]) => ReactNode
}

/** A list that is no table: searched, sorted and paged as one. */
export function Listing<T>({ label, table, call, sorts, bare, empty, children }: Props<T>) {
  const t = useTranslations('common')
  return (
    <Around bare={bare} label={label}>
      {(table.filtered || (call.data?.total ?? 0) > 0) && (
        <div className="filter-bar">
          <SearchBox
            value={table.state.search}
            placeholder={t('field.search')}
            onSearch={search => table.change({ search })}
          />
          <SortMenu table={table} sorts={sorts} />
        </div>
      )}
      <Loaded call={call} lines={4}>
        {({ result }) =>
          result.length > 0 ? (
            children(result)
          ) : table.filtered ? (
            <EmptyState icon="search" title={t('noMatch')}>
              <Button onClick={table.clear}>{t('clearFilters')}</Button>
            </EmptyState>
          ) : (
            empty
          )
        }
      </Loaded>
      <TablePager table={table} total={call.data?.total} />
    </Around>
  )
}

/** A card of its own, or nothing more than the card that it stands in. */
const Around = ({ bare, label, children }: { bare: boolean | undefined; label: string; children: ReactNode }) =>
  bare ? (
    <div>{children}</div>
  ) : (
    <section className="card" aria-label={label}>
      {children}
    </section>
  )

function SortMenu({ table, sorts }: Pick<Props<unknown>, 'table' | 'sorts'>) {
  const t = useTranslations('common.sort')
  const { sort } = table.state
  const chosen = sorts.find(one => one.field === sort?.field)
  const turned = sort?.direction === 'desc'
  const by = (field: string) => table.change({ sort: { field, direction: 'asc' } })
  return (
    <Menu
      align="start"
      trigger={
        <Button>
          {chosen ? t('by', { name: chosen.label }) : t('title')}
          <Icon name={turned ? 'arrowDown' : 'arrowUp'} size="sm" />
        </Button>
      }
      groups={[
        {
          actions: sorts.map(one => ({
            label: one.label,
            checked: one.field === sort?.field,
            onSelect: () => by(one.field),
          })),
        },
        ...(chosen
          ? [
              {
                actions: [
                  {
                    label: t('turned'),
                    checked: turned,
                    onSelect: () => table.change({ sort: { field: chosen.field, direction: turned ? 'asc' : 'desc' } }),
                  },
                ],
              },
            ]
          : []),
      ]}
    />
  )
}
