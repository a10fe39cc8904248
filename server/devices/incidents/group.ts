import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { alerts, deviceParents, devices } from '@/db/schema'
import type { AlertType } from '@/model/notify/catalogue'
import { fleetPart } from '@/server/devices/link/fleet'
import { addEvent } from '@/server/devices/link/states'
import type { Runtime } from '@/server/kernel/runtime'
import { delayMs, offlineMs } from '@/server/notify/alerts/config'
import { putBelow, restate } from '@/server/notify/alerts/open'
import { besideTypes, concerned, isAlone } from './beside'
import { rootOf, type Standing } from './causes'
import type { Parent } from './wiring'

type Row = typeof alerts.$inferSelect
type Field = 'id' | 'organization' | 'at' | 'type' | 'level' | 'values' | 'parent' | 'tellAt' | 'told' | 'maintenance'
type Open = Pick<Row, Field> & { device: number }

const grouped = ['deviceOffline', ...besideTypes]
const isLost = ({ type }: Open) => type === 'deviceOffline'

const openOf = ({ db }: Runtime, network: number): Open[] =>
  db
    .select({
      ...{
        id: alerts.id,
        organization: alerts.organization,
        at: alerts.at,
        level: alerts.level,
        values: alerts.values,
      },
      ...{ type: alerts.type, parent: alerts.parent, tellAt: alerts.tellAt, told: alerts.told },
      ...{ maintenance: alerts.maintenance, device: alerts.device },
    })
    .from(alerts)
    .where(and(eq(alerts.network, network), inArray(alerts.type, grouped), isNull(alerts.recoveredAt)))
    .all()
    .flatMap(({ device, ...row }) => (device === null ? [] : [{ ...row, device }]))

function standingsOf(runtime: Runtime, network: number): Map<number, Standing> {
  const fleet = fleetPart.find(runtime)
  const rows = runtime.db
    .select({ id: devices.id, status: devices.status, since: devices.statusAt, seenAt: devices.seenAt })
    .from(devices)
    .where(eq(devices.network, network))
    .all()
  return new Map(
    rows.map(({ id, status, since, seenAt }) => {
      const last = Math.max(fleet?.live.get(fleet.rowOf(id), 'seenAt') ?? 0, seenAt ?? 0)
      const down = status === 0
      // Live values are ahead of states: who is offline and has answered since is on its way back, and says nothing of the failure.
      return [id, { down, since, seenAt: last === 0 || (down && last >= since) ? undefined : last }]
    }),
  )
}

function learnedParents({ db }: Runtime, network: number): Map<number, Parent> {
  const rows = db
    .select({ device: deviceParents.device, parent: deviceParents.parent, port: deviceParents.port })
    .from(deviceParents)
    .innerJoin(devices, eq(devices.id, deviceParents.device))
    .where(eq(devices.network, network))
    .all()
  return new Map(rows.map(({ device, parent, port }) => [device, { parent, ...(port !== null && { port }) }]))
}

/** Causes that went after `since`: what was behind them has as long to come back. */
function lately({ db }: Runtime, open: readonly Open[], since: number): Set<number> {
  const causes = [...new Set(open.flatMap(({ parent }) => parent ?? []))]
  const rows = db
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(inArray(alerts.id, causes), gt(alerts.recoveredAt, since)))
    .all()
  return new Set(rows.map(({ id }) => id))
}

type Known = { standings: ReadonlyMap<number, Standing>; parents: ReadonlyMap<number, Parent> }

/** By alert: the one that names its cause, or null. */
function parentAlerts(
  runtime: Runtime,
  open: readonly Open[],
  { standings, parents }: Known,
  since: number,
): Map<number, number | null> {
  const back = lately(runtime, open, since)
  const byDevice = new Map(open.filter(isLost).map(one => [one.device, one.id]))
  const rootAbove = (device: number) => byDevice.get(rootOf(device, parents, standings)) ?? byDevice.get(device)
  return new Map(
    open.map(one => {
      const { id, device, parent } = one
      const [above = id] = (isLost(one) ? [device] : concerned(one, parents)).flatMap(of => rootAbove(of) ?? [])
      if (above !== id) return [id, above]
      return [id, parent !== null && back.has(parent) ? parent : null]
    }),
  )
}

function byParent(open: readonly Open[], above: ReadonlyMap<number, number | null>): Map<number | null, Open[]> {
  const found = new Map<number | null, Open[]>()
  for (const one of open) {
    const parent = above.get(one.id) ?? null
    const held = found.get(parent)
    if (held) held.push(one)
    else found.set(parent, [one])
  }
  return found
}

/**
 * Writes into a device's events from when on nobody knows of it because the cause is in the way, and from when on it is
 * offline itself: what was offline while the cause answered still was so of itself.
 */
function noteBehind(
  runtime: Runtime,
  { device, parent }: Pick<Open, 'device' | 'parent'>,
  above: number | null,
  standings: ReadonlyMap<number, Standing>,
  now: number,
): void {
  // From one cause to another it is behind all the time.
  if (parent !== null && above !== null) return
  const [cause] = runtime.db
    .select({ device: alerts.device, name: devices.name, recoveredAt: alerts.recoveredAt })
    .from(alerts)
    .innerJoin(devices, eq(devices.id, alerts.device))
    .where(eq(alerts.id, (above ?? parent) as number))
    .all()
  const own = standings.get(device)
  const other = cause && standings.get(cause.device as number)
  if (!own?.down || !other) return
  const values = { cause: cause.name, ...(own.seenAt !== undefined && { seenAt: own.seenAt }) }
  if (above === null)
    addEvent(runtime, device, 'deviceAlone', { cause: cause.name }, Math.max(own.since, cause.recoveredAt ?? now))
  else {
    const heard = Math.min(other.seenAt ?? other.since, other.since)
    addEvent(runtime, device, 'deviceBehind', values, Math.max(own.since, heard))
  }
}

const valuesOf = ({ values }: Open) => JSON.parse(values) as Record<string, string | number>

/** What the alert that names the cause says of those behind it, at their most, and how grave all of it is. */
function note(runtime: Runtime, one: Open, behind: readonly Open[]): boolean {
  const values = valuesOf(one)
  const level = Math.min(one.level, ...behind.map(each => each.level))
  const before = Number(values.behind ?? 0)
  const most = Math.max(before, behind.filter(isLost).length)
  if (most === before && level === one.level) return false
  const said = { ...values, ...(most > 0 && { behind: most }) }
  restate(runtime.db, one.id, level, said)
  return true
}

/**
 * Puts the open alerts that one failure explains below the one that names it: those of the devices behind it, of the
 * port that it hangs at and of its own way out. Who stays away for the offline time after that has gone stands for itself
 * and is told of. True: something is otherwise than before.
 */
export function regroup(runtime: Runtime, network: number, now = Date.now()): boolean {
  const { db } = runtime
  const open = openOf(runtime, network)
  if (open.length === 0) return false
  const waitMs = offlineMs(db, network)
  const standings = standingsOf(runtime, network)
  const parents = learnedParents(runtime, network)
  const above = parentAlerts(runtime, open, { standings, parents }, now - waitMs)
  const behind = byParent(open, above)
  const moved = open.filter(one => above.get(one.id) !== one.parent)
  const alone = open.filter(
    one => !isLost(one) && above.get(one.id) === null && isAlone(one, concerned(one, parents), standings, waitMs),
  )
  const noted = db.transaction(() => {
    for (const { id, type, at } of alone)
      putBelow(db, id, null, Math.max(now, at + delayMs(db, network, type as AlertType)))
    for (const one of moved) {
      const parent = above.get(one.id) ?? null
      const tellAt = parent === null ? now : one.tellAt
      putBelow(db, one.id, parent, tellAt)
      if (isLost(one)) noteBehind(runtime, one, parent, standings, now)
    }
    return (behind.get(null) ?? []).filter(one => note(runtime, one, behind.get(one.id) ?? []))
  })
  for (const { device, organization } of moved.filter(isLost))
    runtime.bus.emit({ topic: 'device', id: device, organization, network })
  return moved.length + noted.length > 0
}
