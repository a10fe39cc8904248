import * as z from 'zod'
import { unmanagedLimits } from '@/server/drivers/unmanaged'
import { call } from '@/server/kernel/call'
import { ownDevice } from './calls'
import { importOptions } from './import/import'
import { release } from './import/release'
import { listImportable } from './import/unmanaged'
import { engineOf } from './plan/plan'

const deviceId = z.int().positive()
const itemId = z.string().min(1, 'required').max(300, 'tooLong')
const option = z.string().min(1, 'required').max(200, 'tooLong')
const options = z.array(option).min(1, 'required').max(unmanagedLimits.options)

/** Reads the device: what on it is ours, what is not and could be imported, and what stays as it is. */
const list = call({
  scope: 'network',
  authority: 'devices',
  changes: false,
  path: 'import/list',
  tag: 'devices',
  input: z.strictObject({ deviceId }),
  async run(context, input) {
    const result = await listImportable(engineOf(context.runtime), ownDevice(context, input.deviceId))
    return { result, total: result.length }
  },
})

/** From now on settings decide the chosen options. Nothing is sent to the device. */
const take = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'import/add',
  topics: ['devices', 'push'],
  tag: 'devices',
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({
    deviceId,
    items: z
      .array(z.strictObject({ id: itemId, options }))
      .min(1, 'required')
      .max(unmanagedLimits.items),
  }),
  run: (context, input) =>
    importOptions(engineOf(context.runtime), context, ownDevice(context, input.deviceId), input.items),
})

/**
 * The former values wait for a push, which ends the ownership; at once where there is nothing to push. An item by its
 * id is all of it, else the options named.
 */
const releaseCall = call({
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  path: 'import/release',
  topics: ['devices', 'push'],
  tag: 'devices',
  changelog: 'entry',
  send: 'each',
  input: z.strictObject({
    deviceId,
    items: z
      .array(z.union([itemId, z.strictObject({ id: itemId, options })]))
      .min(1, 'required')
      .max(unmanagedLimits.items),
  }),
  async run(context, input) {
    const choices = input.items.map(one => (typeof one === 'string' ? { id: one } : one))
    await release(engineOf(context.runtime), context, ownDevice(context, input.deviceId), choices)
    return {}
  },
})

export const importCalls = [list, take, releaseCall] as const
