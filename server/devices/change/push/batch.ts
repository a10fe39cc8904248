import { and, desc, eq, inArray } from 'drizzle-orm'
import { deployments, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { type Task, type TaskState, taskKind } from '@/server/kernel/task'
import { mayJob, type NetworkReach } from '@/server/people/access/access'
import {
  type Accept,
  acceptsOf,
  addDeployment,
  type DeploymentRow,
  findDeployment,
  inState,
  runningStates,
  updateDeployment,
  valuesOf,
} from '../plan/deployments'
import { type DeviceRow, type Engine, engineOf, findDevice } from '../plan/plan'
import { type Culprit, culpritsOf, leftBy } from './culprit'
import { logEnded } from './ended-log'
import { type Ended, resumeDeployment, runDeployment } from './engine'
import { runTogether } from './together'
import { wavesOf } from './waves'

/**
 * `overwrite`, `cut`: devices for which the person agreed to what else would keep the push from them. `without`:
 * documents that stay as each device has them.
 */
export type Agreed = {
  overwrite?: readonly number[]
  cut?: readonly number[]
  without?: readonly string[]
  /** All of them take it, or none keeps it. */
  together?: boolean
  restores?: string
}
export type Push = { jobId: string; deployments: { deviceId: number; deploymentId: string }[] }

function checkedDevices(runtime: Runtime, ids: readonly number[]): DeviceRow[] {
  const wanted = [...new Set(ids)]
  const found = wanted.length ? runtime.db.select().from(devices).where(inArray(devices.id, wanted)).all() : []
  const missing = wanted.find(id => !found.some(device => device.id === id))
  if (missing !== undefined || !found.length) fail('deviceNotFound', { id: missing ?? null })
  const readOnly = found.filter(device => abilitiesOf(device).settings === 'none')
  if (readOnly.length) fail('pushNotPossible', { names: readOnly.map(device => device.name).join(', ') })
  const busy = runtime.db
    .select({ name: devices.name })
    .from(deployments)
    .innerJoin(devices, eq(devices.id, deployments.device))
    .where(and(inArray(deployments.state, [...runningStates]), inArray(devices.id, wanted)))
    .get()
  if (busy) fail('pushRunning', { name: busy.name })
  return wavesOf(found, []).flat()
}

/**
 * Starts a push to these devices and returns at once; its course is in `pushResult`. Refused when a device is unknown,
 * can only be read, or has a push in hand. `by` is the account's name.
 */
export function startPush(runtime: Runtime, deviceIds: readonly number[], by: string, agreed: Agreed = {}): Push {
  const engine = engineOf(runtime)
  const { together } = agreed
  if (together && deviceIds.length > limits.pushesAtOnce) fail('tooManyTogether', { max: limits.pushesAtOnce })
  const { task, made } = runtime.db.transaction(tx => {
    const targets = checkedDevices(runtime, deviceIds)
    const now = Date.now()
    const made = targets.map(device => ({
      deviceId: device.id,
      deploymentId: addDeployment(tx, device, newDeployment(device.id, agreed), by, now),
    }))
    const [first] = targets
    const progress = { deployments: made.map(one => one.deploymentId), stopped: false }
    const place = { organization: first?.organization, network: first?.network ?? null }
    return { task: pushes.add(runtime, { ...place, progress }), made }
  })
  void task.run(() => runBatch(engine, task, made, together))
  return { jobId: task.id, deployments: made }
}

const newDeployment = (device: number, { overwrite, cut, without = [], together, restores }: Agreed) => ({
  accepts: [
    ...(overwrite?.includes(device) ? (['drift'] as const) : []),
    ...(cut?.includes(device) ? (['cut'] as const) : []),
    ...(together ? (['together'] as const) : []),
    ...without.map(id => `without ${id}` as const),
  ],
  restores,
})

type Progress = { deployments: string[]; stopped: boolean }
const pushes = taskKind<Progress>({ type: 'push', topic: 'push' })

function skip(engine: Engine, ids: readonly string[]): void {
  for (const id of ids) {
    if (findDeployment(engine.runtime.db, id)?.state !== 'queued') continue
    const { runtime } = engine
    runtime.db.transaction(() => {
      updateDeployment(runtime, id, { state: 'failed', reason: 'notTried', endedAt: Date.now() })
      const row = findDeployment(runtime.db, id)
      const device = row && findDevice(runtime, row.device)
      if (row && device) logEnded(runtime, row, 'failed', device)
    })
  }
}

const isBad = (ended: Ended) => ended === 'reverted' || ended === 'unknown'

type Member = { id: string; name: string }
/**
 * Deployments, with the names of their devices, in the order they are tried: by the neighbours that the devices name, by
 * kind where they name none.
 */
async function orderOf(engine: Engine, pushed: Push['deployments']): Promise<Member[][]> {
  const { runtime, transport } = engine
  const rows = pushed.flatMap(({ deviceId, deploymentId }) => {
    const device = findDevice(runtime, deviceId)
    if (!device) return []
    const { kind, network, name } = device
    return [{ id: deviceId, kind, network, name, deploymentId }]
  })
  const networks = [...new Set(rows.map(row => row.network))]
  const uplinks = await Promise.all(networks.map(network => transport.uplinks(network).catch(() => [])))
  return wavesOf(rows, uplinks.flat()).map(wave => wave.map(row => ({ id: row.deploymentId, name: row.name })))
}

/**
 * One at a time until the first device took it, then up to 20 at once, the next group when all of the one before have
 * ended; no other is begun after the first that went back or got lost.
 */
async function runBatch(
  engine: Engine,
  task: Task<Progress>,
  pushed: Push['deployments'],
  together = false,
): Promise<void> {
  const waves = await orderOf(engine, pushed)
  const all = waves.flat().map(({ id }) => id)
  task.progress = { deployments: all, stopped: false }
  task.save()
  task.tell()
  if (together) {
    task.progress = { deployments: all, stopped: !(await runTogether(engine, waves)) }
    return
  }
  let [proven, stopped] = [false, false]
  const tryOne = async (id: string) => {
    const ended = await runDeployment(engine, id)
    proven ||= ended === 'applied' || ended === 'partial'
    stopped ||= isBad(ended)
  }
  for (const wave of waves) {
    const waiting = wave.map(({ id }) => id)
    const work = async (until: () => boolean) => {
      while (!stopped && !until()) {
        const id = waiting.shift()
        if (id === undefined) return
        await tryOne(id)
      }
    }
    await work(() => proven)
    await Promise.all(Array.from({ length: limits.pushesAtOnce }, () => work(() => false)))
  }
  skip(engine, all)
  task.progress = { deployments: all, stopped }
}

/** Of a push that the manager's end interrupted: this device went back or got lost, or was not begun any more. */
const stops = (row: DeploymentRow | undefined) =>
  row?.state === 'reverted' || row?.state === 'unknown' || row?.reason === 'managerRestarted'

/** Pushes that the manager's end interrupted: what was armed is settled, what had not begun is not begun. */
export function resumePushes(engine: Engine): void {
  const { runtime } = engine
  const settled = new Map<string, Promise<unknown>>()
  for (const row of inState(runtime.db, runningStates)) {
    const ended = resumeDeployment(engine, row).catch(error => {
      if (!engine.stopping.signal.aborted) console.error(`push ${row.id}:`, error)
    })
    settled.set(row.id, ended)
  }
  pushes.takeUp(runtime, async task => {
    const { deployments } = task.progress
    await Promise.all(deployments.map(id => settled.get(id)))
    task.progress = { deployments, stopped: deployments.some(id => stops(findDeployment(runtime.db, id))) }
  })
}

const lostForMs = 24 * 3_600_000

/** Devices lost in a push: each is asked again while it is their latest one and a day has not passed. */
export async function askLost(engine: Engine): Promise<void> {
  const { db } = engine.runtime
  for (const row of inState(db, ['unknown'])) {
    const newest = db
      .select({ id: deployments.id })
      .from(deployments)
      .where(eq(deployments.device, row.device))
      .orderBy(desc(deployments.createdAt))
      .get()
    if (newest?.id !== row.id || !row.pending || Date.now() - row.createdAt > lostForMs) continue
    const device = db.select().from(devices).where(eq(devices.id, row.device)).get()
    if (device?.status === 1) await resumeDeployment(engine, row)
  }
}

export type PushDevice = {
  deviceId: number
  name: string
  address: string
  deploymentId: string
  state: string
  step: string
  reason: string
  detail: string
  /** What the reason is about, for its words. */
  values: Record<string, string | number>
  /** Settings that it failed by, as far as that can be told; the rest can be pushed without them. */
  culprits: Culprit[]
  /** Settings that it was to leave as the device has them. */
  without: Culprit[]
  /** It changed something besides those it failed by. */
  rest: boolean
  /** What the person had agreed to for it. */
  agreed: Accept[]
  confirmSeconds: number
  /** Seconds until the device goes back by itself; absent when nothing is armed. */
  remainingSeconds?: number
  startedAt: number | null
  endedAt: number | null
}
export type PushResult = {
  jobId: string
  state: TaskState
  /** A device went back or got lost, and those after it were not tried. */
  stopped: boolean
  by: string
  createdAt: number
  devices: PushDevice[]
}

/** Where a push stands; undefined for an id that is no push in this person's networks. */
export function pushResult(runtime: Runtime, actor: NetworkReach, jobId: string): PushResult | undefined {
  const job = pushes.find(runtime, jobId)
  if (!job || job.organization !== actor.organization || !mayJob(actor, job)) return undefined
  const rows = job.progress.deployments.flatMap(id => {
    const row = findDeployment(runtime.db, id)
    const device = row && runtime.db.select().from(devices).where(eq(devices.id, row.device)).get()
    return row && device ? [{ row, device }] : []
  })
  return {
    jobId,
    state: job.state,
    stopped: job.progress.stopped,
    by: rows[0]?.row.by ?? '',
    createdAt: job.createdAt,
    devices: rows.map(({ row, device }) => ({
      deviceId: device.id,
      name: device.name,
      address: device.address,
      deploymentId: row.id,
      state: row.state,
      step: row.step,
      reason: row.reason,
      detail: row.detail,
      values: valuesOf(row),
      ...(['reverted', 'failed'].includes(row.state) ? culpritsOf(runtime, row) : { culprits: [], rest: false }),
      without: leftBy(runtime, row),
      agreed: acceptsOf(row),
      confirmSeconds: row.confirmSeconds,
      ...(row.armedAt !== null &&
        row.endedAt === null && {
          remainingSeconds: Math.max(0, Math.round((row.armedAt + row.confirmSeconds * 1000 - Date.now()) / 1000)),
        }),
      startedAt: row.startedAt,
      endedAt: row.endedAt,
    })),
  }
}
