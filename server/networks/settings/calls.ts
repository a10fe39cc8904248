import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices, groups } from '@/db/schema'
import type { Authority } from '@/model/authority'
import { parseFields } from '@/model/field-errors'
import type { Data, Kind } from '@/model/kind'
import {
  authorityOf,
  kindIds,
  type ListKindId,
  listKindIds,
  loadKind,
  namedBy,
  type SingleKindId,
  singleKindIds,
} from '@/model/registry'
import { ownFields } from '@/model/single'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { deleteDocuments, saveDocument, sortDocuments, viewDocuments } from './documents'
import { saveSingle, viewSingle } from './singles'
import type { DocumentView } from './store'

const ids = z.array(z.uuid('notFound')).min(1, 'required').max(1000)

/** Values as a person orders them: numbers by size, text by the language, nothing last whatever the direction. */
function byField(kind: Kind, field: string, direction: 'asc' | 'desc') {
  if (!Object.hasOwn(kind.fields.shape, field)) return () => 0
  const turn = direction === 'desc' ? -1 : 1
  return (a: DocumentView, b: DocumentView) => {
    const [left, right] = [a[field], b[field]]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    if (typeof left === 'number' && typeof right === 'number') return turn * (left - right)
    return turn * String(left).localeCompare(String(right))
  }
}

function readingCalls<const K extends ListKindId>(id: K) {
  const base = { tag: 'settings', scope: 'network', authority: authorityOf(id), changes: false } as const
  return [
    call({
      ...base,
      path: `settings/${id}/list`,
      input: z.strictObject(listInput),
      async run({ runtime, network }, { page, pageSize, search, sort }) {
        const kind = await loadKind(id)
        const wanted = search?.trim().toLowerCase() ?? ''
        const rows = viewDocuments(runtime, network.id, kind).filter(row =>
          String(row[kind.title]).toLowerCase().includes(wanted),
        )
        const sorted = sort ? rows.toSorted(byField(kind, sort.field, sort.direction)) : rows
        return { ...paginate(sorted, page, pageSize), max: kind.max }
      },
    }),
    call({
      ...base,
      path: `settings/${id}/get`,
      input: z.strictObject({ id: z.uuid('notFound') }),
      async run({ runtime, network }, input) {
        const found = viewDocuments(runtime, network.id, await loadKind(id)).find(row => row.id === input.id)
        return found ?? fail('documentNotFound', { id: input.id })
      },
    }),
    call({
      ...base,
      // Whoever chooses one in another setting needs its name, and no more of it.
      also: namedBy(id),
      path: `settings/${id}/options`,
      input: z.strictObject({}),
      async run({ runtime, network }) {
        const kind = await loadKind(id)
        const result = viewDocuments(runtime, network.id, kind).map(row => ({
          id: row.id,
          name: String(row[kind.title]),
        }))
        return { result, total: result.length }
      },
    }),
  ] as const
}

function changingCalls<const K extends ListKindId>(id: K) {
  const base = {
    tag: 'settings',
    scope: 'network',
    authority: `${authorityOf(id)}_edit` as Authority,
    changes: true,
    changelog: 'entry',
    send: 'once',
  } as const
  return [
    call({
      ...base,
      path: `settings/${id}/save`,
      // The fields are the kind's own: saveDocument judges them all, unknown ones included.
      input: z.record(z.string(), z.unknown()),
      run: async (context, input) => saveDocument(context, await loadKind(id), input as Data),
    }),
    call({
      ...base,
      path: `settings/${id}/delete`,
      input: z.strictObject({ ids }),
      async run(context, input) {
        deleteDocuments(context, await loadKind(id), input.ids)
        return {}
      },
    }),
    call({
      ...base,
      path: `settings/${id}/sort`,
      send: 'keepalive',
      input: z.strictObject({ ids }),
      async run(context, input) {
        sortDocuments(context, await loadKind(id), input.ids)
        return {}
      },
    }),
  ] as const
}

const targets = call({
  path: 'settings/targets',
  tag: 'settings',
  scope: 'network',
  authority: 'devices',
  // Whoever says in a setting which devices get it needs their names, and no more of them.
  also: [...new Set(kindIds.map(authorityOf))],
  changes: false,
  input: z.strictObject({}),
  /** {groups: {id, name}[], devices: {id, name}[]} of the network, by name. */
  run({ runtime: { db }, network }) {
    const named = (table: typeof groups | typeof devices) =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(eq(table.network, network.id))
        .orderBy(table.name, table.id)
        .all()
    return { groups: named(groups), devices: named(devices) }
  },
})

const scope = z.strictObject({ group: z.int().positive().optional(), device: z.int().positive().optional() })
/** What a save of a kind that exists once takes beside the kind's own fields. */
export const singleEnvelope = z.strictObject({ scope: scope.default({}), revision: z.int().min(0) })

/** Two calls for what exists once; without a scope they mean the network. */
function singleCalls<const K extends SingleKindId>(id: K) {
  return [
    call({
      path: `settings/${id}/get`,
      tag: 'settings',
      scope: 'network',
      authority: authorityOf(id),
      changes: false,
      input: z.strictObject({ scope: scope.default({}) }),
      run: async (context, input) => viewSingle(context, await loadKind(id), input.scope),
    }),
    call({
      path: `settings/${id}/save`,
      tag: 'settings',
      scope: 'network',
      authority: `${authorityOf(id)}_edit` as Authority,
      changes: true,
      changelog: 'entry',
      send: 'once',
      // Flat, as with lists: the kind's own fields beside scope and the revision that was read.
      input: z.record(z.string(), z.unknown()),
      async run(context, { scope: at, revision, ...fields }) {
        const kind = await loadKind(id)
        const parsed = parseFields(singleEnvelope, { scope: at, revision })
        if ('data' in parsed) return saveSingle(context, kind, { ...parsed.data, fields })
        const own = parseFields(ownFields(kind), fields)
        return fail('invalidInput', 'data' in own ? parsed : { fields: { ...own.fields, ...parsed.fields } })
      },
    }),
  ] as const
}

/** Six calls for every kind with a list, two for each that exists once. */
export const settingsCalls = [
  targets,
  ...listKindIds.flatMap(id => [...readingCalls(id), ...changingCalls(id)]),
  ...singleKindIds.flatMap(id => singleCalls(id)),
] as const
