import { isDeviceError, type NativeBlock, type NativeConfig, type Warning } from '@/server/drivers/driver'
import {
  addDeployment,
  type DeploymentRow,
  isPushing,
  lastApplied,
  lastPushTo,
  openPart,
  updateDeployment,
} from '../plan/deployments'
import type { NetworkDocuments } from '../plan/desired'
import { compare, type DeviceRow, type Engine, findDevice, type Plan, planKnown, readDevice } from '../plan/plan'
import { givenTo, keepCopies, sourceRows } from './applied-revisions'
import { withoutChanges } from './without'

// Some settings are in force at once: who is blocked, and how fast one client may be. Their documents are brought to a
// device beside everything else that waits for it: nothing but the blocks that these documents change is written, and the
// record of the last push says so, so that they are neither drift nor a waiting change.

/** Why a document is not on a device yet: a reason of the driver, a code of its plan, or of this file. */
export type Waits = { reason: string; values?: Record<string, string | number> }
/** `none`: nothing of it is for this device. */
export type Brought = 'here' | 'none' | Waits

/** So long one device may take. */
const deviceMs = 20_000

type Part = ReadonlySet<string>
const only = ({ blocks }: NativeConfig, part: Part): NativeConfig => ({
  blocks: blocks.filter(one => part.has(one.id)),
})

/** The blocks in which two configurations differ. */
function differing(a: NativeConfig, b: NativeConfig): Part {
  const texts = ({ blocks }: NativeConfig) => new Map(blocks.map(one => [one.id, one.text]))
  const [one, other] = [texts(a), texts(b)]
  return new Set([...one.keys(), ...other.keys()].filter(id => one.get(id) !== other.get(id)))
}

/** A configuration with these blocks as `wanted` has them, in their places. */
function replaced({ blocks }: NativeConfig, wanted: NativeConfig, part: Part): NativeConfig {
  const fresh = new Map(only(wanted, part).blocks.map(one => [one.id, one]))
  const kept = blocks.flatMap((one): NativeBlock[] => {
    if (!part.has(one.id)) return [one]
    const next = fresh.get(one.id)
    fresh.delete(one.id)
    return next ? [next] : []
  })
  return { blocks: [...kept, ...fresh.values()] }
}

/** What is saved and was not given to the device as it is; what it was given and is not there any more. */
function waitingIds(network: NetworkDocuments, given: Readonly<Record<string, number>>): string[] {
  const saved = [...network.rows, ...network.singles]
  const ids = new Set(saved.map(row => row.id))
  return [
    ...saved.filter(row => given[row.id] !== row.revision).map(row => row.id),
    ...Object.keys(given).filter(id => !ids.has(id)),
  ]
}

type Found = { plan: Plan; part: Part; given: Readonly<Record<string, number>> }

/** The plan of what the device was given and of these documents as they are saved now, and the blocks that they change. */
async function findPart(engine: Engine, device: DeviceRow, stored: NetworkDocuments, ids: Part): Promise<Found> {
  const given = givenTo(lastPushTo(engine.runtime.db, device.id), stored)
  const waiting = waitingIds(stored, given)
  const as = (left: readonly string[]) => planKnown(engine, device, withoutChanges(engine, device, stored, left))
  const base = await as(waiting)
  const plan = await as(waiting.filter(id => !ids.has(id)))
  return { plan, part: differing(base.planned, plan.planned), given }
}

/** A warning that says why these documents are not in the plan. */
const obstacle = ({ warnings }: Plan, kinds: Part): Warning | undefined =>
  warnings.find(one => one.blocks && one.kind !== undefined && kinds.has(one.kind))

/** Writes the part on the device; gives what it has then, or why not. Somebody else's change of it is not written over. */
async function write(engine: Engine, device: DeviceRow, { plan, part }: Found): Promise<NativeConfig | Waits> {
  const { transport } = engine
  const turn = { endBy: Date.now() + deviceMs }
  const wanted = only(plan.planned, part)
  const now = await readDevice(engine, device.id, turn)
  if ((await compare(engine, device, wanted, only(now, part))).length === 0) return now
  const applied = lastApplied(engine.runtime.db, device.id)
  const left = applied && openPart(engine.runtime, applied, 'seen')
  if (left && (await compare(engine, device, only(left, part), only(now, part))).length > 0)
    return { reason: 'changedOnDevice' }
  const next = replaced(now, plan.planned, part)
  const { cuts } = await transport.assess({ id: device.id, before: now, next })
  if (cuts.length > 0) return { reason: 'cutsPath' }
  await transport.writeAtOnce({ id: device.id, before: now, next, ...turn })
  const after = await readDevice(engine, device.id, turn)
  const open = await compare(engine, device, wanted, only(after, part))
  return open.length === 0 ? after : { reason: 'notTaken' }
}

/** The last push's record says what the device has since. */
function record(
  engine: Engine,
  device: DeviceRow,
  stored: NetworkDocuments,
  found: Found,
  now: NativeConfig,
  ids: Part,
) {
  const { runtime } = engine
  const { plan, part, given } = found
  const rows = sourceRows(stored, device).filter(row => ids.has(row.id))
  const kept = Object.entries(given).filter(([id]) => !ids.has(id))
  const documents = JSON.stringify(Object.fromEntries([...kept, ...rows.map(row => [row.id, row.revision])]))
  runtime.db.transaction(() => {
    keepCopies(runtime.db, device.network, rows, stored)
    const last = lastApplied(runtime.db, device.id)
    if (last) updateDeployment(runtime, last.id, { documents, ...joined(engine, last, plan.planned, now, part) })
    else if (part.size > 0) first(engine, device, { planned: plan.planned, seen: now, documents })
  })
  engine.syncCache.changed(device.id)
}

function joined({ runtime }: Engine, last: DeploymentRow, planned: NativeConfig, now: NativeConfig, part: Part) {
  if (part.size === 0) return {}
  const [was, saw] = [openPart(runtime, last, 'planned'), openPart(runtime, last, 'seen')]
  return {
    ...(was && { planned: replaced(was, planned, part) }),
    ...(saw && { seen: replaced(saw, now, part) }),
  }
}

/** A device that never took a push has nothing of ours but this. */
function first(
  { runtime }: Engine,
  device: DeviceRow,
  made: { planned: NativeConfig; seen: NativeConfig; documents: string },
) {
  const now = Date.now()
  const id = addDeployment(runtime.db, device, { accepts: [] }, '', now)
  updateDeployment(runtime, id, { ...made, state: 'applied', detail: 'atOnce', startedAt: now, endedAt: now })
}

async function bring(engine: Engine, device: DeviceRow, stored: NetworkDocuments, of: AtOnce): Promise<Brought> {
  if (isPushing(engine.runtime.db, device.id)) return { reason: 'pushing' }
  const found = await findPart(engine, device, stored, of.ids)
  if (!found.plan.known) return { reason: 'neverRead' }
  const stands = obstacle(found.plan, of.kinds)
  if (stands) return { reason: stands.code, ...(stands.values && { values: stands.values }) }
  const now = found.part.size > 0 ? await write(engine, device, found) : { blocks: [] }
  if ('reason' in now) return now
  record(engine, device, stored, found, now, of.ids)
  return found.part.size > 0 ? 'here' : 'none'
}

/** Documents by their ids, deleted ones too, and the kinds they are of. */
export type AtOnce = { ids: ReadonlySet<string>; kinds: ReadonlySet<string> }

/** Why a device did not take documents of a kind when they were brought to it last. */
const refusals = new WeakMap<Engine, Map<string, Waits>>()

export const refusalOf = (engine: Engine, device: number, kind: string): Waits | undefined =>
  refusals.get(engine)?.get(`${device} ${kind}`)

function noteRefusal(engine: Engine, device: number, kinds: Part, came: Brought): void {
  const held = refusals.get(engine) ?? new Map<string, Waits>()
  refusals.set(engine, held)
  for (const kind of kinds)
    if (typeof came === 'string') held.delete(`${device} ${kind}`)
    else held.set(`${device} ${kind}`, came)
}

/** One at a time on each device: the next one reads what the one before left. */
const turns = new WeakMap<Engine, Map<number, Promise<unknown>>>()

/** Brings these documents to a device now; answers `here`, or why it does not have them yet. Never rejects. */
export function bringAtOnce(engine: Engine, id: number, stored: NetworkDocuments, of: AtOnce): Promise<Brought> {
  const held = turns.get(engine) ?? new Map<number, Promise<unknown>>()
  turns.set(engine, held)
  const run = async (): Promise<Brought> => {
    const device = findDevice(engine.runtime, id)
    if (!device) return 'none'
    const came = await bring(engine, device, stored, of).catch((error: unknown): Waits => {
      if (!isDeviceError(error)) console.error('at once:', error)
      return { reason: isDeviceError(error) ? error.reason : 'internal' }
    })
    noteRefusal(engine, id, of.kinds, came)
    return came
  }
  const turn = (held.get(id) ?? Promise.resolve()).then(run)
  held.set(id, turn)
  void turn.finally(() => held.get(id) === turn && held.delete(id))
  return turn
}
