import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { takesSetting } from '@/model/abilities'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { standings } from './overview/overview'
import { configDigestIn, type LastPush, lastPushes, latestPushes, runningStates } from './plan/deployments'
import { type NetworkDocuments, networkDocuments } from './plan/desired'
import { isMissed, type LeftOut } from './plan/left-out'
import { type Engine, type ListedDevice, listedColumns } from './plan/plan'
import type { SyncStatus } from './plan/sync-cache'
import { givenTo, sourceRows } from './saved/applied-revisions'
import { refusalOf, type Waits } from './saved/at-once'

// Of documents that are in force at once: which devices can enforce them, and which do.

/** `of`: devices that it is for and that can enforce it; `here`: those that do; `waits`: the others, and why. */
export type Enforced = { here: number; of: number; waits: ({ deviceId: number; name: string } & Waits)[] }

type Seen = { stored: NetworkDocuments; push: LastPush | undefined; pushing: boolean }

/** What one device says of one document: `here`, why not, or undefined where it has no place on that device. */
type Says = (id: string) => 'here' | Waits | undefined

function sayingOf(
  engine: Engine,
  { device, standing }: { device: ListedDevice; standing: SyncStatus },
  { stored, push, pushing }: Seen,
): Says {
  const given = givenTo(push, stored)
  const wanted = new Map(sourceRows(stored, device).map(row => [row.id, row]))
  const isUnknown = standing.modified === undefined
  const carried = new Set(standing.carries)
  // One that was not read since the manager started still runs what it was given.
  const applied = isUnknown && push ? new Set(configDigestIn(engine.runtime, push).kinds) : undefined
  const whyNot = (kind: string, left: LeftOut | undefined): Waits => {
    if (device.status !== 1) return { reason: 'offline' }
    if (pushing) return { reason: 'pushing' }
    if (left) return { reason: left.code, values: left.values }
    return refusalOf(engine, device.id, kind) ?? { reason: isUnknown ? 'neverRead' : 'later' }
  }
  return id => {
    const row = wanted.get(id)
    if (!row) return undefined
    const isGiven = given[id] === row.revision
    if (isGiven && (isUnknown ? applied?.has(row.kind) : carried.has(id))) return 'here'
    const left = standing.leftOut.find(one => one.document === id && isMissed(one))
    return isUnknown || left || carried.has(id) ? whyNot(row.kind, left) : undefined
  }
}

/** For each of these documents of a kind: where it is enforced, by its id. */
export async function enforcedOn(
  engine: Engine,
  network: number,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, Enforced>> {
  const { db } = engine.runtime
  const turn = engine.syncCache.turn()
  const own = eq(devices.network, network)
  const rows = db.select(listedColumns).from(devices).where(own).orderBy(devices.name, devices.id).all()
  const able = rows.filter(device => takesSetting(abilitiesOf(device), kind))
  const stored = networkDocuments(db, network)
  const pushes = new Map(lastPushes(db, network).map(push => [push.device, push]))
  const running = new Set(
    latestPushes(db, network).flatMap(one =>
      (runningStates as readonly string[]).includes(one.state) ? [one.device] : [],
    ),
  )
  const found = new Map<string, Enforced>(ids.map(id => [id, { here: 0, of: 0, waits: [] }]))
  const stands = await standings(engine, able, { turn, documents: stored, appliedTo: id => pushes.get(id) })
  for (const stand of stands) {
    const { id: deviceId, name, address } = stand.device
    const says = sayingOf(engine, stand, { stored, push: pushes.get(deviceId), pushing: running.has(deviceId) })
    for (const [id, one] of found) {
      const said = says(id)
      if (said === undefined) continue
      one.of += 1
      if (said === 'here') one.here += 1
      else one.waits.push({ deviceId, name: name || address, ...said })
    }
  }
  return found
}
