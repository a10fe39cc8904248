import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { voucherDevices, voucherGroups, vouchers } from '@/db/schema'
import {
  everyVoucherState,
  limitBytes,
  mayRenew,
  quantity,
  termsOf,
  usedNow,
  type VoucherState,
  validUntil,
} from '@/model/guests/voucher'
import { normalCode, shownCode } from '@/model/guests/voucher-code'
import { limits } from '@/model/limits'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { csvFile } from '@/server/kernel/csv'
import { fail } from '@/server/kernel/fail'
import { listInput, orderBy, pageOf } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { changing, reading } from './call-terms'
import { digestOf, openCode } from './codes'
import { devicesOf } from './devices'
import { findGroup, type Judged, lastReset, stateColumn, stateCounts, tellVouchers } from './groups'
import { makeVouchers } from './make'
import { renewVouchers } from './renew'

const state = z.union(everyVoucherState.map(one => z.literal(one)))
const some = { groupId: id, ids: z.array(id).min(1, 'required').max(limits.vouchersPerGroup, 'tooMany') }

const judgedIn = ({ runtime, network, now }: NetworkContext, groupId: number): Judged => ({
  group: findGroup(runtime.db, network.id, groupId),
  zone: network.timezone,
  now,
})

/** Times in unix ms. */
export type VoucherRow = {
  id: number
  /** `RJW-8EA-7HX`; null: not for the asker, or sealed with a key that is gone. */
  code: string | null
  state: VoucherState
  createdAt: number
  validUntil: number
  firstUsedAt: number | null
  secondsLeft: number
  /** Of the voucher; null: not limited, or limited for each device. */
  bytesLeft: number | null
  usedBytes: number
  /** MACs in the order they came. */
  devices: string[]
}
type Stored = typeof vouchers.$inferSelect
type Page = { where?: SQL; order?: SQL[]; limit: number; offset?: number }

function voucherRows(context: NetworkContext, judged: Judged, { where, order, limit, offset = 0 }: Page): VoucherRow[] {
  const { db } = context.runtime
  const rows = db
    .select({ voucher: vouchers, state: stateColumn(judged) })
    .from(vouchers)
    .where(and(eq(vouchers.group, judged.group.id), where))
    .orderBy(...(order ?? [desc(vouchers.id)]))
    .limit(limit)
    .offset(offset)
    .all()
  const devices = devicesOf(
    db,
    rows.map(row => row.voucher.id),
  )
  return rows.map(row => ({ ...viewOf(context, judged, row), devices: devices.get(row.voucher.id) ?? [] }))
}

function viewOf(context: NetworkContext, judged: Judged, row: { voucher: Stored; state: VoucherState }) {
  const { voucher } = row
  const group = termsOf(judged.group, voucher)
  const used = usedNow(voucher, lastReset(judged))
  const most = group.bytesPer === 'voucher' ? limitBytes(group) : undefined
  return {
    ...{ id: voucher.id, code: codeFor(context, voucher), state: row.state, createdAt: voucher.createdAt },
    ...{ validUntil: validUntil(voucher, group), firstUsedAt: voucher.firstUsedAt, usedBytes: used.bytes },
    secondsLeft: Math.max(0, group.seconds - used.seconds),
    bytesLeft: most === undefined ? null : Math.max(0, most - used.bytes),
  }
}

function codeFor({ runtime, actor }: NetworkContext, voucher: Stored): string | null {
  const code = actor.authorities.has('vouchers_print') ? openCode(runtime.secrets, voucher) : undefined
  return code === undefined ? null : shownCode(code)
}

/** By number, by a device's MAC, or by the whole code for whoever may see codes. */
function matching({ runtime: { secrets }, network, actor }: NetworkContext, search: string): SQL {
  const wanted = search.trim().toLowerCase()
  const code = actor.authorities.has('vouchers_print') ? normalCode(search) : undefined
  const device = sql`EXISTS (SELECT 1 FROM ${voucherDevices} WHERE ${voucherDevices.voucher} = ${vouchers.id}
    AND instr(${voucherDevices.mac}, ${wanted}))`
  const ofCode = code ? sql` OR ${vouchers.digest} = ${digestOf(secrets, network.id, code)}` : sql``
  return sql`(cast(${vouchers.id} as text) = ${wanted} OR ${device}${ofCode})`
}

/** By columns of their page; each voucher of a group is as long valid after it was made or renewed. */
const sortColumns = (judged: Judged) => ({
  id: vouchers.id,
  state: stateColumn(judged),
  createdAt: vouchers.createdAt,
  validUntil: vouchers.validFrom,
  firstUsedAt: vouchers.firstUsedAt,
  usedBytes: vouchers.usedBytes,
})

const list = call({
  ...reading,
  path: 'vouchers/list',
  input: z.strictObject({ ...listInput, groupId: id, filter: z.strictObject({ state: state.optional() }).optional() }),
  /** Newest first unless sorted by a field of `sortColumns`; {result: VoucherRow[], total, page, pageSize, counts}. */
  run(context, { groupId, page, pageSize, search, sort, filter = {} }) {
    const { db } = context.runtime
    const judged = judgedIn(context, groupId)
    const where = and(
      search?.trim() ? matching(context, search) : undefined,
      filter.state === undefined ? undefined : sql`${stateColumn(judged)} = ${filter.state}`,
    )
    const inGroup = and(eq(vouchers.group, groupId), where)
    const total = db.select({ n: count() }).from(vouchers).where(inGroup).get()?.n ?? 0
    const at = pageOf(total, page, pageSize)
    const order = orderBy(sort, sortColumns(judged), desc(vouchers.id))
    const result = voucherRows(context, judged, { where, order, limit: pageSize, offset: at.offset })
    return { result, total, page: at.page, pageSize, counts: stateCounts(db, judged) }
  },
})

const states = call({
  ...reading,
  path: 'vouchers/states',
  input: z.strictObject({ groupId: id.optional() }),
  /** How many vouchers are in each state: of a group, or of the network. */
  run(context, { groupId }) {
    const { db } = context.runtime
    const { id: network, timezone: zone } = context.network
    const groups =
      groupId === undefined
        ? db.select().from(voucherGroups).where(eq(voucherGroups.network, network)).all()
        : [findGroup(db, network, groupId)]
    const sum = { unused: 0, inUse: 0, used: 0, expired: 0, total: 0 }
    for (const group of groups)
      for (const [name, n] of Object.entries(stateCounts(db, { group, zone, now: context.now })))
        sum[name as keyof typeof sum] += n
    return sum
  },
})

const add = call({
  ...changing,
  path: 'vouchers/add',
  topics: ['vouchers'],
  input: z.strictObject({ groupId: id, quantity }),
  /** More vouchers of a group. */
  run(context, { groupId, quantity: wanted }) {
    const { runtime, network, now } = context
    runtime.db.transaction(tx => {
      const group = findGroup(tx, network.id, groupId)
      makeVouchers(runtime, tx, group, { quantity: wanted, now })
      context.log({ action: 'add', object: 'vouchers', name: group.name, fields: { quantity: [0, wanted] } })
    })
    tellVouchers(context)
    return { added: wanted }
  },
})

type Some = { groupId: number; ids: readonly number[] }
type Named = { id: number; state: VoucherState; firstUsedAt: number | null }

/** The vouchers that are named, all of that group. Refuses by `fail`: voucherNotFound. */
function named(tx: Db, judged: Judged, ids: readonly number[]): Named[] {
  const found = tx
    .select({ id: vouchers.id, state: stateColumn(judged), firstUsedAt: vouchers.firstUsedAt })
    .from(vouchers)
    .where(and(eq(vouchers.group, judged.group.id), inArray(vouchers.id, [...ids])))
    .all()
  if (found.length !== new Set(ids).size) fail('voucherNotFound')
  return found
}

/** Changes some of a group's vouchers, all or none; whose sessions that is about hears of it. */
function change(
  context: NetworkContext & Logging,
  { groupId, ids }: Some,
  action: 'delete' | 'renew',
  work: (tx: Db, where: SQL, found: Named[]) => void,
): number {
  const found = context.runtime.db.transaction(tx => {
    const judged = judgedIn(context, groupId)
    const found = named(tx, judged, ids)
    work(tx, inArray(vouchers.id, [...ids]), found)
    const quantity: [number, number] = [found.length, action === 'delete' ? 0 : found.length]
    context.log({ action, object: 'vouchers', name: judged.group.name, fields: { quantity } })
    return found
  })
  const met = found.filter(one => one.firstUsedAt !== null).map(one => one.id)
  tellVouchers(context, met)
  return found.length
}

const remove = call({
  ...changing,
  path: 'vouchers/delete',
  topics: ['vouchers'],
  input: z.strictObject(some),
  /** Whoever is in by one of them is out. */
  run: (context, input) => ({
    deleted: change(context, input, 'delete', (tx, where) => tx.delete(vouchers).where(where).run()),
  }),
})

const renew = call({
  ...changing,
  path: 'vouchers/renew',
  topics: ['vouchers'],
  input: z.strictObject(some),
  /** Rule S1: what was used counts from 0, validity starts now; all of them, or none where one is unused or expired. */
  run: (context, input) => ({
    renewed: change(context, input, 'renew', (tx, _, found) => {
      if (!found.every(one => mayRenew(one.state))) fail('voucherNotRenewable')
      renewVouchers(tx, input.ids, context.now)
    }),
  }),
})

const stateWords = ['unused', 'in use', 'used', 'expired'] as const
const time = (at: number | null) => (at === null ? undefined : new Date(at).toISOString())
const columns: readonly [string, (row: VoucherRow) => string | number | undefined][] = [
  ['id', row => row.id],
  ['code', row => row.code ?? undefined],
  ['state', row => stateWords[row.state]],
  ['created', row => time(row.createdAt)],
  ['valid until', row => time(row.validUntil)],
  ['first used', row => time(row.firstUsedAt)],
  ['seconds left', row => row.secondsLeft],
  ['bytes used', row => row.usedBytes],
  ['devices', row => row.devices.join(' ')],
]

const exportVouchers = call({
  ...reading,
  path: 'exports/vouchers',
  get: true,
  exports: true,
  input: z.strictObject({ groupId: z.coerce.number().pipe(id) }),
  /** A CSV file of a group's vouchers, oldest first; codes for whoever may print them. */
  run(context, { groupId }) {
    const judged = judgedIn(context, groupId)
    const rows = voucherRows(context, judged, { order: [sql`${vouchers.id}`], limit: limits.vouchersPerGroup })
    const lines = rows.map(row => columns.map(([, of]) => of(row)))
    return csvFile('vouchers', [columns.map(([head]) => head), ...lines], context.now)
  },
})

export const voucherCalls = [list, states, add, remove, renew, exportVouchers] as const
