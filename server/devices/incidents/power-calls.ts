import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices } from '@/db/schema'
import { failDevice } from '@/server/devices/link/errors'
import { addEvent } from '@/server/devices/link/states'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { poweredBy, takePower } from './power'

const input = z.strictObject({ id: z.int().positive() })

const ownDevice = ({ runtime: { db }, network }: NetworkContext, id: number) =>
  db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.network, network.id)))
    .get() ?? fail('deviceNotFound', { id })

const info = call({
  path: 'devices/power/info',
  tag: 'devices',
  scope: 'network',
  authority: 'devices',
  changes: false,
  input,
  /**
   * {power}: the PoE port from which an offline device gets its power ({device, port, label, others, clients}), where it can
   * be taken for a moment; else null, and `why`.
   */
  async run(context, { id }) {
    const found = await poweredBy(context.runtime, ownDevice(context, id))
    if (typeof found === 'string') return { power: null, why: found }
    const { device, ...power } = found
    return { power: { ...power, device: { id: device.id, name: device.name } }, why: null }
  },
})

const cycle = call({
  path: 'devices/power/cycle',
  topics: ['devices'],
  tag: 'devices',
  scope: 'network',
  authority: 'devices_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input,
  /**
   * Takes the power of an offline device's PoE port for about five seconds. Never of the port that the manager itself may be
   * reached by. Answers once it is off; that it comes on again outlives this manager, and an alert says where it does not.
   */
  async run(context, { id }) {
    const { runtime, actor, now } = context
    const row = ownDevice(context, id)
    const found = await poweredBy(runtime, row)
    if (typeof found === 'string') fail('powerCycleImpossible', { why: found })
    const { device, label } = found
    await takePower(runtime, found, row.id, now).catch(failDevice)
    runtime.db.transaction(() => {
      addEvent(runtime, row.id, 'powerCycleAsked', { account: actor.account, port: label, switch: device.name })
      addEvent(runtime, device.id, 'powerTaken', { account: actor.account, port: label, device: row.name })
      context.log({ action: 'powerCycle', object: 'device', name: row.name })
    })
    const where = { organization: actor.organization, network: row.network }
    for (const one of [row.id, device.id]) runtime.bus.emit({ topic: 'device', id: one, ...where })
    return {}
  },
})

export const powerCalls = [info, cycle] as const
