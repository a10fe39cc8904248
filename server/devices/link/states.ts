import { eq, inArray } from 'drizzle-orm'
import { deviceEvents, devices, documents } from '@/db/schema'
import type { Reason } from '@/server/drivers/driver'
import type { EventCode } from '@/server/drivers/words'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { offlineMs } from '@/server/notify/alerts/config'
import { deviceTrouble, recoverAlerts } from '@/server/notify/alerts/raise'
import type { StateChange } from '@/server/worker/protocol'
import { alertOf } from './event-alerts'
import { factsColumns } from './rows'
import { noteWans } from './wan-health'

/** Events kept of one device. */
const eventsKept = 1000

type Known = Pick<
  typeof devices.$inferSelect,
  'id' | 'organization' | 'network' | 'name' | 'kind' | 'status' | 'reason'
>

const gradeOf = ({ kind }: Known) => (kind === 'gateway' || kind === 'firewall' ? 'gateway' : 'other')

/** It was online when the worker was lost: whether it still is, the next poll tells. */
const isUnwatched = ({ status, reason }: Known): boolean => status === 3 && reason === unwatched
const unwatched: Reason = 'workerAway'

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

const wanCodes = { online: 'wanOnline', degraded: 'wanDegraded', offline: 'wanOffline' } as const

/** A way's first state is no news; that its gateway is silent is told of the gateway. */
function noteTurns(runtime: Runtime, known: Known, { status, wans, at }: StateChange): void {
  const { id, status: before } = known
  const gone = status === 0 && before !== 0
  if (!wans && !gone) return
  for (const { key, from, to } of noteWans(runtime.db, id, wans, at)) {
    const first = from === undefined || from === 'unknown'
    if (to === 'unknown' || (first && to === 'online')) continue
    const named = runtime.db.select({ name: documents.name }).from(documents).where(eq(documents.id, key)).get()
    const event = { at, code: wanCodes[to], values: { wan: named?.name ?? key } }
    addEvent(runtime, id, event.code, event.values, at)
    alertOf(runtime, known, event)
  }
}

/** What pages show of it or judge by it is another; when it was last seen is written now and then without that. */
const isNews = (known: Known, { status, reason, facts, wans, events }: StateChange): boolean =>
  status !== known.status || reason !== known.reason || facts !== undefined || wans !== undefined || events.length > 0

function applyOne(runtime: Runtime, known: Known, change: StateChange): void {
  const { status, reason, at, seenAt, facts } = change
  runtime.db
    .update(devices)
    .set({
      status,
      reason,
      ...(status !== known.status && { statusAt: at }),
      // Nobody saw what was the matter before a time without a worker.
      ...(reason !== known.reason && { reasonAt: reason === '' || isUnwatched(known) ? null : at }),
      ...(seenAt && { seenAt }),
      ...(facts && factsColumns(facts)),
    })
    .where(eq(devices.id, known.id))
    .run()
  noteTurns(runtime, known, change)
  const returns = status === 1 && isUnwatched(known)
  // Nobody saw it go: that it is online is no event.
  const events = change.events.filter(({ code }) => !(returns && code === 'deviceOnline'))
  for (const event of events) {
    addEvent(runtime, known.id, event.code, event.values, event.at)
    alertOf(runtime, known, event)
  }
  if (events.length) keepNewest(runtime.db, deviceEvents, eq(deviceEvents.device, known.id), eventsKept)
  const cut = change.events.find(event => event.code === 'deviceOffline')?.values ?? {}
  if (status === 0 && (known.status === 1 || isUnwatched(known)))
    deviceTrouble(runtime, known, 'deviceOffline', {
      ...{ grade: gradeOf(known), values: { ...cut, reason }, at },
      tellAt: at + offlineMs(runtime.db, known.network),
    })
  if (status === 1 && known.status === 0) recoverAlerts(runtime, known, 'deviceOffline', { at })
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
        kind: devices.kind,
        status: devices.status,
        reason: devices.reason,
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
      if (isNews(row, change)) told.set(change.id, { organization: row.organization, network: row.network })
    }
  })
  const places = new Map([...told.values()].map(place => [place.network, place]))
  for (const place of places.values()) runtime.bus.emit({ topic: 'devices', each: true, ...place })
  for (const [id, place] of told) runtime.bus.emit({ topic: 'device', id, ...place })
}

/**
 * Nobody polls for now: what was online is so no more to anybody's knowledge, and waits for its next answer. What was
 * offline stays it. `forget`: called with the id of each, for its live values.
 */
export function markUnwatched(runtime: Runtime, forget: (id: number) => void): void {
  const changed = runtime.db
    .update(devices)
    .set({ status: 3, reason: unwatched, statusAt: Date.now(), reasonAt: null })
    .where(eq(devices.status, 1))
    .returning({ id: devices.id, organization: devices.organization, network: devices.network })
    .all()
  for (const { id } of changed) forget(id)
  const places = new Map(changed.map(({ id: _, ...place }) => [place.network, place]))
  for (const place of places.values()) runtime.bus.emit({ topic: 'devices', ...place })
}
