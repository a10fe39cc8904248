import { documentCode } from '@/model/codes'
import type { Kind } from '@/model/kind'
import {
  changeImport,
  endImport,
  type ImportRow,
  importRows,
  type KeptItem,
  openKept,
  sealKept,
} from '@/server/devices/link/import-store'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { isDamaged, openRow } from '@/server/kernel/documents'
import { fail, failFields, isRefusal } from '@/server/kernel/fail'
import { deleteDocuments, saveDocument } from '@/server/networks/settings/documents'
import { saveSingle, viewSingle } from '@/server/networks/settings/singles'
import { assignsOf } from '@/server/networks/settings/store'
import { mustEdit } from '../plan/authority'
import { networkDocuments } from '../plan/desired'
import { endReleases } from '../plan/imported'
import { type DeviceRow, type Engine, planDevice, readDevice, syncStatusOf } from '../plan/plan'
import { importsChanged, mustBeIdle } from './import'

// Releasing: the former values stand in the device's plan, and with the push that puts them the ownership ends.

/** Without `options`: all of the item. */
export type Release = { id: string; options?: string[] }

/** Takes a document off one device; one that nobody else is given goes, unless something else needs it (rule P13 too). */
function withdraw(engine: Engine, context: NetworkContext & Logging, device: number, id: string): void {
  const { db, secrets } = context.runtime
  const row = networkDocuments(db, context.network.id).rows.find(one => one.id === id)
  const assign = assignsOf(db, [id]).get(id)
  const kind = row && engine.kinds.get(row.kind)
  if (!kind || !assign?.devices.includes(device)) return
  mustEdit(context, kind.id)
  const left = { ...assign, devices: assign.devices.filter(one => one !== device) }
  if (!left.all && left.groups.length + left.devices.length === 0 && deleted(context, kind, id)) return
  const opened = openRow(secrets, kind, row)
  if (isDamaged(opened)) fail(documentCode(kind.id, 'damaged'))
  saveDocument(context, kind, { ...opened.data, id, revision: row.revision, assign: left })
}

function deleted(context: NetworkContext & Logging, kind: Kind, id: string): boolean {
  try {
    deleteDocuments(context, kind, [id])
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Unsets what the import set for this device alone. */
function unset(
  engine: Engine,
  context: NetworkContext & Logging,
  device: number,
  made: Record<string, string[]>,
): void {
  for (const [id, fields] of Object.entries(made)) {
    const kind = engine.kinds.get(id)
    if (!kind) continue
    mustEdit(context, id)
    const scope = { device }
    const { own, revision } = viewSingle(context, kind, scope)
    const left = Object.fromEntries(Object.entries(own).filter(([key]) => !fields.includes(key)))
    if (Object.keys(left).length < Object.keys(own).length) saveSingle(context, kind, { scope, revision, fields: left })
  }
}

type Given = { row: ImportRow; item: KeptItem; options: string[]; whole: boolean }

/** What is released, and whether anything of the item stays imported. */
function givenOf(rows: readonly ImportRow[], { runtime }: NetworkContext, choices: readonly Release[]): Given[] {
  return choices.map(({ id, options }, at) => {
    const row = rows.find(one => one.item === id) ?? failFields({ [`items.${at}`]: 'notFound' })
    const item = openKept(runtime, row)
    const present = Object.keys(item.options).filter(option => !(option in (item.back ?? {})))
    for (const [place, option] of (options ?? []).entries())
      if (!present.includes(option)) failFields({ [`items.${at}.options.${place}`]: 'notFound' })
    const given = options ?? present
    const whole = options === undefined || row.releasedAt !== null || present.every(option => given.includes(option))
    return { row, item, options: given, whole }
  })
}

/** Fields of singles that only these options said and taking them over set. */
function fieldsOf({ row, item, options }: Given): Record<string, string[]> {
  const { says = {} } = item
  const left = Object.keys(says).filter(option => !options.includes(option) && !(option in (item.back ?? {})))
  const still = new Set(left.map(option => says[option]?.join('.')))
  const made = JSON.parse(row.made) as Record<string, string[]>
  const found = options.flatMap(option => {
    const [kind = '', field = ''] = says[option] ?? []
    return made[kind]?.includes(field) && !still.has(`${kind}.${field}`) ? [[kind, field] as const] : []
  })
  return Object.fromEntries(
    [...new Set(found.map(([kind]) => kind))].map(kind => [
      kind,
      found.filter(one => one[0] === kind).map(one => one[1]),
    ]),
  )
}

/** What is left of what the import set, once some of it is unset. */
const madeWithout = (made: string, fields: Record<string, string[]>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(made) as Record<string, string[]>).map(([kind, names]) => [
        kind,
        names.filter(name => !fields[kind]?.includes(name)),
      ]),
    ),
  )

function giveOne(engine: Engine, context: NetworkContext & Logging, given: Given, gone: boolean): void {
  const { runtime, now } = context
  const { row, item, options, whole } = given
  const fields = whole ? (JSON.parse(row.made) as Record<string, string[]>) : fieldsOf(given)
  if (whole && gone) endImport(runtime.db, row)
  else if (whole) changeImport(runtime.db, row, { releasedAt: now, made: '{}' })
  else {
    const back = { ...item.back, ...Object.fromEntries(options.map(option => [option, now])) }
    const kept = sealKept(runtime, row, { ...item, back })
    changeImport(runtime.db, row, { kept, made: madeWithout(row.made, fields) })
  }
  unset(engine, context, row.device, fields)
}

/** Items that are not on the device any more: there is nothing to put back. None where it does not answer. */
async function goneItems(engine: Engine, device: DeviceRow): Promise<Set<string | undefined>> {
  const seen = device.status === 0 ? undefined : await readDevice(engine, device.id).catch(() => undefined)
  if (!seen) return new Set()
  const { former } = await planDevice(engine, device)
  const there = new Set(seen.blocks.map(block => block.item))
  return new Set(former.map(block => block.item).filter(item => !there.has(item)))
}

/**
 * Releases items or single options: the settings that the import made for this device go, the former values stand in
 * its plan, and with the push that puts them the ownership ends. All or none.
 */
export async function release(
  engine: Engine,
  context: NetworkContext & Logging,
  device: DeviceRow,
  choices: readonly Release[],
): Promise<void> {
  const { runtime } = context
  const gone = await goneItems(engine, device)
  mustBeIdle(context, device)
  runtime.db.transaction(() => {
    const rows = importRows(runtime.db, device.id)
    const given = givenOf(rows, context, choices)
    const whole = given.filter(one => one.whole).map(one => one.row)
    const left = rows.filter(row => row.releasedAt === null && !whole.some(one => one.item === row.item))
    for (const one of given) giveOne(engine, context, one, gone.has(one.row.item))
    for (const id of new Set(whole.map(row => row.document)))
      if (id && !left.some(row => row.document === id)) withdraw(engine, context, device.id, id)
    const fields = Object.fromEntries(
      given.map(one => [one.row.item, [one.whole ? one.row.by : one.options.join(', '), null] as [unknown, unknown]]),
    )
    context.log({ action: 'handBack', object: 'device', name: device.name, fields })
  })
  importsChanged(engine, device)
  // What no push has changed since is as it was: none is offered that could end it.
  if ((await syncStatusOf(engine, device)).modified === false) endReleases(runtime, device.id, Number.POSITIVE_INFINITY)
}
