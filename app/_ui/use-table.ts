'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
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

/** What `change` takes: filters that are not named stay, an empty one is taken out. */
type TableChange = Partial<TableState>

/** The query `text` after a change; every change but the page's own begins at page 1. */
export function queryAfter(text: string, part: TableChange, start: Partial<TableState> = {}): string {
  const query = new URLSearchParams(text)
  const state = read(query, start)
  return write({ ...state, page: 1, ...part, filters: { ...state.filters, ...part.filters } }, query.get('tab'))
}

/** Queries asked for that the address, now `text`, has not followed yet: what is chosen meanwhile builds on the last. */
function useAsked(text: string) {
  const asked = useRef<string[]>([])
  useEffect(() => {
    const at = asked.current.indexOf(text)
    asked.current = at < 0 ? [] : asked.current.slice(at + 1)
  }, [text])
  return asked
}

/**
 * A list's page, size, search, sort and filters, kept in the address: they come back with it, and can be shared.
 * `input` is what list calls take.
 */
export function useTable(start: Partial<TableState> = {}) {
  const query = useSearchParams()
  const path = usePathname()
  const router = useRouter()
  const text = query.toString()
  const [defaults] = useState(start)
  const state = useMemo(() => read(new URLSearchParams(text), defaults), [text, defaults])
  const asked = useAsked(text)
  const change = useCallback(
    (part: TableChange) => {
      const before = asked.current.at(-1) ?? text
      const wanted = queryAfter(before, part, defaults)
      if (wanted === before) return
      asked.current.push(wanted)
      router.replace(wanted ? `${path}?${wanted}` : path, { scroll: false })
    },
    [asked, text, defaults, path, router],
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
  // Which page it is, is no filter: `id` stays.
  const chosen = useMemo(() => Object.keys(state.filters).filter(key => key !== 'id' && state.filters[key]), [state])
  const filtered = state.search !== '' || chosen.length > 0
  const clear = useCallback(() => {
    change({ search: '', filters: Object.fromEntries(chosen.map(key => [key, ''])) })
  }, [chosen, change])
  /** The list as it begins: for an address that asks for what there is none of. */
  const reset = useCallback(() => {
    const page = new URLSearchParams(text)
    for (const key of [...page.keys()]) if (key !== 'tab' && key !== 'id') page.delete(key)
    router.replace(page.size > 0 ? `${path}?${page}` : path, { scroll: false })
  }, [text, path, router])
  return { state, change, input, filtered, clear, reset }
}
export type Table = ReturnType<typeof useTable>
