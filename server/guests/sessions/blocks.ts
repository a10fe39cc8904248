import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { guestBlocks } from '@/db/schema'
import { limits } from '@/model/limits'
import { fail } from '@/server/kernel/fail'
import { orderBy, pageOf, type Sort } from '@/server/kernel/lists'
import type { Runtime } from '@/server/kernel/runtime'

// Devices that the portal of a network lets in by no means, for good or until a moment.

export type GuestBlock = typeof guestBlocks.$inferSelect
type Database = Pick<Runtime, 'db'>

const inForce = (network: number, now: number) =>
  and(eq(guestBlocks.network, network), or(isNull(guestBlocks.until), gt(guestBlocks.until, now)))

/** What keeps a device out now. */
export const blockOf = ({ db }: Database, network: number, mac: string, now: number): GuestBlock | undefined =>
  db
    .select()
    .from(guestBlocks)
    .where(and(inForce(network, now), eq(guestBlocks.mac, mac)))
    .get()

/** All that hold now, by MAC address. */
export const blocksOf = ({ db }: Database, network: number, now: number): Map<string, GuestBlock> =>
  new Map(
    db
      .select()
      .from(guestBlocks)
      .where(inForce(network, now))
      .orderBy(guestBlocks.mac)
      .all()
      .map(one => [one.mac, one]),
  )

const countOf = ({ db }: Database, where: SQL | undefined): number =>
  db.select({ n: count() }).from(guestBlocks).where(where).get()?.n ?? 0

const sortColumns = { mac: guestBlocks.mac, until: guestBlocks.until, at: guestBlocks.at, by: guestBlocks.by }

type Wanted = { search?: string | undefined; sort?: Sort | undefined; page: number; pageSize: number }

/** One page of them, the newest first unless sorted. */
export function blockPage({ db }: Database, network: number, { search, sort, ...wanted }: Wanted, now: number) {
  const text = search?.trim().toLowerCase()
  const columns = [guestBlocks.mac, guestBlocks.note, guestBlocks.by]
  const found = text ? or(...columns.map(column => sql`instr(lower(${column}), ${text})`)) : undefined
  const where = and(inForce(network, now), found)
  const total = countOf({ db }, where)
  const { page, offset } = pageOf(total, wanted.page, wanted.pageSize)
  const result = db
    .select()
    .from(guestBlocks)
    .where(where)
    .orderBy(...orderBy(sort, sortColumns, desc(guestBlocks.at)))
    .limit(wanted.pageSize)
    .offset(offset)
    .all()
  return { result, total, page, pageSize: wanted.pageSize }
}

type Blocking = Pick<GuestBlock, 'network' | 'until' | 'note' | 'at' | 'by'>

/** Blocks devices; those that are get this end and note. In the caller's transaction. */
export function saveBlocks({ db }: Database, macs: readonly string[], blocking: Blocking): void {
  const { network, at, ...own } = blocking
  for (const mac of macs)
    db.insert(guestBlocks)
      .values({ mac, ...blocking })
      .onConflictDoUpdate({ target: [guestBlocks.network, guestBlocks.mac], set: { at, ...own } })
      .run()
  if (countOf({ db }, inForce(network, at)) > limits.guestBlocks) fail('guestBlockLimit', { limit: limits.guestBlocks })
}

/** In the caller's transaction; returns those that were there. */
export const releaseBlocks = ({ db }: Database, network: number, macs: readonly string[]): GuestBlock[] =>
  db
    .delete(guestBlocks)
    .where(and(eq(guestBlocks.network, network), inArray(guestBlocks.mac, [...macs])))
    .returning()
    .all()

export function trimBlocks({ db }: Database, now: number): void {
  db.delete(guestBlocks)
    .where(and(isNotNull(guestBlocks.until), lte(guestBlocks.until, now)))
    .run()
}
