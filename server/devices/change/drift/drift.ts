import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { documentCode } from '@/model/codes'
import { type Data, hiddenFields, type Kind } from '@/model/kind'
import { valuesOf } from '@/model/single'
import { addEvent } from '@/server/devices/link/states'
import type { Adopted, NativeConfig } from '@/server/drivers/driver'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { Logging, NetworkContext } from '@/server/kernel/call'
import { type DocumentRow, isDamaged, openRow } from '@/server/kernel/documents'
import { fail } from '@/server/kernel/fail'
import { isSaveable, saveDocument } from '@/server/networks/settings/documents'
import { isSingleSaveable, saveSingle, viewSingle } from '@/server/networks/settings/singles'
import { deviceAlert } from '@/server/notify/alerts/raise'
import { mustEdit } from '../plan/authority'
import { devicesWithPush, isPushing, lastApplied, openPart } from '../plan/deployments'
import type { BlockChange } from '../plan/diff'
import { fittedToImports } from '../plan/imported'
import {
  aboutDevice,
  compare,
  type DeviceRow,
  type Engine,
  findDevice,
  type Plan,
  planDevice,
  readDevice,
} from '../plan/plan'
import { withAdopted } from './adopted'

// What somebody changed on a device itself: its state now against its state after the last push.

/** Blocks that differ from what the last push left and that a push would overwrite, as changes of the device. */
export async function driftOf(
  engine: Engine,
  device: DeviceRow,
  plan: Pick<Plan, 'planned' | 'known' | 'former' | 'imported'>,
  now: NativeConfig,
): Promise<BlockChange[]> {
  const applied = lastApplied(engine.runtime.db, device.id)
  const last = applied && openPart(engine.runtime, applied, 'seen')
  // Never pushed to: what was imported is known as it was then.
  const [before, seen] = last
    ? [fittedToImports(last, plan.former, { imported: plan.imported, at: applied.startedAt ?? 0 }), now]
    : [{ blocks: plan.former }, { blocks: now.blocks.filter(block => block.item !== undefined) }]
  const changed = await compare(engine, device, seen, before)
  const differs = changed.length && plan.known ? await compare(engine, device, plan.planned, now) : []
  const open = new Set(differs.map(block => block.id))
  const drift = plan.known ? changed.filter(block => open.has(block.id)) : changed
  noteDrift(engine, device, drift)
  return drift
}

function noteDrift(engine: Engine, device: DeviceRow, drift: readonly BlockChange[]): void {
  const { runtime } = engine
  const held = engine.drift.get(device.id)
  const before = held?.blocks ?? []
  const blocks = drift.map(block => block.id)
  const now = Date.now()
  // What the first look of all finds may have been there for long.
  const since = before.length > 0 ? held?.since : held?.blocks && now
  engine.drift.set(device.id, { at: now, blocks, ...(blocks.length > 0 && since !== undefined && { since }) })
  if (before.join('\n') === blocks.join('\n')) return
  if (before.length === 0) {
    addEvent(runtime, device.id, 'changedOnDevice', { parts: blocks.length })
    deviceAlert(runtime, device, 'changedOnDevice', { at: now })
  }
  runtime.bus.emit({ topic: 'push', id: device.id, organization: device.organization, network: device.network })
}

const checkEveryMs = 3_600_000

/** Devices that answer and of which something is known to compare with: what they tell is Lanward's, or what a push left. */
function comparable({ runtime: { db } }: Engine): number[] {
  const { id, driver, kind } = devices
  const pushed = devicesWithPush(db)
  const online = db.select({ id, driver, kind }).from(devices).where(eq(devices.status, 1)).all()
  return online.filter(device => pushed.has(device.id) || abilitiesOf(device).tellsOwn).map(device => device.id)
}

/** Reads a share of the devices, each about once an hour, and keeps what was changed on them. */
export async function checkDrift(engine: Engine): Promise<void> {
  const writable = comparable(engine)
  const dueSince = Date.now() - checkEveryMs
  const due = writable.filter(id => (engine.drift.get(id)?.at ?? 0) < dueSince)
  for (const id of due.slice(0, Math.ceil(writable.length / 30))) {
    if (engine.stopping.signal.aborted) return
    const device = findDevice(engine.runtime, id)
    if (!device) continue
    await checkDevice(engine, device).catch(() => {
      // It is polled: that it does not answer is told elsewhere. Its turn comes again in an hour.
      engine.drift.set(id, { ...engine.drift.get(id), at: Date.now() })
    })
  }
}

async function checkDevice(engine: Engine, device: DeviceRow): Promise<void> {
  if (isPushing(engine.runtime.db, device.id)) return
  const now = await readDevice(engine, device.id)
  if (!isPushing(engine.runtime.db, device.id)) await driftOf(engine, device, await planDevice(engine, device), now)
}

export type DriftBlock = BlockChange & {
  /** Whether settings can say it. */
  adoptable: boolean
}
type Told = { drift: BlockChange[]; adopted: { block: string; adopted: Adopted[] | null }[] }

async function readBack(engine: Engine, device: DeviceRow, plan: Plan, now: NativeConfig): Promise<Told> {
  const drift = await driftOf(engine, device, plan, now)
  const seen = now.blocks.filter(block => drift.some(one => one.id === block.id))
  const { documents, confirmSeconds, imported } = plan
  const made = {
    documents,
    confirmSeconds,
    ...aboutDevice(engine.runtime, device, plan.network),
    imported,
  }
  const told = seen.length ? await engine.transport.adopt({ id: device.id, ...made, seen }) : []
  return { drift, adopted: saveable(engine, device, plan, told) }
}

/** A part whose fields a save would refuse can be told in settings no more than one without; each is judged upon those before it. */
function saveable(engine: Engine, device: DeviceRow, plan: Plan, told: Told['adopted']): Told['adopted'] {
  let kept: ReadonlyMap<string, Data> = new Map()
  return told.map(one => {
    const next = withFields(kept, one.adopted ?? [])
    const isRight = (one.adopted ?? []).every(({ document: id }) => {
      const row = plan.network.rows.find(found => found.id === id)
      const changed = next.get(id) ?? {}
      return row ? canAdoptInto(engine, device, row, changed) : canAdoptSingle(engine, device, id, changed)
    })
    if (!isRight) return { ...one, adopted: null }
    kept = next
    return one
  })
}

/** The drift, and the kinds of settings that taking it over would change. */
export async function adoptableDrift(engine: Engine, device: DeviceRow, plan: Plan, now: NativeConfig) {
  const told = await readBack(engine, device, plan, now)
  const can = new Set(told.adopted.flatMap(one => (one.adopted ? [one.block] : [])))
  const kindOf = (id: string) => plan.network.rows.find(one => one.id === id)?.kind ?? id
  return {
    drift: told.drift.map((block): DriftBlock => ({ ...block, adoptable: can.has(block.id) })),
    adopts: [...new Set([...fieldsOf(told).keys()].map(kindOf))],
  }
}

/** Fields by document; two blocks that ask for different values of one document leave the last one's. */
function withFields(before: ReadonlyMap<string, Data>, adopted: readonly Adopted[]): Map<string, Data> {
  const fields = new Map(before)
  for (const { document, fields: own } of adopted) fields.set(document, { ...fields.get(document), ...own })
  return fields
}
const fieldsOf = (told: Told) =>
  withFields(
    new Map(),
    told.adopted.flatMap(one => one.adopted ?? []),
  )

/** A document as it stands, with these fields, for a save; undefined for one that is damaged. */
function documentInput(engine: Engine, row: DocumentRow, changed: Data) {
  const kind = engine.kinds.get(row.kind) as Kind
  const opened = openRow(engine.runtime.secrets, kind, row)
  if (isDamaged(opened)) return undefined
  return { kind, input: { ...withAdopted(kind, opened.data, changed), id: row.id, revision: row.revision } }
}

const networkOf = ({ network }: DeviceRow) => ({ network: { id: network, name: '' } })

function canAdoptInto(engine: Engine, device: DeviceRow, row: DocumentRow, changed: Data): boolean {
  const found = documentInput(engine, row, changed)
  return found !== undefined && isSaveable({ runtime: engine.runtime, ...networkOf(device) }, found.kind, found.input)
}

/** Writes fields into a document as it stands. */
export function adoptInto(engine: Engine, context: NetworkContext & Logging, row: DocumentRow, changed: Data): void {
  const { kind, input } = documentInput(engine, row, changed) ?? fail(documentCode(row.kind, 'damaged'))
  mustEdit(context, row.kind)
  saveDocument(context, kind, input)
}

/** What a single says of this device alone, over what it inherits; what has no meaning with these values any more goes. */
function singleInput(context: Parameters<typeof viewSingle>[0], kind: Kind, device: number, changed: Data) {
  const scope = { device }
  const { own, inherited, revision } = viewSingle(context, kind, scope)
  const hidden = hiddenFields(kind, { ...valuesOf(inherited), ...own, ...changed })
  const kept = Object.entries(own).filter(([key]) => !hidden.includes(key))
  return { scope, revision, fields: { ...Object.fromEntries(kept), ...changed } }
}

function canAdoptSingle(engine: Engine, device: DeviceRow, id: string, changed: Data): boolean {
  const kind = engine.kinds.get(id)
  const context = { runtime: engine.runtime, ...networkOf(device) }
  return !!kind?.single && isSingleSaveable(context, kind, singleInput(context, kind, device.id, changed))
}

function adoptSingle(
  engine: Engine,
  context: NetworkContext & Logging,
  device: number,
  id: string,
  changed: Data,
): void {
  const kind = engine.kinds.get(id)
  if (!kind?.single) fail('changeNotFound', { id })
  mustEdit(context, id)
  saveSingle(context, kind, singleInput(context, kind, device, changed))
}

export type AdoptedDrift = {
  /** Parts that settings cannot say, so that they are still otherwise on the device. */
  left: string[]
  /** Nothing is left that a push to this device would do. */
  whole: boolean
}

/**
 * Writes what was changed on a device into the settings it comes from, as far as they can say it. Other devices with
 * the same settings wait for a push after.
 */
export async function adoptDrift(
  engine: Engine,
  context: NetworkContext & Logging,
  device: DeviceRow,
): Promise<AdoptedDrift> {
  const plan = await planDevice(engine, device)
  const now = await readDevice(engine, device.id, { fresh: true })
  const told = await readBack(engine, device, plan, now)
  const fields = fieldsOf(told)
  if (fields.size === 0) fail('nothingToAdopt')
  const noted: NetworkContext & Logging = { ...context, log: entry => context.log({ ...entry, action: 'adopt' }) }
  context.runtime.db.transaction(() => {
    for (const [id, changed] of fields) {
      const row = plan.network.rows.find(one => one.id === id)
      if (row) adoptInto(engine, noted, row, changed)
      else adoptSingle(engine, noted, device.id, id, changed)
    }
  })
  const after = await planDevice(engine, device)
  const differs = new Set((await compare(engine, device, after.planned, now)).map(block => block.id))
  const left = told.drift.map(block => block.id).filter(id => differs.has(id))
  return { left, whole: differs.size === 0 }
}
