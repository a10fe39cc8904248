import * as z from 'zod'
import { foreignLimits } from '@/server/devices/driver'
import { call } from '@/server/kernel/call'
import { ownDevice } from './calls'
import { listTakeover } from './foreign'
import { engineOf } from './plan'
import { giveBack, takeOver } from './takeover'

const deviceId = z.int().positive()
const itemId = z.string().min(1, 'required').max(300, 'tooLong')
const option = z.string().min(1, 'required').max(200, 'tooLong')

/** Reads the device: what on it is ours, what is not and could be taken over, and what stays as it is. */
const list = call({
  scope: 'network',
  authority: 'devices',
  changes: false,
  path: 'takeover/list',
  input: z.strictObject({ deviceId }),
  async run(context, input) {
    const result = await listTakeover(engineOf(context.runtime), ownDevice(context, input.deviceId))
    return { result, total: result.length }
  },
})

/** From now on settings decide the chosen options. Nothing is sent to the device. */
const take = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'takeover/take',
  input: z.strictObject({
    deviceId,
    items: z
      .array(z.strictObject({ id: itemId, options: z.array(option).min(1, 'required').max(foreignLimits.options) }))
      .min(1, 'required')
      .max(foreignLimits.items),
  }),
  run: (context, input) =>
    takeOver(engineOf(context.runtime), context, ownDevice(context, input.deviceId), input.items),
})

/** The former values wait for a push, which ends the ownership; at once where there is nothing to push. */
const giveBackCall = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'takeover/return',
  input: z.strictObject({ deviceId, items: z.array(itemId).min(1, 'required').max(foreignLimits.items) }),
  async run(context, input) {
    await giveBack(engineOf(context.runtime), context, ownDevice(context, input.deviceId), input.items)
    return {}
  },
})

export const takeoverCalls = [list, take, giveBackCall] as const
