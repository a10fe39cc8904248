import { addEvent } from '@/server/devices/link/states'
import type { NativeConfig, Pending } from '@/server/drivers/driver'
import type { EventCode } from '@/server/drivers/words'
import type { Runtime } from '@/server/kernel/runtime'
import { deviceAlert } from '@/server/notify/alerts/raise'
import { notifyWebhooks } from '@/server/notify/webhooks/events'
import { driftOf } from '../drift/drift'
import { sameConfig } from '../plan/config-digest'
import {
  acceptsOf,
  type DeploymentRow,
  findDeployment,
  isDone,
  openPart,
  trimDeployments,
  updateDeployment,
  valuesOf,
  withoutOf,
} from '../plan/deployments'
import { networkDocuments } from '../plan/desired'
import { endReleases } from '../plan/imported'
import {
  compare,
  type DeviceRow,
  type Engine,
  findDevice,
  type Plan,
  planKnown,
  readDevice,
  restoredPlan,
  withChannels,
} from '../plan/plan'
import { keepAppliedRevisions } from '../saved/applied-revisions'
import { withoutChanges } from '../saved/without'
import { addressChangeOf, endAddressChange, isAddressTaken, otherAddress } from './address-change'
import { logEnded } from './ended-log'
import { confirmBy, deadlineOf, pause, verifyPush, type Why, whyOf } from './verification'

/** How long after its window a device may need to go back and answer again. */
const settleSeconds = 60

export type Ended = 'applied' | 'partial' | 'reverted' | 'failed' | 'unknown'

/** The link broke: what the device did is unknown, and it may have taken everything. */
const isLinkLoss = ({ reason }: Why) =>
  ['closed', 'timeout', 'noRoute', 'refused', 'workerAway', 'internal'].includes(reason)

const alertOf: Partial<Record<Ended, 'pushReverted' | 'pushFailed'>> = {
  reverted: 'pushReverted',
  unknown: 'pushFailed',
}

const eventOf = {
  applied: 'pushApplied',
  partial: 'pushPartial',
  reverted: 'pushReverted',
  failed: 'pushFailed',
  unknown: 'pushUnknown',
} as const satisfies Record<Ended, EventCode>

/** In the transaction that ends it, so that none is told twice or not at all. A push that had nothing to do is no event. */
function noteEnded(runtime: Runtime, { device, by, detail, endedAt }: DeploymentRow, state: Ended): void {
  if (detail === 'nothingToDo') return
  addEvent(runtime, device, eventOf[state], { account: by }, endedAt ?? Date.now())
}

/** Webhooks that asked for it hear how a push ended. */
function tellEnded(runtime: Runtime, { id, state, reason, detail, by }: DeploymentRow, device: DeviceRow): void {
  const { organization, network, name } = device
  const data = { id, device: { id: device.id, name }, state, reason, detail, by }
  notifyWebhooks(runtime, { topic: 'pushes', type: 'push.ended', organization, network, at: Date.now(), data })
}

function finish(engine: Engine, id: string, state: Ended, why: Partial<Why> & { seen?: NativeConfig } = {}): Ended {
  const { runtime } = engine
  const [row, device] = runtime.db.transaction(() => {
    const before = findDeployment(runtime.db, id)?.state
    updateDeployment(runtime, id, { state, reason: '', detail: '', values: {}, ...why, endedAt: Date.now() })
    const row = findDeployment(runtime.db, id)
    const device = row && findDevice(runtime, row.device)
    if (row && device) {
      tellEnded(runtime, row, device)
      noteEnded(runtime, row, state)
      // A lost device is asked again and again: that it is still lost is no news.
      if (before !== state) logEnded(runtime, row, state, device)
    }
    return [row, device] as const
  })
  if (!device) return state
  engine.syncCache.changed(device.id)
  if (row) endAddressChange(engine, device, row)
  if (isDone(state)) {
    endReleases(runtime, device.id, row?.startedAt ?? 0)
    engine.drift.set(device.id, { at: Date.now(), blocks: [] })
  }
  trimDeployments(runtime.db, device.id)
  const alert = alertOf[state]
  if (alert)
    deviceAlert(runtime, device, alert, {
      values: { ...why.values, device: device.name, reason: why.reason ?? '', detail: why.detail ?? '' },
    })
  runtime.bus.emit({ topic: 'device', id: device.id, organization: device.organization, network: device.network })
  return state
}

/** Its last reading is of before: what is on the air now is asked for at once, not at the next poll. */
const lookAgain = ({ transport }: Engine, device: number) => void transport.observeNow(device).catch(() => undefined)

/** The device took all of it, or all but what it named itself. */
function finishApplied(engine: Engine, id: string, pending: Pending, seen: NativeConfig): Ended {
  const device = findDeployment(engine.runtime.db, id)?.device
  if (device !== undefined) lookAgain(engine, device)
  const { rejected = [] } = pending
  if (rejected.length === 0) return finish(engine, id, 'applied', { seen })
  const detail = rejected.map(({ block, reason }) => `${block} (${reason})`).join(', ')
  const values = Object.fromEntries(rejected.map(({ block, reason }) => [block, reason]))
  return finish(engine, id, 'partial', { reason: 'rejected', detail, values, seen })
}

/** The device knows nothing of this push (any more): its configuration tells what came of it. */
async function classify(engine: Engine, device: DeviceRow, row: DeploymentRow, why: Why): Promise<Ended> {
  const seen = await readDevice(engine, device.id, { fresh: true })
  const planned = openPart(engine.runtime, row, 'planned') ?? { blocks: [] }
  const before = openPart(engine.runtime, row, 'before') ?? { blocks: [] }
  if ((await compare(engine, device, planned, seen)).length === 0) return finish(engine, row.id, 'applied', { seen })
  return finish(engine, row.id, sameConfig(before, seen) ? 'reverted' : 'unknown', { ...why, seen })
}

/**
 * Finds out how an unconfirmed push ended and says so. `undo` asks the device to go back at once; without it, or when
 * it does not answer, its own timer does; one that has none is asked in any case. Ends as `unknown` when nothing answers
 * until well after the window.
 */
async function resolveOutcome(
  engine: Engine,
  device: DeviceRow,
  row: DeploymentRow,
  why: Why,
  undo: boolean,
): Promise<Ended> {
  const pending = openPart(engine.runtime, row, 'pending') as Pending
  // Kept for a manager that comes after this one: what is on its way back is not proven any more.
  updateDeployment(engine.runtime, row.id, why)
  const until = Math.max(deadlineOf(row), Date.now()) + settleSeconds * 1000
  const byManager = pending.undoneBy === 'manager'
  let asked = !undo && !byManager
  const lookElsewhere = otherAddress(engine, device, pending.move)
  while (Date.now() < until) {
    try {
      const state = await engine.transport.state({ id: device.id, pending })
      if (state === 'confirmed')
        return finishApplied(engine, row.id, pending, await readDevice(engine, device.id, { fresh: true }))
      if (state === 'reverted')
        return finish(engine, row.id, 'reverted', {
          ...why,
          seen: await readDevice(engine, device.id, { fresh: true }),
        })
      if (state === 'unknown') return await classify(engine, device, row, why)
      if (!asked) {
        // Where the manager undoes it, it tries until it is undone.
        asked = !byManager
        await engine.transport.revert({ id: device.id, pending })
        continue
      }
    } catch (error) {
      if (engine.stopping.signal.aborted) throw error
      updateDeployment(engine.runtime, row.id, { detail: whyOf(error).reason })
      await lookElsewhere()
    }
    await pause(engine)
  }
  return finish(engine, row.id, 'unknown', why)
}

/** Proven on the device and not yet confirmed: it goes back by itself unless it is. */
export type Proven = { id: string; device: DeviceRow; pending: Pending; seen: NativeConfig; confirmBy: number }

/**
 * The proof of what was sent. `so`: what is wrong while nothing was proven yet; `isOff`: whether it is to be taken back
 * whatever it proves.
 */
export async function proveDeployment(
  engine: Engine,
  device: DeviceRow,
  id: string,
  tries: { so?: Why; isOff?: () => boolean },
): Promise<Proven | { why: Why } | { ended: Ended }> {
  const { runtime } = engine
  updateDeployment(runtime, id, { state: 'confirming', step: 'prove', detail: '' })
  const row = findDeployment(runtime.db, id) as DeploymentRow
  const planned = openPart(runtime, row, 'planned')
  const pending = openPart(runtime, row, 'pending')
  if (!planned || !pending) return { ended: finish(engine, id, 'unknown', { reason: 'recordDamaged', detail: '' }) }
  const proof = await verifyPush(engine, device, row, { planned, pending }, tries)
  return 'seen' in proof ? { id, device, pending, seen: proof.seen, confirmBy: confirmBy(row) } : { why: proof }
}

/** A proven push is kept by its device. `again`: asked again while the link is lost and there is time. */
export async function confirmDeployment(engine: Engine, proven: Proven, again = false): Promise<Ended> {
  const { id, device, pending, seen } = proven
  const { runtime, transport } = engine
  const waits = () =>
    transport.state({ id: device.id, pending }).then(
      state => state === 'waiting',
      () => true,
    )
  for (;;) {
    try {
      await transport.confirm({ id: device.id, pending })
      return finishApplied(engine, id, pending, seen)
    } catch (error) {
      const why = whyOf(error)
      const over = () => resolveOutcome(engine, device, findDeployment(runtime.db, id) as DeploymentRow, why, false)
      if (!again || !isLinkLoss(why) || Date.now() >= proven.confirmBy) return over()
      await pause(engine)
      // It may have heard the confirmation, and only its answer was lost.
      if (!(await waits())) return over()
    }
  }
}

/** Ends a push that its device was sent and that nothing has confirmed: the device goes back. */
export const takeBack = (engine: Engine, device: DeviceRow, id: string, why: Why): Promise<Ended> =>
  resolveOutcome(engine, device, findDeployment(engine.runtime.db, id) as DeploymentRow, why, true)

/** Ends a push that touched nothing. */
export const neverSent = (engine: Engine, id: string, why: Why): Ended => finish(engine, id, 'failed', why)

/** Proof, confirmation and, where either fails, the way back. */
async function verifyAndConfirm(
  engine: Engine,
  device: DeviceRow,
  id: string,
  undo: boolean,
  so?: Why,
): Promise<Ended> {
  const proven = await proveDeployment(engine, device, id, { so })
  if ('ended' in proven) return proven.ended
  if ('why' in proven)
    return resolveOutcome(engine, device, findDeployment(engine.runtime.db, id) as DeploymentRow, proven.why, undo)
  updateDeployment(engine.runtime, id, { step: 'confirm', detail: '', seen: proven.seen })
  return confirmDeployment(engine, proven)
}

type Ready = { before: NativeConfig; planned: NativeConfig; confirmSeconds: number; move: Pending['move'] }

/** What is to be sent: the settings' plan, or with `restores` the configuration of an earlier push. */
async function wantedOf(
  engine: Engine,
  device: DeviceRow,
  row: DeploymentRow,
): Promise<Plan & { documentsSent: string }> {
  const { db } = engine.runtime
  const without = withoutOf(row)
  const stored = networkDocuments(db, device.network)
  const network = without.length > 0 ? withoutChanges(engine, device, stored, without) : stored
  const plan = await planKnown(engine, device, network)
  if (!row.restores) return { ...plan, documentsSent: keepAppliedRevisions(db, device, plan.network) }
  const earlier = restoredPlan(engine, plan, row.restores)
  return { ...(earlier?.plan ?? { ...plan, known: false }), documentsSent: earlier?.documents ?? '' }
}

/** Why this push may not touch the device; undefined when nothing stands against it. */
async function objection(engine: Engine, device: DeviceRow, row: DeploymentRow, plan: Plan, before: NativeConfig) {
  const accepts = acceptsOf(row)
  const blocking = plan.warnings.find(warning => warning.blocks)
  if (blocking) return { reason: 'planBlocked', detail: blocking.code, values: blocking.values }
  const drift = await driftOf(engine, device, plan, before)
  if (drift.length && !accepts.includes('drift'))
    return { reason: 'drifted', detail: drift.map(block => block.id).join(', ') }
  const { cuts } = await engine.transport.assess({ id: device.id, before, next: plan.planned })
  const move = await addressChangeOf(engine, device, before, plan.planned)
  if (move && isAddressTaken(engine, device, move.to)) return { reason: 'addressTaken', detail: move.to }
  const blocks = cuts.map(cut => cut.block).join(', ')
  // Nobody but the device itself could undo what cuts the manager off.
  if (cuts.length && (plan.reverts !== 'device' || !accepts.includes('cut')))
    return { reason: 'cutsPath', detail: blocks }
  return undefined
}

/** Plan and present state, stored; or how the push ends here, with nothing touched. */
async function prepare(engine: Engine, device: DeviceRow, row: DeploymentRow): Promise<Ready | { ended: Ended }> {
  const { runtime } = engine
  const { id } = row
  updateDeployment(runtime, id, { state: 'pushing', step: 'plan', startedAt: Date.now() })
  const { documentsSent: documents, ...wanted } = await wantedOf(engine, device, row)
  if (!wanted.known) return { ended: finish(engine, id, 'failed', { reason: 'neverRead' }) }
  const before = await readDevice(engine, device.id)
  const plan = row.restores ? wanted : await withChannels(engine, device, wanted, { seen: before, keeps: true })
  const { planned, confirmSeconds, warnings } = plan
  updateDeployment(runtime, id, { before, planned, confirmSeconds, warnings, documents })
  const why = await objection(engine, device, row, plan, before)
  if (why) return { ended: finish(engine, id, 'failed', why) }
  const differs = await compare(engine, device, planned, before)
  if (!differs.length) return { ended: finish(engine, id, 'applied', { seen: before, detail: 'nothingToDo' }) }
  return { before, planned, confirmSeconds, move: await addressChangeOf(engine, device, before, planned) }
}

/** A device's part of a push that nothing stands against; nothing was sent. */
export type Prepared = Ready & { id: string; device: DeviceRow }

/** A device that has just started, say, may drop one connection: where nothing was touched it is asked once more. */
export async function prepareDeployment(
  engine: Engine,
  id: string,
  again = true,
): Promise<Prepared | { ended: Ended }> {
  const { db } = engine.runtime
  const row = findDeployment(db, id)
  const device = row && findDevice(engine.runtime, row.device)
  if (!row || !device) return { ended: 'failed' }
  try {
    const ready = await prepare(engine, device, row)
    return 'ended' in ready ? ready : { ...ready, id, device }
  } catch (error) {
    if (engine.stopping.signal.aborted) throw error
    const why = whyOf(error)
    if (!again || why.reason !== 'closed') return { ended: finish(engine, id, 'failed', why) }
    await pause(engine)
    return prepareDeployment(engine, id, false)
  }
}

/** Snapshot, timer, apply. `so`: the link was lost on the way, and the device may have taken everything. */
export async function sendDeployment(
  engine: Engine,
  prepared: Prepared,
  again = true,
): Promise<{ so?: Why } | { ended: Ended }> {
  const { runtime, transport } = engine
  const { id, device, before, planned, confirmSeconds, move } = prepared
  let armed = false
  let reached = ''
  try {
    const sent = await transport.push({ id: device.id, before, next: planned, confirmSeconds }, progress => {
      if ('pending' in progress) {
        const pending = { ...progress.pending, ...(move && { move }) }
        updateDeployment(runtime, id, { pending, armedAt: Date.now(), confirmSeconds: pending.confirmSeconds })
        armed = true
      } else {
        reached = progress.step
        updateDeployment(runtime, id, { step: progress.step })
      }
    })
    if (sent.rejected?.length) updateDeployment(runtime, id, { pending: { ...sent, ...(move && { move }) } })
    return {}
  } catch (error) {
    if (engine.stopping.signal.aborted) throw error
    const why = whyOf(error)
    if (again && !armed && reached === '' && why.reason === 'closed') {
      await pause(engine)
      const fresh = await prepareDeployment(engine, id, false)
      return 'ended' in fresh ? fresh : sendDeployment(engine, fresh, false)
    }
    // What a device itself refuses in the snapshot, it refuses before anything is touched.
    if (!armed || (reached === 'snapshot' && !isLinkLoss(why))) return { ended: finish(engine, id, 'failed', why) }
    return isLinkLoss(why) ? { so: why } : { ended: await takeBack(engine, device, id, why) }
  }
}

/**
 * One push to one device: plan, read, snapshot, timer, apply, prove, confirm. Resolves with how it ended and never
 * rejects but at a stop of the manager, which finds it again at the next start.
 */
export async function runDeployment(engine: Engine, id: string): Promise<Ended> {
  const prepared = await prepareDeployment(engine, id)
  if ('ended' in prepared) return prepared.ended
  const sent = await sendDeployment(engine, prepared)
  if ('ended' in sent) return sent.ended
  return verifyAndConfirm(engine, prepared.device, id, true, sent.so)
}

/** After a restart of the manager: proof passes and enough time is left → confirm; else the window runs out and is read. */
export async function resumeDeployment(engine: Engine, row: DeploymentRow): Promise<Ended> {
  const device = findDevice(engine.runtime, row.device)
  if (!row.pending || !device) return finish(engine, row.id, 'failed', { reason: 'managerRestarted', detail: '' })
  const why = { reason: row.reason, detail: row.detail, values: valuesOf(row) }
  if (row.state === 'unknown') return resolveOutcome(engine, device, row, why, false)
  const together = acceptsOf(row).includes('together')
  // Devices that change together: what was decided for all of them is confirmed, and proven no more.
  if (together && row.step === 'confirm') {
    const pending = openPart(engine.runtime, row, 'pending')
    const seen = openPart(engine.runtime, row, 'seen')
    if (pending && seen)
      return confirmDeployment(engine, { id: row.id, device, pending, seen, confirmBy: confirmBy(row) }, true)
  }
  if (row.reason) return resolveOutcome(engine, device, row, why, true)
  // What was not is kept by none.
  if (together) return takeBack(engine, device, row.id, { reason: 'togetherUndecided', detail: '' })
  return verifyAndConfirm(engine, device, row.id, false)
}
