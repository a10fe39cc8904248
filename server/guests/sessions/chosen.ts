import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { guests } from '@/db/schema'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import type { Guest } from './store'

// Rows of the guests' list that somebody chose.

export const idsInput = z.array(z.int().min(1)).min(1, 'required').max(200, 'tooMany')

/** Those of the network with these ids, all of them or a refusal. */
export function storedGuests({ db }: Pick<Runtime, 'db'>, network: number, wanted: readonly number[]): Guest[] {
  const rows = db
    .select()
    .from(guests)
    .where(and(eq(guests.network, network), inArray(guests.id, [...wanted])))
    .all()
  return rows.length < new Set(wanted).size ? fail('guestNotFound') : rows
}
