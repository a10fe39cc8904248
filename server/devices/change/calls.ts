import { and, count, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { deployments, devices } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Warning } from '@/server/drivers/driver'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput, orderBy, pageOf } from '@/server/kernel/lists'
import { adoptDrift, driftOf } from './drift/drift'
import { changesOf } from './overview/overview'
import { type DeploymentRow, findDeployment, isDone, openPart, seenOf, valuesOf } from './plan/deployments'
import { type DeviceRow, engineOf, planDevice } from './plan/plan'
import { compareConfigs, previewPush, readNow } from './preview'
import { pushResult, startPush } from './push/batch'
import { discardChange } from './saved/applied-revisions'

const reading = { tag: 'changes', scope: 'network', authority: 'devices', changes: false } as const
const changing = {
  tag: 'changes',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const
const deviceId = z.int().positive()
const deploymentId = z.uuid('notFound')
const deviceIds = z.array(deviceId).max(limits.devicesAtOnce)
/** What the person was shown and agreed to, by device. */
const agreed = { overwrite: deviceIds.default([]), cut: deviceIds.default([]) }
/** Documents that stay as each device has them: one of them made an earlier push fail, say. */
const without = z
  .array(z.string().regex(/^[\w:-]{1,40}$/, 'notFound'))
  .max(100)
  .default([])

const ofNetwork = ({ network }: NetworkContext, id: number) => and(eq(devices.id, id), eq(devices.network, network.id))

export function ownDevice(context: NetworkContext, id: number): DeviceRow {
  return context.runtime.db.select().from(devices).where(ofNetwork(context, id)).get() ?? fail('deviceNotFound', { id })
}

function ownDeployment(context: NetworkContext, id: string, device?: number): DeploymentRow {
  const { db } = context.runtime
  const row = findDeployment(db, id)
  const there = row && db.select().from(devices).where(ofNetwork(context, row.device)).get()
  if (!row || !there || (device !== undefined && there.id !== device)) fail('configurationGone')
  return row
}

const list = call({
  ...reading,
  path: 'changes/list',
  input: z.strictObject({}),
  /** `leftOut`: how many settings are not on every device they were given to; which, `changes/left-out/list` says. */
  async run({ runtime, network }) {
    const { leftOut, ...waiting } = await changesOf(engineOf(runtime), network.id)
    return { ...waiting, leftOut: leftOut.length }
  },
})

const preview = call({
  ...reading,
  path: 'devices/push/preview',
  input: z.strictObject({ deviceId, restores: deploymentId.optional() }),
  run(context, input) {
    const device = ownDevice(context, input.deviceId)
    const restores = input.restores && ownDeployment(context, input.restores, device.id).id
    return previewPush(engineOf(context.runtime), device, restores)
  },
})

/** Puts one document back to how it was pushed last. `revision`: the one that was shown, 0 for a deleted document. */
const discard = call({
  ...changing,
  path: 'changes/discard',
  topics: ['push', 'settings'],
  input: z.strictObject({ id: z.uuid('notFound'), revision: z.int().min(0) }),
  run(context, { id, revision }) {
    discardChange(engineOf(context.runtime), context, id, revision)
    return {}
  },
})

/**
 * Answers at once with a job; its course is in `devices/push/result`. `together`: all devices take it or none keeps it; at
 * most 20 of them.
 */
const push = call({
  ...changing,
  path: 'devices/push',
  topics: ['devices', 'push'],
  input: z.strictObject({
    deviceIds: deviceIds.min(1, 'required'),
    ...agreed,
    without,
    together: z.boolean().optional(),
  }),
  run(context, { deviceIds: ids, ...accepted }) {
    const targets = ids.map(id => ownDevice(context, id))
    const started = startPush(context.runtime, ids, context.actor.account, accepted)
    for (const device of targets) context.log({ action: 'startPush', object: 'device', name: device.name })
    return started
  },
})

const result = call({
  ...reading,
  path: 'devices/push/result',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  run: ({ runtime, actor }, { jobId }) => pushResult(runtime, actor, jobId) ?? fail('jobNotFound', { id: jobId }),
})

/** By columns of their page. */
const pushColumns = { at: deployments.createdAt, state: deployments.state, by: deployments.by, why: deployments.reason }

/** Pushes to one device, newest first unless sorted; searched by who made them. */
const history = call({
  ...reading,
  path: 'devices/config/history',
  input: z.strictObject({ deviceId, ...listInput }),
  run(context, input) {
    const device = ownDevice(context, input.deviceId)
    const { db } = context.runtime
    const wanted = input.search?.trim().toLowerCase()
    const own = and(
      eq(deployments.device, device.id),
      wanted ? sql`instr(lower(${deployments.by}), ${wanted})` : undefined,
    )
    const total = db.select({ n: count() }).from(deployments).where(own).get()?.n ?? 0
    const { page, offset } = pageOf(total, input.page, input.pageSize)
    const order = orderBy(input.sort, pushColumns, desc(deployments.createdAt))
    const rows = db
      .select()
      .from(deployments)
      .where(own)
      .orderBy(...order, desc(deployments.id))
      .limit(input.pageSize)
      .offset(offset)
      .all()
    const shown = rows.map(row => ({
      deploymentId: row.id,
      state: row.state,
      step: row.step,
      reason: row.reason,
      detail: row.detail,
      values: valuesOf(row),
      by: row.by,
      /** Sent an earlier configuration instead of the settings. */
      restored: row.restores !== '',
      /** Its configuration is kept: it can be compared, and gone back to. */
      kept: isDone(row.state) && row.seen !== '' && row.planned !== '',
      warnings: JSON.parse(row.warnings) as Warning[],
      createdAt: row.createdAt,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
    }))
    return { result: shown, total, page, pageSize: input.pageSize }
  },
})

/** What one push changed, or tried to change, on its device. */
const difference = call({
  ...reading,
  path: 'devices/config/get',
  input: z.strictObject({ deploymentId }),
  async run(context, input) {
    const { runtime } = context
    const row = ownDeployment(context, input.deploymentId)
    const device = ownDevice(context, row.device)
    const planned = openPart(runtime, row, 'planned')
    const before = openPart(runtime, row, 'before')
    const blocks = planned && before ? await compareConfigs(engineOf(runtime), device, before, planned) : []
    return { deploymentId: row.id, deviceId: device.id, name: device.name, state: row.state, blocks }
  },
})

/** What the device had after one of its pushes against what it had after another; without `to`, what it has now. */
const compareTwo = call({
  ...reading,
  path: 'devices/config/compare',
  input: z.strictObject({ from: deploymentId, to: deploymentId.optional() }),
  async run(context, input) {
    const { runtime } = context
    const engine = engineOf(runtime)
    const device = ownDevice(context, ownDeployment(context, input.from).device)
    const seenAfter = (id: string) =>
      seenOf(runtime, ownDeployment(context, id, device.id)) ?? fail('configurationGone')
    const from = seenAfter(input.from)
    const to = input.to === undefined ? await readNow(engine, device) : seenAfter(input.to)
    return { deviceId: device.id, name: device.name, blocks: await compareConfigs(engine, device, from, to) }
  },
})

/** Sends the configuration of an earlier push by the same safe push. Answers with its job. */
const restore = call({
  ...changing,
  path: 'devices/config/restore',
  topics: ['devices', 'push', 'settings'],
  send: 'once',
  input: z.strictObject({ deploymentId, ...agreed }),
  run(context, { deploymentId: id, ...accepted }) {
    const row = ownDeployment(context, id)
    const device = ownDevice(context, row.device)
    if (!openPart(context.runtime, row, 'planned') || !isDone(row.state)) fail('configurationGone')
    const started = startPush(context.runtime, [device.id], context.actor.account, { ...accepted, restores: id })
    context.log({ action: 'startRestore', object: 'device', name: device.name })
    return started
  },
})

/** Reads the device now: how many blocks of it were changed on the device itself and differ from its plan. */
const check = call({
  ...changing,
  authority: 'devices',
  path: 'devices/config/check',
  topics: ['devices', 'push', 'settings'],
  changelog: 'looks',
  input: z.strictObject({ deviceId }),
  async run(context, input) {
    const engine = engineOf(context.runtime)
    const device = ownDevice(context, input.deviceId)
    const now = await readNow(engine, device)
    return { drifted: (await driftOf(engine, device, await planDevice(engine, device), now)).length }
  },
})

/** Writes what was changed on the device into the settings it comes from, as far as they can say it. `left`: ids of the others. */
const adopt = call({
  ...changing,
  path: 'devices/config/adopt',
  topics: ['devices', 'push', 'settings'],
  send: 'once',
  input: z.strictObject({ deviceId }),
  async run(context, input) {
    const device = ownDevice(context, input.deviceId)
    const { left, whole } = await adoptDrift(engineOf(context.runtime), context, device)
    // Nothing is left to do there: the push records that the device has what is saved.
    const done = whole ? startPush(context.runtime, [device.id], context.actor.account) : undefined
    return { left, ...(done && { jobId: done.jobId }) }
  },
})

export const changeCalls = [
  list,
  discard,
  preview,
  push,
  result,
  history,
  difference,
  compareTwo,
  restore,
  check,
  adopt,
] as const
