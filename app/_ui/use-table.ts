'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { SortState } from './data-table-types'

export const pageSizes = [10, 20, 30, 50, 100, 200] as const

/** A value of this browser, e.g. a table's columns: undefined until read. */
export function useStored<T>(key: string): [T | undefined, (value: T | undefined) => void] {
  const [value, setValue] = useState<T>()
  useEffect(() => {
    const text = localStorage.getItem(key)
    if (text === null) return
    try {
      setValue(JSON.parse(text) as T)
    } catch {
      localStorage.removeItem(key)
    }
  }, [key])
  const store = useCallback(
    (next: T | undefined) => {
      setValue(next)
      if (next === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(next))
    },
    [key],
  )
  return [value, store]
}

export type TableState = {
  page: number
  pageSize: number
  search: string
  sort: SortState | undefined
  /** Other filters, as they stand in the address. */
  filters: Readonly<Record<string, string>>
}

const own = ['page', 'size', 'q', 'sort', 'tab']

function read(query: URLSearchParams, start: Partial<TableState>): TableState {
  const size = Number(query.get('size') ?? start.pageSize ?? 20)
  const [field, direction] = query.get('sort')?.split('.') ?? []
  return {
    page: Math.max(1, Number(query.get('page')) || 1),
    pageSize: (pageSizes as readonly number[]).includes(size) ? size : 20,
    search: query.get('q') ?? '',
    sort: field ? { field, direction: direction === 'desc' ? 'desc' : 'asc' } : start.sort,
    filters: Object.fromEntries([...query].filter(([key]) => !own.includes(key))),
  }
}

function write(state: TableState, tab: string | null): string {
  const query = new URLSearchParams(tab ? { tab } : {})
  for (const [key, value] of Object.entries(state.filters)) if (value !== '') query.set(key, value)
  if (state.search) query.set('q', state.search)
  if (state.sort) query.set('sort', `${state.sort.field}.${state.sort.direction}`)
  if (state.page > 1) query.set('page', String(state.page))
  if (state.pageSize !== 20) query.set('size', String(state.pageSize))
  return query.toString()
}

/**
 * A list's page, size, search, sort and filters, kept in the address: they come back with it, and can be shared.
 * Every change but the page's own begins at page 1. `input` is what list calls take.
 */
export function useTable(start: Partial<TableState> = {}) {
  const query = useSearchParams()
  const path = usePathname()
  const router = useRouter()
  const text = query.toString()
  const [defaults] = useState(start)
  const state = useMemo(() => read(new URLSearchParams(text), defaults), [text, defaults])
  const change = useCallback(
    (part: Partial<TableState>) => {
      const next = { ...state, page: 1, ...part }
      const wanted = write(next, new URLSearchParams(text).get('tab'))
      if (wanted !== text) router.replace(wanted ? `${path}?${wanted}` : path, { scroll: false })
    },
    [state, text, path, router],
  )
  const input = useMemo(
    () => ({
      page: state.page,
      pageSize: state.pageSize,
      ...(state.search && { search: state.search }),
      ...(state.sort && { sort: state.sort }),
    }),
    [state],
  )
  const filtered = state.search !== '' || Object.values(state.filters).some(value => value !== '')
  const clear = useCallback(() => change({ search: '', filters: {} }), [change])
  return { state, change, input, filtered, clear }
}
export type Table = ReturnType<typeof useTable>
