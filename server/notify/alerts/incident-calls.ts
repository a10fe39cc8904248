import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { alerts, deviceParents, devices } from '@/db/schema'
import { f } from '@/model/fields'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { mendOf } from './mend'
import { type AlertRow, alertRows, countOf } from './rows'

const id = z.int().min(1)
/** Alerts behind one that are answered with it; the list has the rest. */
const mostBehind = 200

function found(context: NetworkContext, wanted: number): AlertRow {
  const [row] = alertRows(context, eq(alerts.id, wanted), 1)
  return row ?? fail('alertNotFound')
}

/** Where a device hangs, as the wiring was when it answered last. */
function hangsAt({ runtime: { db } }: NetworkContext, device: number) {
  const row = db
    .select({ id: devices.id, name: devices.name, port: deviceParents.port })
    .from(deviceParents)
    .innerJoin(devices, eq(devices.id, deviceParents.parent))
    .where(eq(deviceParents.device, device))
    .get()
  return row ?? null
}

const detail = call({
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts',
  changes: false,
  path: 'alerts/detail',
  input: z.strictObject({ id }),
  /**
   * One alert: with those behind it (the first 200 and how many there are), the alert it is behind itself, at which port
   * its device hangs, how often it came, and whether anybody was told (`told`, since this version `toldAt`) or will be (`tellAt`, Unix ms). `mend`: the push whose configuration a
   * change shortly before could be reverted to.
   */
  run(context, input) {
    const alert = found(context, input.id)
    const row = context.runtime.db.select().from(alerts).where(eq(alerts.id, input.id)).get()
    const behind = eq(alerts.parent, input.id)
    return {
      alert,
      times: row?.times ?? 1,
      told: typeof row?.told === 'number',
      toldAt: row?.toldAt ?? null,
      tellAt: row?.tellAt ?? null,
      acknowledgedBy: row?.acknowledgedBy ?? null,
      note: row?.note ?? '',
      cause: row?.parent ? (alertRows(context, eq(alerts.id, row.parent), 1)[0] ?? null) : null,
      hangsAt: alert.device && hangsAt(context, alert.device.id),
      mend: alert.recoveredAt === null && alert.device ? mendOf(context.runtime.db, alert.device.id, alert.at) : null,
      behind: { result: alertRows(context, behind, mostBehind), total: countOf(context, behind) },
    }
  },
})

const acknowledge = call({
  tag: 'alerts',
  scope: 'network',
  authority: 'alerts_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  path: 'alerts/acknowledge',
  topics: ['alerts'],
  input: z.strictObject({ id, note: f.prose(500).default('') }),
  /** Says who looks after an alert, and what they want others to know; again to change the note. It is read by that. */
  run(context, input) {
    const { runtime, actor, network, now } = context
    found(context, input.id)
    runtime.db.transaction(tx => {
      const taken = { acknowledgedAt: now, acknowledgedBy: actor.account, note: input.note, read: true }
      tx.update(alerts).set(taken).where(eq(alerts.id, input.id)).run()
      context.log({
        ...{ action: 'edit', object: 'alerts', name: String(input.id) },
        ...(input.note && { fields: { notes: ['', input.note] } }),
      })
    })
    runtime.bus.emit({ topic: 'alerts', organization: actor.organization, network: network.id })
    return {}
  },
})

export const incidentCalls = [detail, acknowledge] as const
