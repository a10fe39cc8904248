import { and, count, desc, eq } from 'drizzle-orm'
import * as z from 'zod'
import { deployments, devices } from '@/db/schema'
import type { Warning } from '@/server/devices/driver'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { listInput, pageOf } from '@/server/kernel/lists'
import { pushResult, startPush } from './batch'
import { openPart } from './deployments'
import { changesOf } from './overview'
import { compare, type DeviceRow, engineOf } from './plan'
import { named, previewPush } from './preview'

const reading = { scope: 'network', authority: 'devices', changes: false } as const
const deviceId = z.int().positive()

function ownDevice({ runtime, network }: NetworkContext, id: number): DeviceRow {
  const own = and(eq(devices.id, id), eq(devices.network, network.id))
  return runtime.db.select().from(devices).where(own).get() ?? fail('deviceNotFound', { id })
}

const list = call({
  ...reading,
  path: 'changes/list',
  input: z.strictObject({}),
  run: ({ runtime, network }) => changesOf(engineOf(runtime), network.id),
})

const preview = call({
  ...reading,
  path: 'devices/push/preview',
  input: z.strictObject({ deviceId }),
  run: (context, input) => previewPush(engineOf(context.runtime), ownDevice(context, input.deviceId)),
})

/** Answers at once with a job; its course is in `devices/push/result`. */
const push = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'devices/push',
  input: z.strictObject({ deviceIds: z.array(deviceId).min(1, 'required').max(10_000) }),
  run(context, input) {
    const targets = input.deviceIds.map(id => ownDevice(context, id))
    const started = startPush(context.runtime, input.deviceIds, context.actor.account)
    for (const device of targets) context.log({ action: 'push', object: 'device', name: device.name })
    return started
  },
})

const result = call({
  ...reading,
  path: 'devices/push/result',
  input: z.strictObject({ jobId: z.uuid('notFound') }),
  run: ({ runtime, actor }, { jobId }) =>
    pushResult(runtime, actor.organization, jobId) ?? fail('jobNotFound', { id: jobId }),
})

/** Pushes to one device, newest first. */
const history = call({
  ...reading,
  path: 'devices/config/history',
  input: z.strictObject({ deviceId, page: listInput.page, pageSize: listInput.pageSize }),
  run(context, input) {
    const device = ownDevice(context, input.deviceId)
    const { db } = context.runtime
    const own = eq(deployments.device, device.id)
    const total = db.select({ n: count() }).from(deployments).where(own).get()?.n ?? 0
    const { page, offset } = pageOf(total, input.page, input.pageSize)
    const newest = [desc(deployments.createdAt), desc(deployments.id)]
    const rows = db
      .select()
      .from(deployments)
      .where(own)
      .orderBy(...newest)
      .limit(input.pageSize)
      .offset(offset)
      .all()
    const shown = rows.map(row => ({
      deploymentId: row.id,
      state: row.state,
      step: row.step,
      reason: row.reason,
      detail: row.detail,
      by: row.by,
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
  input: z.strictObject({ deploymentId: z.uuid('notFound') }),
  async run(context, { deploymentId }) {
    const { runtime } = context
    const row = runtime.db.select().from(deployments).where(eq(deployments.id, deploymentId)).get()
    if (!row) return fail('jobNotFound', { id: deploymentId })
    const device = ownDevice(context, row.device)
    const planned = openPart(runtime, row, 'planned')
    const before = openPart(runtime, row, 'before')
    const blocks = planned && before ? await compare(engineOf(runtime), device, planned, before) : []
    return { deploymentId, deviceId: device.id, name: device.name, state: row.state, blocks: named(runtime, blocks) }
  },
})

export const changeCalls = [list, preview, push, result, history, difference] as const
