import { asc, eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { type DeploymentRow, type DeploymentState, lastApplied, latest, runningStates } from './deployments'
import { networkDocuments } from './desired'
import { type DeviceRow, type Engine, isModified, type SavedChange, savedSince } from './plan'

export type ChangedDevice = {
  deviceId: number
  name: string
  address: string
  kind: DeviceRow['kind']
  vendor: string
  model: string
  online: boolean
  /** What the pages show: `modified` only while no push is in hand. */
  state: 'modified' | DeploymentState
  modified: boolean
  /** Its latest push, where there was one. */
  deploymentId?: string
  reason: string
}
export type Changes = {
  /** Documents saved and not on every device yet: the number in the header. */
  total: number
  /** Devices to push to, or with a push that needs a look. */
  devices: ChangedDevice[]
  changes: SavedChange[]
  /** Devices never read yet: whether they are up to date is not known. */
  unknown: number
}

const needsLook: readonly DeploymentState[] = [...runningStates, 'reverted', 'failed', 'unknown']

function changedDevice(
  device: DeviceRow,
  modified: boolean,
  push: DeploymentRow | undefined,
): ChangedDevice | undefined {
  if (!modified && !(push && (runningStates as readonly string[]).includes(push.state)) && push?.state !== 'unknown')
    return undefined
  const { id, name, address, kind, vendor, model, status } = device
  const state = push && needsLook.includes(push.state) ? push.state : 'modified'
  return {
    ...{ deviceId: id, name, address, kind, vendor, model, state, modified },
    online: status === 1,
    ...(push && { deploymentId: push.id }),
    reason: push?.reason ?? '',
  }
}

/** Which devices of a network wait for a push, and what was saved since. */
export async function changesOf(engine: Engine, network: number): Promise<Changes> {
  const { db } = engine.runtime
  const rows = db.select().from(devices).where(eq(devices.network, network)).orderBy(asc(devices.name)).all()
  const writable = rows.filter(device => device.driver !== 'snmp')
  const documents = networkDocuments(db, network)
  const listed: ChangedDevice[] = []
  let unknown = 0
  let since = Number.POSITIVE_INFINITY
  for (const device of writable) {
    const modified = await isModified(engine, device, documents)
    if (modified === undefined) unknown += 1
    if (modified) since = Math.min(since, lastApplied(db, device.id)?.startedAt ?? 0)
    const one = changedDevice(device, modified === true, latest(db, device.id))
    if (one) listed.push(one)
  }
  const changes = Number.isFinite(since) ? savedSince(engine.runtime, network, since) : []
  return { total: changes.length, devices: listed, changes, unknown }
}
