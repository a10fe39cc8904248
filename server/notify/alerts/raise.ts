import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { alerts, organizations } from '@/db/schema'
import { type AlertType, alertFacts, type Grade } from '@/model/notify/catalogue'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import type { NewAlert } from './alert'
import { delayMs, isOff, severityOf } from './config'
import { maintenanceAt } from './maintenance'
import { tellAlert } from './tell'

/** Alerts kept of one organization; the oldest go first. */
const alertsKept = 10_000
/** What comes again within this time after it had gone is the same once more. */
const dampMs = 15 * 60_000

/** Whose grade was looked at where it was said. */
type AnyAlert = Omit<NewAlert, 'grade'> & { grade?: string | undefined }

/** When a trouble is told: not before it has lasted as long as its network wants. A value that is watched has already. */
function notBefore(
  db: Db,
  network: number | null,
  { type, at = Date.now(), tellAt }: AnyAlert,
): number | null | undefined {
  const delay = alertFacts[type].threshold ? 0 : delayMs(db, network, type)
  return delay === 0 || tellAt === null ? tellAt : Math.max(tellAt ?? at, at + delay)
}

/** When an alert is told that is raised during maintenance until then; null: never. */
const heldUntil = ({ type, tellAt }: AnyAlert, until: number): number | null =>
  alertFacts[type].event || tellAt === null ? null : Math.max(tellAt ?? 0, until)

/** The organization that runs the manager; undefined before the wizard has finished. */
const hostOf = ({ db }: Runtime): number | undefined =>
  db.select({ id: organizations.id }).from(organizations).limit(1).get()?.id

function store(runtime: Runtime, alert: AnyAlert): number {
  const { db } = runtime
  const organization = alert.organization ?? hostOf(runtime)
  // Before the wizard has finished there is nobody to tell.
  if (organization === undefined) return 0
  const { type, grade, network = null, device = null, values = {}, at = Date.now() } = alert
  const due = notBefore(db, network, { ...alert, at })
  const maintenance = maintenanceAt(db, { network, device }, at)
  const tellAt = maintenance ? heldUntil({ ...alert, tellAt: due }, maintenance.until) : due
  const id = db.transaction(() => {
    const row = db
      .insert(alerts)
      .values({
        ...{ organization, network, device, type, values: JSON.stringify(values), at },
        level: severityOf(db, network, type, grade),
        tellAt: tellAt ?? null,
        maintenance: maintenance?.name ?? null,
      })
      .returning({ id: alerts.id })
      .get()
    keepNewest(db, alerts, eq(alerts.organization, organization), alertsKept)
    if (tellAt === undefined) tellAlert(runtime, row.id, row.id)
    return row.id
  })
  runtime.bus.emit({ topic: 'alerts', organization, network: alert.network })
  return id
}

/**
 * Stores an alert and returns its number; delivery by mail and webhooks follows by itself: at once, with `tellAt` then, if
 * it is still open, and never where that is null. During maintenance nothing is told before its end, and of events
 * nothing at all. May be called inside a transaction.
 */
export const raiseAlert = <T extends AlertType>(runtime: Runtime, alert: NewAlert<T>): number => store(runtime, alert)

export type About = { id: number; organization: number; network: number; name: string }
type Values = Record<string, string | number>
/** `same`: which value tells several of one type about a device apart, as the port does. */
type Same = { values?: Values; same?: string }
type More = Same & { at?: number; tellAt?: number | null; grade?: string | undefined }

function aboutDevice(
  runtime: Runtime,
  device: About,
  type: AlertType,
  { values = {}, same: _, ...more }: More,
): number {
  if (isOff(runtime.db, device.network, type)) return 0
  return store(runtime, {
    ...{ type, ...more },
    organization: device.organization,
    network: device.network,
    device: device.id,
    values: { device: device.name, ...values },
  })
}

/** An alert about one device; its name goes into the words. 0: the network does not want to be told of this type. */
export const deviceAlert = <T extends AlertType>(
  runtime: Runtime,
  device: About,
  type: T,
  more: Omit<More, 'grade'> & Grade<T>,
): number => aboutDevice(runtime, device, type, more)

const ofType = (type: AlertType, { values = {}, same }: Same) =>
  and(
    eq(alerts.type, type),
    same === undefined ? undefined : sql`json_extract(${alerts.values}, ${`$.${same}`}) = ${values[same] ?? ''}`,
  )
const ofDevice = (device: About, type: AlertType, more: Same) => and(eq(alerts.device, device.id), ofType(type, more))

/** The last of this type about a device that went less than a while ago; undefined where it is the first. */
function lastOf({ db }: Runtime, device: About, type: AlertType, at: number, more: Same) {
  const own = and(ofDevice(device, type, more), gt(alerts.recoveredAt, at - dampMs))
  return db.select().from(alerts).where(own).orderBy(desc(alerts.id)).limit(1).get()
}

/**
 * A trouble that may go by itself: told of at `tellAt` if it is open then. One that went a while ago and comes again is the
 * same alert once more, counted, and not told twice; the word of its end is taken back where nobody has it yet.
 */
export function deviceTrouble<T extends AlertType>(
  runtime: Runtime,
  device: About,
  type: T,
  more: Omit<More, 'grade'> & Grade<T>,
): void {
  const { db } = runtime
  const { values = {}, at = Date.now() } = more
  if (isOff(db, device.network, type)) return
  const last = lastOf(runtime, device, type, at, more)
  if (!last) return void aboutDevice(runtime, device, type, more)
  const said = JSON.stringify({ device: device.name, ...values })
  const again = { recoveredAt: null, parent: null, read: false, times: last.times + 1, values: said }
  const due = notBefore(db, device.network, { type, at, tellAt: more.tellAt })
  db.update(alerts)
    .set({ ...again, tellAt: last.told === null ? (due ?? at) : null })
    .where(eq(alerts.id, last.id))
    .run()
  const since = last.recoveredAt ?? at
  const { recovery } = alertFacts[type]
  const untold = and(isNull(alerts.told), gt(alerts.at, since - 1))
  if (recovery)
    db.delete(alerts)
      .where(and(ofDevice(device, recovery, more), untold))
      .run()
  runtime.bus.emit({ topic: 'alerts', organization: device.organization, network: device.network })
}

const closeAlerts = ({ db }: Runtime, which: SQL | undefined, at: number) =>
  db
    .update(alerts)
    .set({ recoveredAt: at, tellAt: null })
    .where(and(which, isNull(alerts.recoveredAt)))
    .returning()
    .all()

type Own = Same & { organization?: number }

/** Marks open alerts of a type as recovered that are about no device; whether there were any. Nothing is said of it. */
export function closeOwn(runtime: Runtime, type: AlertType, { organization = hostOf(runtime), ...more }: Own): boolean {
  if (organization === undefined) return false
  const which = and(eq(alerts.organization, organization), isNull(alerts.device), ofType(type, more))
  const closed = closeAlerts(runtime, which, Date.now()).length > 0
  if (closed) runtime.bus.emit({ topic: 'alerts', organization })
  return closed
}

/** As `closeOwn`, and says that it is over; `values`: of that word, too. Without an organization: of the manager itself. */
export function recoverOwn<T extends AlertType>(runtime: Runtime, type: T, own: Own): void {
  const { recovery } = alertFacts[type]
  if (!closeOwn(runtime, type, own) || !recovery) return
  const { organization, values = {} } = own
  store(runtime, { type: recovery, ...(organization !== undefined && { organization }), values })
}

/**
 * Marks a device's open alerts of a type as recovered and, where one stood for itself, says so by another one. People are
 * told of that where they were told of the trouble: at once, or a while later where it comes and goes. `silent`: nothing is
 * said.
 */
export function recoverAlerts(
  runtime: Runtime,
  device: About,
  type: AlertType,
  more: Same & { at?: number; silent?: true } = {},
): void {
  const { values = {}, at = Date.now(), silent } = more
  const recovery = silent ? undefined : alertFacts[type].recovery
  const closed = closeAlerts(runtime, ofDevice(device, type, more), at)
  if (closed.length === 0) return
  const own = closed.filter(one => one.parent === null)
  const told = own.some(one => one.told !== null)
  const steady = own.every(one => one.times === 1)
  const tellAt = !told ? { tellAt: null } : steady ? {} : { tellAt: at + dampMs }
  if (own.length > 0 && recovery) aboutDevice(runtime, device, recovery, { values, at, ...tellAt })
  else runtime.bus.emit({ topic: 'alerts', organization: device.organization, network: device.network })
}
