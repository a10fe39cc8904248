import { asc, eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { takesSetting } from '@/model/abilities'
import { deviceState } from '@/model/device-state'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import type { DocumentRow } from '@/server/kernel/documents'
import {
  type AppliedPush,
  type DeploymentState,
  type LatestPush,
  lastPushes,
  latestPushes,
  runningStates,
  valuesOf,
} from '../plan/deployments'
import { type NetworkDocuments, networkDocuments } from '../plan/desired'
import { type Engine, type ListedDevice, listedColumns, syncStatusOf } from '../plan/plan'
import type { Impact, SyncStatus } from '../plan/sync-cache'
import { type SavedChange, waitingChanges } from '../saved/applied-revisions'
import { type Reach, reachOf } from './reach'

export type ChangedDevice = {
  deviceId: number
  name: string
  address: string
  kind: ListedDevice['kind']
  vendor: string
  model: string
  online: boolean
  /** What the pages show: `modified` only while no push is in hand; `held`: something given to it keeps every push away. */
  state: 'modified' | 'drifted' | 'held' | DeploymentState
  modified: boolean
  /** Somebody changed it on the device itself since the last push; what is not known yet counts as not. */
  drifted: boolean
  /** When that was found, unix ms; absent where it may have been so for longer. */
  driftedSince?: number
  /** Whom a push now would interrupt. */
  impact: Impact
  /** Its latest push, where there was one. */
  deploymentId?: string
  /** When that ended, unix ms. */
  endedAt?: number
  reason: string
  /** What was said besides, and what the reason is about, for its words. */
  detail: string
  values: Record<string, string | number>
}
export type Changes = {
  /** Settings saved that a push would bring to a device, or devices that wait for another reason: the number in the header. */
  total: number
  /** Devices to push to, that cannot be pushed to, or with a push that needs a look. */
  devices: ChangedDevice[]
  changes: SavedChange[]
  /** Devices never read yet: whether they are up to date is not known. */
  unknown: number
  /** Documents given to a device that can only be read, in this at least, and the device. */
  readOnly: { name: string; kind: string; device: string }[]
  /** Settings that are not on every device they were given to and that could have them: how many, and by how much. */
  leftOut: Reach[]
}

const needsLook: readonly DeploymentState[] = [...runningStates, 'partial', 'reverted', 'failed', 'unknown']
const standsAlone: readonly DeploymentState[] = [...runningStates, 'partial', 'unknown']

type Stand = SyncStatus & { drifted: boolean; driftedSince?: number | undefined }

/** Whether a stored setting is on; where it is never off as a whole, it is. */
const isSwitchedOn = (row: DocumentRow | undefined) =>
  !row || (JSON.parse(row.data) as { enabled?: boolean }).enabled !== false

function changedDevice(device: ListedDevice, stand: Stand, push: LatestPush | undefined): ChangedDevice | undefined {
  const modified = stand.modified === true
  const held = stand.leftOut.some(one => one.effect === 'held')
  if (!modified && !held && !stand.drifted && !(push && standsAlone.includes(push.state))) return undefined
  const { id, name, address, kind, vendor, model } = device
  const state =
    push && needsLook.includes(push.state) ? push.state : modified ? 'modified' : stand.drifted ? 'drifted' : 'held'
  return {
    ...{ deviceId: id, name, address, kind, vendor, model, state, modified },
    drifted: stand.drifted,
    ...(stand.driftedSince !== undefined && { driftedSince: stand.driftedSince }),
    impact: stand.impact,
    online: deviceState(device) === 'online',
    ...(push && { deploymentId: push.id, ...(push.endedAt !== null && { endedAt: push.endedAt }) }),
    reason: push?.reason ?? '',
    detail: push?.detail ?? '',
    values: push ? valuesOf(push) : {},
  }
}

/** Documents that name a device which does not take them. */
const forReadOnly = (devices: readonly ListedDevice[], { rows, assigns }: NetworkDocuments) =>
  devices.flatMap(device =>
    rows
      .filter(row => !takesSetting(abilitiesOf(device), row.kind) && assigns.get(row.id)?.devices.includes(device.id))
      .map(({ name, kind }) => ({ name, kind, device: device.name })),
  )

/** Planned together in one go; more would keep the worker from its polls. */
const plannedAtOnce = 20
/** A list of thousands lets others in between. */
const lookedAtOnce = 500

/** What devices of a network are judged by; `turn`: before it was read. */
type Stored = { turn: number; documents: NetworkDocuments; appliedTo(device: number): AppliedPush | undefined }

/** How those of these devices that can be written to stand with what was saved for them. */
export async function standings(
  engine: Engine,
  rows: readonly ListedDevice[],
  { turn, documents, appliedTo }: Stored,
): Promise<{ device: ListedDevice; standing: SyncStatus }[]> {
  const writable = rows.filter(one => abilitiesOf(one).settings !== 'none')
  const found: { device: ListedDevice; standing: SyncStatus }[] = []
  for (let at = 0; at < writable.length; at += plannedAtOnce) {
    const some = writable.slice(at, at + plannedAtOnce).map(async device => ({
      device,
      standing: await syncStatusOf(engine, device, { documents, turn, applied: appliedTo(device.id) }),
    }))
    found.push(...(await Promise.all(some)))
    // What is known of all of them is answered without a pause.
    if (at % lookedAtOnce === 0) await new Promise(done => setImmediate(done))
  }
  return found
}

/** The list, and how many devices it was made of. */
async function listOf(engine: Engine, network: number): Promise<{ list: Changes; of: number }> {
  const { db } = engine.runtime
  const turn = engine.syncCache.turn()
  const own = eq(devices.network, network)
  const rows = db.select(listedColumns).from(devices).where(own).orderBy(asc(devices.name)).all()
  const documents = networkDocuments(db, network)
  const latest = new Map(latestPushes(db, network).map(push => [push.device, push]))
  const pushes = lastPushes(db, network)
  const applied = new Map(pushes.map(push => [push.device, push]))
  const listed: ChangedDevice[] = []
  let unknown = 0
  const stands = await standings(engine, rows, { turn, documents, appliedTo: id => applied.get(id) })
  for (const { device, standing } of stands) {
    if (standing.modified === undefined) unknown += 1
    const { blocks = [], since: driftedSince } = engine.drift.get(device.id) ?? {}
    const stand = { ...standing, drifted: blocks.length > 0, driftedSince }
    const one = changedDevice(device, stand, latest.get(device.id))
    if (one) listed.push(one)
  }
  const modified = new Set(listed.filter(one => one.modified).map(one => one.deviceId))
  const waiting = stands.filter(({ device }) => modified.has(device.id))
  const changes = waiting.length ? waitingChanges(engine, network, waiting, { documents, pushes }) : []
  const others = listed.filter(one => one.modified || one.drifted).length
  const kinds = new Map(documents.rows.map(row => [row.id, row]))
  const list = {
    total: changes.length || others,
    devices: listed,
    changes,
    unknown,
    readOnly: forReadOnly(rows, documents),
    leftOut: reachOf(documents, stands, id => isSwitchedOn(kinds.get(id))),
  }
  return { list, of: rows.length }
}

/** The list that is being made, and the one that begins after it. */
type InHand = { running: Promise<Changes>; next?: Promise<Changes> }
type Kept = { list: Changes; at: number; tookMs: number }
type Lists = { inHand: Map<number, InHand>; kept: Map<number, Kept>; turn: number }
const listsOf = new WeakMap<Engine, Lists>()

function listsFor(engine: Engine): Lists {
  const held = listsOf.get(engine) ?? { inHand: new Map(), kept: new Map(), turn: 0 }
  listsOf.set(engine, held)
  return held
}

/** Somebody saved, pushed or moved something: no list from before is shown. */
export function forgetLists(engine: Engine): void {
  const lists = listsFor(engine)
  lists.turn += 1
  lists.kept.clear()
}

/** A list of so many devices is shown again for a while, though single ones may say something new by then. */
const manyDevices = 1000
const keptFor = ({ tookMs }: Kept): number => Math.min(30_000, tookMs * 20)

function made(engine: Engine, network: number): Promise<Changes> {
  const lists = listsFor(engine)
  const [turn, begun] = [lists.turn, Date.now()]
  return listOf(engine, network).then(({ list, of }) => {
    if (of >= manyDevices && turn === lists.turn)
      lists.kept.set(network, { list, at: Date.now(), tookMs: Date.now() - begun })
    return list
  })
}

/**
 * Which devices of a network wait for a push, and what was saved since. One list at a time: with thousands of devices it
 * takes seconds and every page asks for it. Who asks meanwhile shares the next one, which begins after they asked.
 */
export function changesOf(engine: Engine, network: number): Promise<Changes> {
  const { inHand, kept } = listsFor(engine)
  const known = kept.get(network)
  if (known && Date.now() < known.at + keptFor(known)) return Promise.resolve(known.list)
  const begin = (): Promise<Changes> => {
    const running = made(engine, network)
    const own: InHand = { running }
    inHand.set(network, own)
    const end = () => {
      if (!own.next) inHand.delete(network)
    }
    running.then(end, end)
    return running
  }
  const hand = inHand.get(network)
  if (!hand) return begin()
  hand.next ??= hand.running.then(begin, begin)
  return hand.next
}
