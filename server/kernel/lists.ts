import { asc, desc, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import * as z from 'zod'
import { limits } from '@/model/limits'
import { failFields } from './fail'

/** What every list call takes (specification readings, "lists"). */
export const listInput = {
  page: z.int().min(1).default(1),
  pageSize: z
    .int()
    .refine(size => (limits.pageSizes as readonly number[]).includes(size), 'notAllowed')
    .default(20),
  search: z.string().max(limits.textCharacters).optional(),
  sort: z
    .object({ field: z.string().max(64), direction: z.enum(['asc', 'desc']) })
    .strict()
    .optional(),
}
/** The same for lists that pickers want whole: without a size all of it is one page. */
export const wholeListInput = {
  ...listInput,
  page: z.int().min(1).optional(),
  pageSize: listInput.pageSize.unwrap().optional(),
}

export type Sort = { field: string; direction: 'asc' | 'desc' }
type Wanted = { page?: number; pageSize?: number; search?: string; sort?: Sort }
type Value = string | number | boolean | null | undefined
/** What of a row is searched, and what it is sorted by: fields as columns of its page are called. */
export type Listing<T> = {
  text: (row: T) => readonly (string | null | undefined)[]
  sort: Readonly<Record<string, (row: T) => Value>>
}
export type ListOutput<T> = { result: T[]; total: number; page: number; pageSize: number }

/** One page of rows already filtered and sorted; a page past the end answers the last page that exists. */
export function paginate<T>(rows: readonly T[], page: number, pageSize: number): ListOutput<T> {
  const last = Math.max(1, Math.ceil(rows.length / pageSize))
  const at = Math.min(page, last)
  return { result: rows.slice((at - 1) * pageSize, at * pageSize), total: rows.length, page: at, pageSize }
}

/** Where an SQL list must begin: {page, offset} for a total counted beforehand. */
export function pageOf(total: number, page: number, pageSize: number): { page: number; offset: number } {
  const at = Math.min(page, Math.max(1, Math.ceil(total / pageSize)))
  return { page: at, offset: (at - 1) * pageSize }
}

const byText = new Intl.Collator(undefined, { numeric: true })

/** Numbers by size, text by the language, nothing last whatever the direction. */
function compare(a: Value, b: Value, turn: number): number {
  const none = (value: Value) => value === undefined || value === null || value === ''
  if (none(a) || none(b)) return Number(none(a)) - Number(none(b))
  return turn * byText.compare(String(a), String(b))
}

/** The rows that hold the text, sorted (else as they come), one page of them. Refuses a field that it cannot sort by. */
export function listed<T>(
  rows: readonly T[],
  { page = 1, pageSize, search, sort }: Wanted,
  of: Listing<T>,
): ListOutput<T> {
  const wanted = search?.trim().toLowerCase() ?? ''
  const found = rows.filter(row => !wanted || of.text(row).some(text => text?.toLowerCase().includes(wanted)))
  const by = sort && (of.sort[sort.field] ?? failFields({ 'sort.field': 'notAllowed' }))
  const turn = sort?.direction === 'desc' ? -1 : 1
  const sorted = by ? found.toSorted((a, b) => compare(by(a), by(b), turn)) : found
  return paginate(sorted, page, pageSize ?? Math.max(1, found.length))
}

/** Whether a column holds the text: without case, as SQLite's LIKE has it; % and _ are themselves. */
export function holding(columns: readonly SQLWrapper[], text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return or(...columns.map(column => sql`${column} LIKE ${pattern} ESCAPE '\\'`))
}

/** The order of an SQL list: by a column that is named, and among equals as without a word. Refuses unknown ones. */
export function orderBy(sort: Sort | undefined, columns: Readonly<Record<string, SQLWrapper>>, otherwise: SQL): SQL[] {
  if (!sort) return [otherwise]
  const column = columns[sort.field] ?? failFields({ 'sort.field': 'notAllowed' })
  return [sort.direction === 'desc' ? desc(column) : asc(column), otherwise]
}
