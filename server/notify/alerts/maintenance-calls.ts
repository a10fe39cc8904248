import { and, eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { devices, maintenanceWindows } from '@/db/schema'
import { check, type Data } from '@/model/kind'
import { limits } from '@/model/limits'
import { type Maintenance, maintenance } from '@/model/notify/maintenance'
import { call, type NetworkContext } from '@/server/kernel/call'
import type { LogFields } from '@/server/kernel/changelog'
import { difference } from '@/server/kernel/documents'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, wholeListInput } from '@/server/kernel/lists'
import { devicesOf, judgeHeldAgain, spanOfWindow, valuesOf, type WindowRow, windowsOf } from './maintenance'

const own = { tag: 'alerts', scope: 'network' } as const
const editing = {
  ...own,
  authority: 'alerts_edit',
  changes: true,
  topics: ['alerts'],
  changelog: 'entry',
  send: 'once',
} as const
const id = z.int().positive()

const found = ({ runtime, network }: NetworkContext, wanted: number): WindowRow =>
  windowsOf(runtime.db, network.id).find(one => one.id === wanted) ?? fail('maintenanceNotFound')

/** Those of them that are in the network, by name. */
const named = ({ runtime, network }: NetworkContext, ids: readonly number[]) =>
  runtime.db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(eq(devices.network, network.id), inArray(devices.id, [...ids])))
    .all()

const list = call({
  ...own,
  authority: 'alerts',
  changes: false,
  path: 'alerts/maintenance/list',
  input: z.strictObject(wholeListInput),
  /**
   * Windows with the time in which they are on, or will be next (`span`, unix ms; null: past), by the network's clock.
   * `devices` is null of the whole network.
   */
  run(context, input) {
    const { runtime, network, now } = context
    const found = windowsOf(runtime.db, network.id).flatMap(row => {
      const values = valuesOf(row)
      const span = spanOfWindow(row, network.timezone, now) ?? null
      return values ? [{ row, values, span }] : []
    })
    const { result, ...about } = listed(found, input, {
      text: ({ row }) => [row.name],
      sort: { name: ({ row }) => row.name, at: ({ span }) => span?.from },
    })
    const view = ({ row, values, span }: (typeof found)[number]) => {
      const chosen = devicesOf(row)
      const on = span !== null && span.from <= now
      return { id: row.id, values, devices: chosen && named(context, chosen), span, on }
    }
    return { ...about, result: result.map(view), timezone: network.timezone }
  },
})

const shape = z.strictObject({
  /** Of one that is there; without it a new one is made. */
  id: id.optional(),
  /** As model/notify/maintenance.ts has them. */
  fields: z.record(z.string(), z.unknown()),
  /** Null: the whole network. */
  devices: z.array(id).min(1, 'required').max(limits.devicesAtOnce, 'tooMany').nullable().default(null),
})

function judged(context: NetworkContext, { id, fields, devices: chosen }: z.output<typeof shape>): Maintenance {
  const checked = check(maintenance, fields)
  if (!('data' in checked)) fail('invalidInput', checked)
  const { name } = checked.data as Maintenance
  const others = windowsOf(context.runtime.db, context.network.id).filter(one => one.id !== id)
  if (others.some(one => one.name.toLowerCase() === name.toLowerCase())) failFields({ name: 'nameExists' })
  if (id === undefined && others.length >= limits.maintenanceWindows)
    fail('maintenanceLimit', { limit: limits.maintenanceWindows })
  if (chosen && named(context, chosen).length !== new Set(chosen).size) failFields({ devices: 'notFound' })
  return checked.data as Maintenance
}

/** What of a window the changelog tells. */
const told = (before: Maintenance | undefined, after: Maintenance): LogFields =>
  difference(maintenance, (before ?? {}) as Data, after) as LogFields

function changed({ runtime, actor, network }: NetworkContext, now: number): void {
  judgeHeldAgain(runtime.db, network.id, now)
  runtime.bus.emit({ topic: 'alerts', organization: actor.organization, network: network.id })
}

const save = call({
  ...editing,
  path: 'alerts/maintenance/save',
  input: shape,
  /** What a window held back that is on no more is told when its own time has come. */
  run(context, input) {
    const { runtime, actor, network, now, log } = context
    const saved = runtime.db.transaction(tx => {
      const values = judged(context, input)
      const row = input.id === undefined ? undefined : found(context, input.id)
      const { name } = values
      const next = { name, data: JSON.stringify(values), devices: input.devices && JSON.stringify(input.devices) }
      log({ action: row ? 'edit' : 'add', object: 'maintenance', name, fields: told(row && valuesOf(row), values) })
      if (row) tx.update(maintenanceWindows).set(next).where(eq(maintenanceWindows.id, row.id)).run()
      const made = { ...next, network: network.id, createdBy: actor.account }
      return row?.id ?? tx.insert(maintenanceWindows).values(made).returning({ id: maintenanceWindows.id }).get().id
    })
    changed(context, now)
    return { id: saved }
  },
})

const remove = call({
  ...editing,
  path: 'alerts/maintenance/delete',
  input: z.strictObject({ id }),
  run(context, input) {
    const { runtime, now, log } = context
    runtime.db.transaction(tx => {
      const { id, name } = found(context, input.id)
      tx.delete(maintenanceWindows).where(eq(maintenanceWindows.id, id)).run()
      log({ action: 'delete', object: 'maintenance', name })
    })
    changed(context, now)
    return {}
  },
})

export const maintenanceCalls = [list, save, remove] as const
