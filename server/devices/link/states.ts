import { eq, inArray } from 'drizzle-orm'
import { deviceEvents, devices } from '@/db/schema'
import type { EventCode } from '@/server/drivers/words'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { deviceAlert, recoverAlerts } from '@/server/notify/alerts/raise'
import type { StateChange } from '@/server/worker/protocol'
import { factsColumns } from './rows'

/** Events kept of one device. */
const eventsKept = 1000

type Known = Pick<typeof devices.$inferSelect, 'id' | 'organization' | 'network' | 'name' | 'status'>

export function addEvent(
  runtime: Runtime,
  device: number,
  code: EventCode,
  values: Record<string, string | number> = {},
  at = Date.now(),
): void {
  runtime.db
    .insert(deviceEvents)
    .values({ device, code, at, values: JSON.stringify(values) })
    .run()
}

function applyOne(runtime: Runtime, known: Known, change: StateChange): void {
  const { status, reason, at, seenAt, facts } = change
  runtime.db
    .update(devices)
    .set({
      status,
      reason,
      ...(status !== known.status && { statusAt: at }),
      ...(seenAt && { seenAt }),
      ...(facts && factsColumns(facts)),
    })
    .where(eq(devices.id, known.id))
    .run()
  for (const event of change.events) addEvent(runtime, known.id, event.code, event.values, event.at)
  if (change.events.length) keepNewest(runtime.db, deviceEvents, eq(deviceEvents.device, known.id), eventsKept)
  if (status === 0 && known.status === 1) deviceAlert(runtime, known, 'deviceOffline', 5, { reason }, at)
  if (status === 1 && known.status === 0) recoverAlerts(runtime, known, 'deviceOffline', 'deviceOnline', at)
}

/** A batch of the worker's news, in one transaction; then those who listen are told. A device that is gone is passed by. */
export function applyStates(runtime: Runtime, changes: StateChange[]): void {
  const told = new Map<number, { organization: number; network: number }>()
  runtime.db.transaction(() => {
    const rows = runtime.db
      .select({
        id: devices.id,
        organization: devices.organization,
        network: devices.network,
        name: devices.name,
        status: devices.status,
      })
      .from(devices)
      .where(
        inArray(
          devices.id,
          changes.map(change => change.id),
        ),
      )
      .all()
    const known = new Map(rows.map(row => [row.id, row]))
    for (const change of changes) {
      const row = known.get(change.id)
      if (!row) continue
      applyOne(runtime, row, change)
      told.set(change.id, { organization: row.organization, network: row.network })
    }
  })
  const places = new Map([...told.values()].map(place => [place.network, place]))
  for (const place of places.values()) runtime.bus.emit({ topic: 'devices', ...place })
  for (const [id, place] of told) runtime.bus.emit({ topic: 'device', id, ...place })
}
