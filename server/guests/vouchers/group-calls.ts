import { and, count, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { voucherGroups, vouchers } from '@/db/schema'
import { lastingOf, lastingProblem, lastingSeconds, quantity, voucherTerms } from '@/model/guests/voucher'
import { normalCode } from '@/model/guests/voucher-code'
import { limits } from '@/model/limits'
import { resetsOf } from '@/model/reset-cycle'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import type { LogFields } from '@/server/kernel/changelog'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, orderBy, pageOf } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { kindRows } from '@/server/networks/settings/store'
import { changing, reading } from './call-terms'
import { digestOf } from './codes'
import { findGroup, stateCounts, tellVouchers, usedIn } from './groups'
import { type GroupRow, makeVouchers, vouchersIn } from './make'

/** A group as its page has it. */
function groupView({ runtime, network, now }: NetworkContext, row: GroupRow) {
  const { organization: _, network: __, seconds, ...own } = row
  const resets = resetsOf(row, network.timezone, now)
  return {
    ...own,
    ...lastingOf(seconds),
    /** Unix ms; null: never. */
    nextReset: resets?.next ?? null,
    counts: stateCounts(runtime.db, { group: row, zone: network.timezone, now }),
  }
}

/** By columns of their page. */
const sortColumns = {
  name: sql`${voucherGroups.name} COLLATE NOCASE`,
  lasting: voucherGroups.seconds,
  validityDays: voucherGroups.validityDays,
  maxDevices: voucherGroups.maxDevices,
  createdAt: voucherGroups.createdAt,
}

/** In name or notes; a whole code finds the group it is of, for whoever may see codes. */
function matching({ runtime: { db, secrets }, network, actor }: NetworkContext, search: string) {
  const wanted = search.trim().toLowerCase()
  const code = actor.authorities.has('vouchers_print') ? normalCode(search) : undefined
  const ofCode =
    code === undefined
      ? undefined
      : db
          .select({ id: vouchers.group })
          .from(vouchers)
          .where(eq(vouchers.digest, digestOf(secrets, network.id, code)))
  return or(
    sql`instr(lower(${voucherGroups.name}), ${wanted})`,
    sql`instr(lower(${voucherGroups.notes}), ${wanted})`,
    ofCode && inArray(voucherGroups.id, ofCode),
  )
}

const list = call({
  ...reading,
  path: 'vouchers/groups/list',
  input: z.strictObject({ ...listInput }),
  /** Newest first unless sorted by `name`, `lasting`, `validityDays`, `maxDevices` or `createdAt`. */
  run(context, { page, pageSize, search, sort }) {
    const { db } = context.runtime
    const own = eq(voucherGroups.network, context.network.id)
    const where = search?.trim() ? and(own, matching(context, search)) : own
    const total = db.select({ n: count() }).from(voucherGroups).where(where).get()?.n ?? 0
    const at = pageOf(total, page, pageSize)
    const rows = db
      .select()
      .from(voucherGroups)
      .where(where)
      .orderBy(...orderBy(sort, sortColumns, desc(voucherGroups.id)))
      .limit(pageSize)
      .offset(at.offset)
      .all()
    return { result: rows.map(row => groupView(context, row)), total, page: at.page, pageSize }
  },
})

const get = call({
  ...reading,
  path: 'vouchers/groups/get',
  input: z.strictObject({ id }),
  run: (context, input) => groupView(context, findGroup(context.runtime.db, context.network.id, input.id)),
})

const options = call({
  ...reading,
  path: 'vouchers/settings',
  input: z.strictObject({}),
  /** What a form needs: the bounds (rules G8 to G15), the network's time zone and Wi-Fi networks, and the newest group's values, if any. */
  run(context) {
    const { runtime, network } = context
    const own = eq(voucherGroups.network, network.id)
    const last = runtime.db.select().from(voucherGroups).where(own).orderBy(desc(voucherGroups.id)).limit(1).get()
    const { voucherQuantity, voucherDevices, voucherValidityDays, voucherMegabytes, voucherRate, resetDays } = limits
    return {
      bounds: { voucherQuantity, voucherDevices, voucherValidityDays, voucherMegabytes, voucherRate, resetDays },
      timezone: network.timezone,
      ssids: kindRows(runtime.db, network.id, 'ssid').map(row => ({ id: row.id, name: row.name })),
      last: last ? groupView(context, last) : null,
    }
  },
})

const saved = z.strictObject({
  id: id.optional(),
  revision: z.int().optional(),
  quantity: quantity.optional(),
  ...voucherTerms,
})
type Saved = z.output<typeof saved>

/** Columns of what is sent. */
function termsOf({ id: _, revision: __, quantity: ___, days, hours, minutes, ...terms }: Saved) {
  return { ...terms, seconds: lastingSeconds({ days, hours, minutes }) }
}

function judge(db: Db, network: number, input: Saved): void {
  const problem = lastingProblem(input)
  if (problem) failFields({ days: problem })
  // The front desk makes them as it sells them.
  if (input.id === undefined && input.quantity === undefined && !input.desk) failFields({ quantity: 'required' })
  if (input.id !== undefined && input.quantity !== undefined) failFields({ quantity: 'notUsed' })
  const others = and(eq(voucherGroups.network, network), ne(voucherGroups.id, input.id ?? 0))
  const same = sql`lower(${voucherGroups.name}) = ${input.name.toLowerCase()}`
  if (db.select().from(voucherGroups).where(and(others, same)).get())
    failFields({ name: 'nameExists' }, 'voucherGroupNameExists')
}

type Terms = ReturnType<typeof termsOf>
const changedFields = (before: GroupRow, after: Terms): LogFields =>
  Object.fromEntries(
    Object.entries(after).flatMap(([key, value]) => {
      const was = before[key as keyof Terms]
      return was === value ? [] : [[logNames[key as keyof Terms], [was, value]]]
    }),
  )
/** Fields as the changelog has them. */
const logNames = {
  name: 'name',
  seconds: 'voucherSeconds',
  validityDays: 'validityDays',
  maxDevices: 'maxDevices',
  byteLimitMb: 'byteLimitMb',
  bytesPer: 'bytesPer',
  downloadKbps: 'downloadKbps',
  uploadKbps: 'uploadKbps',
  resetDays: 'resetDays',
  resetHour: 'resetHour',
  notes: 'notes',
  desk: 'desk',
} as const satisfies Record<keyof Terms, keyof LogFields>

function add(context: NetworkContext & Logging, tx: Db, input: Saved): GroupRow {
  const { network, actor, now, runtime } = context
  const held = tx.select({ n: count() }).from(voucherGroups).where(eq(voucherGroups.network, network.id)).get()?.n ?? 0
  if (held >= limits.voucherGroups) fail('voucherGroupLimit', { limit: limits.voucherGroups })
  const place = { organization: actor.organization, network: network.id }
  const group = tx
    .insert(voucherGroups)
    .values({ ...place, ...termsOf(input), createdAt: now, createdBy: actor.account })
    .returning()
    .get()
  const made = input.quantity ?? 0
  makeVouchers(runtime, tx, group, { quantity: made, now })
  context.log({ action: 'add', object: 'voucherGroup', name: group.name, fields: { quantity: [0, made] } })
  return group
}

function edit(context: NetworkContext & Logging, tx: Db, input: Saved): GroupRow {
  const before = findGroup(tx, context.network.id, input.id ?? 0)
  if (input.revision !== before.revision) fail('staleRevision', { revision: before.revision })
  const fields = changedFields(before, termsOf(input))
  if (!Object.keys(fields).length) return before
  const after = { ...termsOf(input), revision: before.revision + 1 }
  context.log({ action: 'edit', object: 'voucherGroup', name: before.name, fields })
  return tx.update(voucherGroups).set(after).where(eq(voucherGroups.id, before.id)).returning().get()
}

const save = call({
  ...changing,
  path: 'vouchers/groups/save',
  topics: ['vouchers'],
  input: saved,
  /** A new group with so many vouchers, or other terms for all vouchers of one; {id, revision}. */
  run(context, input) {
    const { db } = context.runtime
    judge(db, context.network.id, input)
    const group = db.transaction(tx => (input.id === undefined ? add(context, tx, input) : edit(context, tx, input)))
    tellVouchers(context, input.id === undefined ? [] : usedIn(db, [group.id]))
    return { id: group.id, revision: group.revision }
  },
})

const remove = call({
  ...changing,
  path: 'vouchers/groups/delete',
  topics: ['vouchers'],
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(limits.voucherGroups, 'tooMany') }),
  /** With their vouchers; whoever is in by one of them is out. */
  run(context, { ids }) {
    const { runtime, network } = context
    const { groups, used } = runtime.db.transaction(tx => {
      const groups = [...new Set(ids)].map(one => findGroup(tx, network.id, one))
      const used = usedIn(tx, ids)
      for (const group of groups) {
        const fields = { quantity: [vouchersIn(tx, group.id), 0] } satisfies LogFields
        context.log({ action: 'delete', object: 'voucherGroup', name: group.name, fields })
      }
      tx.delete(voucherGroups).where(inArray(voucherGroups.id, ids)).run()
      return { groups, used }
    })
    tellVouchers(context, used)
    return { deleted: groups.length }
  },
})

export const voucherGroupCalls = [list, get, options, save, remove] as const
