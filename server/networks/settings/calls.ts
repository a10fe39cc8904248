import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices, groups } from '@/db/schema'
import type { Authority } from '@/model/authority'
import { documentCode } from '@/model/codes'
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
import { csvFile } from '@/server/kernel/csv'
import { fail } from '@/server/kernel/fail'
import { listInput, paginate } from '@/server/kernel/lists'
import { airProblems } from './air-problems'
import { deleteDocuments, saveDocument, sortDocuments, viewDocuments } from './documents'
import { locksOf, mustBeOpen } from './locks'
import { saveSingle, viewSingle } from './singles'
import type { DocumentView } from './store'
import { wifiCalls } from './wifi-calls'

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
        return found ?? fail(documentCode(id, 'notFound'), { id: input.id })
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
    topics: ['settings'],
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
  input: z.strictObject({
    search: listInput.search,
    /** Devices that are chosen already: named, whatever is searched. */
    chosen: z.array(z.int().positive()).max(200).default([]),
  }),
  /**
   * {groups, devices, chosen: {id, name}[], total} of the network, by name: of the devices the first that hold the text,
   * and how many do.
   */
  run({ runtime: { db }, network }, { search = '', chosen }) {
    const named = (table: typeof groups | typeof devices) =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(eq(table.network, network.id))
        .orderBy(table.name, table.id)
        .all()
    const all = named(devices)
    const words = folded(search).split(/\s+/).filter(Boolean)
    const found = words.length > 0 ? all.filter(({ name }) => words.every(word => folded(name).includes(word))) : all
    return {
      groups: named(groups),
      devices: found.slice(0, targetsShown),
      chosen: all.filter(({ id }) => chosen.includes(id)),
      total: found.length,
    }
  },
})

/** As it is looked for: without case and accents. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Devices to choose from at a time: who means another one types a part of its name. */
const targetsShown = 50

const scope = z.strictObject({ group: z.int().positive().optional(), device: z.int().positive().optional() })
const told = z.unknown().optional().meta({ readOnly: true })
/**
 * What a save of a kind that exists once takes beside the kind's own fields. As it was read it can be sent back: `own` holds
 * the fields, the rest the manager says, and nothing is done by it.
 */
export const singleEnvelope = z.strictObject({
  scope: scope
    .extend({
      scope: z.enum(['network', 'group', 'device']).optional(),
      id: z.int().positive().optional(),
      name: told,
    })
    .default({}),
  revision: z.int().min(0),
  own: z.record(z.string(), z.unknown()).default({}),
  ...{ inherited: told, locked: told, damaged: told },
})
type At = z.output<typeof singleEnvelope>['scope']

/** The scope that is meant, however it is said. */
const meant = ({ group, device, scope: name, id }: At) => ({
  group: group ?? (name === 'group' ? id : undefined),
  device: device ?? (name === 'device' ? id : undefined),
})

/** What a person may not set where the network stands. What comes from a file or a device is warned of by the plan. */
const besides: Partial<Record<SingleKindId, typeof airProblems>> = { radio: airProblems }

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
      async run(context, { scope: at }) {
        const view = viewSingle(context, await loadKind(id), at)
        return { ...view, locked: await locksOf(context.runtime, id, at.device) }
      },
    }),
    call({
      path: `settings/${id}/save`,
      tag: 'settings',
      scope: 'network',
      authority: `${authorityOf(id)}_edit` as Authority,
      changes: true,
      topics: ['settings'],
      changelog: 'entry',
      send: 'once',
      // Flat, as with lists: the kind's own fields beside scope and the revision that was read; or `own`, as it was read.
      input: z.record(z.string(), z.unknown()),
      async run(context, { scope: at, revision, own: read, inherited, locked, damaged, ...given }) {
        const kind = await loadKind(id)
        const parsed = parseFields(singleEnvelope, { scope: at, revision, own: read, inherited, locked, damaged })
        const fields = { ...('data' in parsed && parsed.data.own), ...given }
        if ('data' in parsed) {
          const to = meant(parsed.data.scope)
          const { device } = to
          const locks = await locksOf(context.runtime, id, device)
          if (device !== undefined) mustBeOpen(locks, viewSingle(context, kind, { device }).own, fields)
          const judge = besides[id]
          const beside = judge && ((own: Data, whole: Data) => judge(context.network, own, whole))
          return saveSingle(context, kind, { scope: to, revision: parsed.data.revision, fields, beside })
        }
        const own = parseFields(ownFields(kind), fields)
        return fail('invalidInput', 'data' in own ? parsed : { fields: { ...own.fields, ...parsed.fields } })
      },
    }),
  ] as const
}

const exportKeys = call({
  path: 'exports/ppsk',
  tag: 'settings',
  scope: 'network',
  authority: authorityOf('ppsk'),
  changes: false,
  get: true,
  exports: true,
  input: z.strictObject({ search: listInput.search }),
  /** A CSV file: who has a private key, where it holds and in which VLAN. The keys themselves leave the manager never. */
  async run({ runtime, network, now }, { search = '' }) {
    const names = new Map(viewDocuments(runtime, network.id, await loadKind('ssid')).map(one => [one.id, one.name]))
    const wanted = search.trim().toLowerCase()
    const rows = viewDocuments(runtime, network.id, await loadKind('ppsk'))
      .filter(one => String(one.name).toLowerCase().includes(wanted))
      .map(one => [
        String(one.name),
        one.enabled === false ? 'no' : 'yes',
        one.ssid === undefined ? 'all' : String(names.get(String(one.ssid)) ?? ''),
        one.vlan === undefined ? undefined : Number(one.vlan),
        one.mac === undefined ? undefined : String(one.mac),
      ])
    return csvFile('private-keys', [['name', 'on', 'ssid', 'vlan', 'mac'], ...rows], now)
  },
})

/** Six calls for every kind with a list, two for each that exists once. */
export const settingsCalls = [
  targets,
  exportKeys,
  ...wifiCalls,
  ...listKindIds.flatMap(id => [...readingCalls(id), ...changingCalls(id)]),
  ...singleKindIds.flatMap(id => singleCalls(id)),
] as const
