import type { Assign } from '@/model/assign'
import type { Data, Kind } from '@/model/kind'
import { channelsOf } from '@/server/devices/link/channels'
import { importRows, type KeptItem, keepImport, sealKept } from '@/server/devices/link/import-store'
import type { NativeBlock } from '@/server/drivers/driver'
import type { ImportedItem, ImportProposal, UnmanagedItem } from '@/server/drivers/unmanaged'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { isDamaged, openRow } from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import { saveDocument } from '@/server/networks/settings/documents'
import { saveSingle, viewSingle } from '@/server/networks/settings/singles'
import { assignsOf, kindRows } from '@/server/networks/settings/store'
import { forgetLists } from '../overview/overview'
import { mustEdit } from '../plan/authority'
import { isPushing } from '../plan/deployments'
import { compare, type DeviceRow, type Engine, planDevice, planKnown } from '../plan/plan'
import { atItem, type Later, laterOf, writeLater } from './import-later'
import { unmanagedOf, unreachable } from './unmanaged'

// Taking over: what runs on a device and is not ours becomes what settings say, and changes nothing on the device.

export type ImportChoice = { id: string; options: string[] }

/** The chosen options with their values of now; what is not offered is refused at its place. */
function chosenOf(
  context: NetworkContext,
  all: readonly UnmanagedItem[],
  choices: readonly ImportChoice[],
): KeptItem[] {
  return choices.map(({ id, options }, at) => {
    const says: KeptItem['says'] = {}
    const item = all.find(one => one.id === id) ?? failFields({ [`items.${at}.id`]: 'notFound' })
    const offered = options.map((option, place) => {
      const found = item.options.find(one => one.option === option && one.kind !== undefined)
      if (!found?.kind) return failFields({ [`items.${at}.options.${place}`]: 'notFound' })
      mustEdit(context, found.kind)
      says[option] = [found.kind, found.field ?? '']
      return [option, found.value ?? null] as const
    })
    return { id, options: Object.fromEntries(offered), says, ...(item.about && { about: item.about }) }
  })
}

/** An option that is imported already keeps the value it had before that; one that is being released is imported again. */
const joined = (chosen: readonly KeptItem[], earlier: readonly KeptItem[], now: number): KeptItem[] =>
  chosen.map(one => {
    const { releasing, ...before } = earlier.find(other => other.id === one.id) ?? { id: one.id, options: {} }
    const all = Object.fromEntries(Object.keys(before.options).map(option => [option, now]))
    const back = Object.entries(releasing ? all : (before.back ?? {})).filter(([option]) => !(option in one.options))
    const options = { ...one.options, ...before.options }
    const since = { ...Object.fromEntries(Object.keys(one.options).map(option => [option, now])), ...before.since }
    const says = { ...before.says, ...one.says }
    return { ...one, ...before, options, says, since, back: Object.fromEntries(back) }
  })

const same = (a: Data, b: Data) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** The document that says what is proposed: one that is there already goes to this device too, else a new one. */
function decidingDocument(context: NetworkContext & Logging, kind: Kind, device: number, fields: Data): string {
  const { db, secrets } = context.runtime
  const whole = kind.fields.parse(fields) as Data
  const twin = kindRows(db, context.network.id, kind.id).find(row => {
    const opened = openRow(secrets, kind, row)
    return !isDamaged(opened) && same(kind.fields.parse(opened.data) as Data, whole)
  })
  if (!twin) return saveDocument(context, kind, { ...fields, assign: { devices: [device] } }).id
  const assign = assignsOf(db, [twin.id]).get(twin.id) as Assign
  if (!assign.all && !assign.devices.includes(device)) {
    const { revision, data } = { revision: twin.revision, data: openRow(secrets, kind, twin) as { data: Data } }
    const wider = { ...assign, devices: [...assign.devices, device] }
    saveDocument(context, kind, { ...data.data, id: twin.id, revision, assign: wider })
  }
  return twin.id
}

/** Sets for this device alone what it does not inherit as it is; the fields that were set. */
function decidingSingle(context: NetworkContext & Logging, kind: Kind, device: number, fields: Data): string[] {
  const scope = { device }
  const { own, inherited, revision } = viewSingle(context, kind, scope)
  const holds = (key: string) => JSON.stringify(own[key] ?? inherited[key]?.value)
  const news = Object.entries(fields).filter(([key, value]) => JSON.stringify(value) !== holds(key))
  if (news.length) saveSingle(context, kind, { scope, revision, fields: { ...own, ...Object.fromEntries(news) } })
  return news.map(([key]) => key)
}

type Decided = { document: string; made: Record<string, string[]> }

function decide(engine: Engine, context: NetworkContext & Logging, device: number, proposal: ImportProposal): Decided {
  const kind = engine.kinds.get(proposal.kind) as Kind
  if (proposal.document !== undefined) return { document: proposal.document, made: {} }
  if (kind.single) {
    const fields = decidingSingle(context, kind, device, proposal.fields)
    return { document: '', made: fields.length ? { [kind.id]: fields } : {} }
  }
  return { document: decidingDocument(context, kind, device, proposal.fields), made: {} }
}

/** Two proposals for one single are one: its rules judge both together. */
function merged(engine: Engine, proposals: readonly ImportProposal[]): ImportProposal[] {
  const singles = new Map<string, ImportProposal>()
  for (const one of proposals.filter(({ kind }) => engine.kinds.get(kind)?.single)) {
    const before = singles.get(one.kind)
    const items = [...(before?.items ?? []), ...one.items]
    singles.set(one.kind, { ...one, items, fields: { ...before?.fields, ...one.fields } })
  }
  return [...proposals.filter(({ kind }) => !engine.kinds.get(kind)?.single), ...singles.values()]
}

const union = (a: Record<string, string[]>, b: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    [...Object.keys(a), ...Object.keys(b)].map(key => [key, [...new Set([...(a[key] ?? []), ...(b[key] ?? [])])]]),
  )

function writeRow(context: NetworkContext, device: DeviceRow, item: KeptItem, decided: Decided): void {
  const { runtime, actor, now } = context
  const { db } = runtime
  const key = { device: device.id, item: item.id }
  const before = importRows(db, device.id).find(row => row.item === item.id)
  const made = union(JSON.parse(before?.made ?? '{}'), decided.made)
  const row = {
    ...key,
    organization: device.organization,
    kept: sealKept(runtime, key, item),
    document: decided.document || before?.document || '',
    made: JSON.stringify(made),
    importedAt: now,
    by: actor.account,
    releasedAt: null,
  }
  keepImport(db, row)
}

export type ImportOutcome = {
  /** Ids of the items that settings decide now. */
  items: string[]
  /** The list documents that do. */
  documents: { id: string; kind: string; name: string }[]
  /** The singles that do, for this device. */
  kinds: string[]
  /** Blocks that the next push would change, because documents the device was given before say something else. */
  differs: string[]
}

/** What is imported of a device stays the same from a push's plan to its proof. */
export function mustBeIdle({ runtime }: NetworkContext, device: DeviceRow): void {
  if (isPushing(runtime.db, device.id)) fail('pushRunning', { name: device.name })
}

type Wanted = {
  choices: readonly ImportChoice[]
  items: readonly KeptItem[]
  proposals: readonly ImportProposal[]
  later: readonly Later[]
}

/** Writes what is imported and the documents that decide it, in one transaction. */
function store(
  engine: Engine,
  context: NetworkContext & Logging,
  device: DeviceRow,
  { choices, items, proposals, later }: Wanted,
): Made[] {
  mustBeIdle(context, device)
  return context.runtime.db.transaction(() => {
    const made = proposals.map(one => ({
      items: one.items,
      kind: one.kind,
      decided: atItem(choices, one, () => decide(engine, context, device.id, one)),
    }))
    writeLater(engine, context, device, { later, choices })
    for (const item of items) {
      const own = made.filter(one => one.items.includes(item.id)).map(one => one.decided)
      const document = own.find(one => one.document)?.document ?? ''
      writeRow(context, device, item, { document, made: own.reduce((sum, one) => union(sum, one.made), {}) })
    }
    const fields = choices.map(({ id, options }) => [id, [null, options.join(', ')] as [unknown, unknown]] as const)
    context.log({ action: 'takeOver', object: 'device', name: device.name, fields: Object.fromEntries(fields) })
    return made
  })
}

/** What no setting would decide is not imported: it would only look so. */
function mustBeProposed(
  choices: readonly ImportChoice[],
  undecided: readonly KeptItem[],
  proposals: readonly ImportProposal[],
): void {
  const lost = undecided.filter(one => !proposals.some(({ items }) => items.includes(one.id)))
  const fields = lost.map(({ id }) => [`items.${choices.findIndex(one => one.id === id)}.id`, 'noSettingSays'] as const)
  if (fields.length > 0) failFields(Object.fromEntries(fields))
}

/** Takes chosen options over. Nothing is sent to the device. All or none. */
export async function importOptions(
  engine: Engine,
  context: NetworkContext & Logging,
  device: DeviceRow,
  choices: readonly ImportChoice[],
): Promise<ImportOutcome> {
  const plan = await planKnown(engine, device).catch(unreachable)
  const all = await unmanagedOf(engine, device)
  const chosen = chosenOf(context, all, choices)
  const items = joined(chosen, plan.imported, context.now)
  const others = plan.imported.filter(one => !items.some(item => item.id === one.id))
  const decided = new Set(plan.imported.filter(one => one.document).map(one => one.id))
  const { documents, confirmSeconds, network } = plan
  const input = {
    documents,
    confirmSeconds,
    country: network.country,
    channels: channelsOf(device),
    imported: [...others, ...items],
  }
  const undecided = chosen.filter(one => !decided.has(one.id))
  const proposals = merged(engine, await engine.transport.propose({ id: device.id, ...input, chosen: undecided, all }))
  mustBeProposed(choices, undecided, proposals)
  const later = await laterOf(engine, device, plan, { items, proposals, now: context.now })
  const made = store(engine, context, device, { choices, items, proposals, later })
  importsChanged(engine, device)
  const differs = await differing(engine, device, items)
  return { items: items.map(one => one.id), ...summary(engine, context, made), differs }
}

export function importsChanged(engine: Engine, device: DeviceRow): void {
  const { runtime, syncCache: standings } = engine
  standings.changed(device.id)
  forgetLists(engine)
  runtime.bus.emit({ topic: 'device', id: device.id, organization: device.organization, network: device.network })
}

type Made = { items: readonly string[]; kind: string; decided: Decided }

function summary({ kinds }: Engine, { runtime, network }: NetworkContext, made: readonly Made[]) {
  const documents = made.flatMap(({ kind, decided }) => {
    const row = kindRows(runtime.db, network.id, kind).find(one => one.id === decided.document)
    return row ? [{ id: row.id, kind, name: row.name }] : []
  })
  return { documents, kinds: made.map(one => one.kind).filter(kind => kinds.get(kind)?.single) }
}

/** Blocks of these items whose plan is not what they were. */
async function differing(engine: Engine, device: DeviceRow, items: readonly ImportedItem[]): Promise<string[]> {
  const ids = new Set(items.map(one => one.id))
  const { planned, former } = await planDevice(engine, device)
  const own = (blocks: readonly NativeBlock[]) => ({ blocks: blocks.filter(block => ids.has(block.item ?? '')) })
  return (await compare(engine, device, own(planned.blocks), own(former))).map(block => block.id)
}
