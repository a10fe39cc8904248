import * as z from 'zod'
import { limits } from '@/model/limits'

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
