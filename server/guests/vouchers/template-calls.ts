import { and, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import * as z from 'zod'
import { voucherTemplates } from '@/db/schema'
import { hasRoom } from '@/model/guests/voucher-print'
import { templateFields } from '@/model/guests/voucher-template'
import { limits } from '@/model/limits'
import { call, type Logging, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listInput, orderBy, pageOf } from '@/server/kernel/lists'
import { id } from '@/server/kernel/shapes'
import { changing, reading } from './call-terms'
import { tellVouchers } from './groups'
import { findTemplate, templateOf } from './templates'
import { wifiOf } from './wifi'

const printing = { authority: 'vouchers_print' } as const
const sortColumns = { name: sql`${voucherTemplates.name} COLLATE NOCASE`, createdAt: voucherTemplates.createdAt }
const ownOf = (network: number) => eq(voucherTemplates.network, network)

const list = call({
  ...reading,
  ...printing,
  path: 'vouchers/templates/list',
  input: z.strictObject({ ...listInput }),
  /** By name unless sorted otherwise. */
  run({ runtime: { db }, network }, { page, pageSize, search, sort }) {
    const wanted = search?.trim().toLowerCase()
    const where = and(ownOf(network.id), wanted ? sql`instr(lower(${voucherTemplates.name}), ${wanted})` : undefined)
    const total = db.select({ n: count() }).from(voucherTemplates).where(where).get()?.n ?? 0
    const at = pageOf(total, page, pageSize)
    const rows = db
      .select()
      .from(voucherTemplates)
      .where(where)
      .orderBy(...orderBy(sort, sortColumns, sortColumns.name), desc(voucherTemplates.id))
      .limit(pageSize)
      .offset(at.offset)
      .all()
    return { result: rows.map(templateOf), total, page: at.page, pageSize }
  },
})

const saved = z
  .strictObject({ id: id.optional(), revision: z.int().optional(), ...templateFields })
  .refine(hasRoom, { path: ['qr'], error: 'noRoom' })
type Saved = z.output<typeof saved>

function refuseTwin({ runtime: { db }, network }: NetworkContext, { id: own = 0, name }: Saved): void {
  const same = sql`lower(${voucherTemplates.name}) = ${name.toLowerCase()}`
  const twin = and(ownOf(network.id), ne(voucherTemplates.id, own), same)
  if (db.select().from(voucherTemplates).where(twin).get())
    failFields({ name: 'nameExists' }, 'voucherTemplateNameExists')
}

function add(context: NetworkContext & Logging, name: string, data: string) {
  const { runtime, network, actor, now } = context
  const { n = 0 } = runtime.db.select({ n: count() }).from(voucherTemplates).where(ownOf(network.id)).get() ?? {}
  if (n >= limits.voucherTemplates) fail('voucherTemplateLimit', { limit: limits.voucherTemplates })
  const row = { organization: actor.organization, network: network.id, name, data, createdAt: now }
  context.log({ action: 'add', object: 'voucherTemplate', name })
  return runtime.db.insert(voucherTemplates).values(row).returning().get()
}

function edit(context: NetworkContext & Logging, { id: own = 0, revision, name }: Saved, data: string) {
  const before = findTemplate(context, own)
  if (revision !== before.revision) fail('staleRevision', { revision: before.revision })
  context.log({ action: 'edit', object: 'voucherTemplate', name: before.name })
  const after = { name, data, revision: before.revision + 1 }
  return context.runtime.db.update(voucherTemplates).set(after).where(eq(voucherTemplates.id, own)).returning().get()
}

const save = call({
  ...changing,
  ...printing,
  path: 'vouchers/templates/save',
  topics: ['vouchers'],
  input: saved,
  /** {id, revision}. What could not be printed is refused now, not by whoever prints. */
  run(context, input) {
    const { id: own, revision: _, name, ...data } = input
    refuseTwin(context, input)
    wifiOf(context, input)
    const text = JSON.stringify(data)
    const row = context.runtime.db.transaction(() =>
      own === undefined ? add(context, name, text) : edit(context, input, text),
    )
    tellVouchers(context)
    return { id: row.id, revision: row.revision }
  },
})

const remove = call({
  ...changing,
  ...printing,
  path: 'vouchers/templates/delete',
  topics: ['vouchers'],
  input: z.strictObject({ ids: z.array(id).min(1, 'required').max(limits.voucherTemplates, 'tooMany') }),
  /** All or none. */
  run(context, { ids }) {
    context.runtime.db.transaction(tx => {
      for (const one of new Set(ids)) {
        const { name } = findTemplate(context, one)
        context.log({ action: 'delete', object: 'voucherTemplate', name })
      }
      tx.delete(voucherTemplates).where(inArray(voucherTemplates.id, ids)).run()
    })
    tellVouchers(context)
    return { deleted: ids.length }
  },
})

const exportTemplates = call({
  ...reading,
  ...printing,
  path: 'exports/templates',
  get: true,
  exports: true,
  input: z.strictObject({}),
  /** A JSON file: each as `vouchers/templates/save` takes it. */
  run({ runtime: { db }, network, now }) {
    const rows = db.select().from(voucherTemplates).where(ownOf(network.id)).orderBy(voucherTemplates.id).all()
    const file = rows.map(row => {
      const { id: _, revision: __, ...own } = templateOf(row)
      return own
    })
    return new Response(`${JSON.stringify(file, null, 2)}\n`, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="templates-${new Date(now).toISOString().slice(0, 10)}.json"`,
        'cache-control': 'no-store',
      },
    })
  },
})

export const voucherTemplateCalls = [list, save, remove, exportTemplates] as const
