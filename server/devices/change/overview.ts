import { asc, eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { takesSetting } from '@/model/abilities'
import { abilitiesOf } from '@/server/drivers/abilities'
import { type SavedChange, waitingChanges } from './applied-revisions'
import {
  type DeploymentState,
  type LastPush,
  type LatestPush,
  lastPushes,
  latestPushes,
  runningStates,
} from './deployments'
import { type NetworkDocuments, networkDocuments } from './desired'
import { type DeviceRow, type Engine, syncStatusOf } from './plan'
import type { Impact, SyncStatus } from './sync-cache'

export type ChangedDevice = {
  deviceId: number
  name: string
  address: string
  kind: DeviceRow['kind']
  vendor: string
  model: string
  online: boolean
  /** What the pages show: `modified` only while no push is in hand. */
  state: 'modified' | 'drifted' | DeploymentState
  modified: boolean
  /** Somebody changed it on the device itself since the last push; what is not known yet counts as not. */
  drifted: boolean
  /** Whom a push now would interrupt. */
  impact: Impact
  /** Its latest push, where there was one. */
  deploymentId?: string
  reason: string
}
export type Changes = {
  /** Documents saved and not on every device yet, or devices that wait for another reason: the number in the header. */
  total: number
  /** Devices to push to, or with a push that needs a look. */
  devices: ChangedDevice[]
  changes: SavedChange[]
  /** Devices never read yet: whether they are up to date is not known. */
  unknown: number
  /** Documents given to a device that can only be read, in this at least, and the device. */
  readOnly: { name: string; kind: string; device: string }[]
}

const needsLook: readonly DeploymentState[] = [...runningStates, 'partial', 'reverted', 'failed', 'unknown']
const standsAlone: readonly DeploymentState[] = [...runningStates, 'partial', 'unknown']

type Stand = SyncStatus & { drifted: boolean }

function changedDevice(device: DeviceRow, stand: Stand, push: LatestPush | undefined): ChangedDevice | undefined {
  const modified = stand.modified === true
  if (!modified && !stand.drifted && !(push && standsAlone.includes(push.state))) return undefined
  const { id, name, address, kind, vendor, model, status } = device
  const state = push && needsLook.includes(push.state) ? push.state : modified ? 'modified' : 'drifted'
  return {
    ...{ deviceId: id, name, address, kind, vendor, model, state, modified },
    drifted: stand.drifted,
    impact: stand.impact,
    online: status === 1,
    ...(push && { deploymentId: push.id }),
    reason: push?.reason ?? '',
  }
}

/** Documents that name a device which does not take them. */
const forReadOnly = (devices: readonly DeviceRow[], { rows, assigns }: NetworkDocuments) =>
  devices.flatMap(device =>
    rows
      .filter(row => !takesSetting(abilitiesOf(device), row.kind) && assigns.get(row.id)?.devices.includes(device.id))
      .map(({ name, kind }) => ({ name, kind, device: device.name })),
  )

/** Planned together in one go; more would keep the worker from its polls. */
const plannedAtOnce = 20

async function standings(
  engine: Engine,
  { documents, turn }: { documents: NetworkDocuments; turn: number },
  pushes: readonly LastPush[],
  rows: readonly DeviceRow[],
) {
  const applied = new Map(pushes.map(push => [push.device, push]))
  const writable = rows.filter(one => abilitiesOf(one).settings !== 'none')
  const found: { device: DeviceRow; standing: SyncStatus }[] = []
  for (let at = 0; at < writable.length; at += plannedAtOnce) {
    const some = writable.slice(at, at + plannedAtOnce).map(async device => ({
      device,
      standing: await syncStatusOf(engine, device, { documents, turn, applied: applied.get(device.id) }),
    }))
    found.push(...(await Promise.all(some)))
  }
  return found
}

async function listOf(engine: Engine, network: number): Promise<Changes> {
  const { db } = engine.runtime
  const turn = engine.syncCache.turn()
  const rows = db.select().from(devices).where(eq(devices.network, network)).orderBy(asc(devices.name)).all()
  const documents = networkDocuments(db, network)
  const latest = new Map(latestPushes(db, network).map(push => [push.device, push]))
  const pushes = lastPushes(db, network)
  const listed: ChangedDevice[] = []
  let unknown = 0
  for (const { device, standing } of await standings(engine, { documents, turn }, pushes, rows)) {
    if (standing.modified === undefined) unknown += 1
    const drifted = (engine.drift.get(device.id)?.blocks.length ?? 0) > 0
    const one = changedDevice(device, { ...standing, drifted }, latest.get(device.id))
    if (one) listed.push(one)
  }
  const modified = new Set(listed.filter(one => one.modified).map(one => one.deviceId))
  const waiting = rows.filter(device => modified.has(device.id))
  const changes = waiting.length ? waitingChanges(engine, network, waiting, { documents, pushes }) : []
  const others = listed.filter(one => one.modified || one.drifted).length
  return { total: changes.length || others, devices: listed, changes, unknown, readOnly: forReadOnly(rows, documents) }
}

/** The list that is being made, and the one that begins after it. */
type InHand = { running: Promise<Changes>; next?: Promise<Changes> }
const inHand = new WeakMap<Engine, Map<number, InHand>>()

/**
 * Which devices of a network wait for a push, and what was saved since. One list at a time: with thousands of devices it
 * takes seconds and every page asks for it. Who asks meanwhile shares the next one, which begins after they asked.
 */
export function changesOf(engine: Engine, network: number): Promise<Changes> {
  const lists = inHand.get(engine) ?? new Map<number, InHand>()
  inHand.set(engine, lists)
  const begin = (): Promise<Changes> => {
    const running = listOf(engine, network)
    const own: InHand = { running }
    lists.set(network, own)
    const end = () => {
      if (!own.next) lists.delete(network)
    }
    running.then(end, end)
    return running
  }
  const hand = lists.get(network)
  if (!hand) return begin()
  hand.next ??= hand.running.then(begin, begin)
  return hand.next
}
