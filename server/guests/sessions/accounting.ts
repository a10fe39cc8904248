import { and, asc, eq, inArray, lte, not, sql } from 'drizzle-orm'
import { guestAccounts, guests } from '@/db/schema'
import type { GuestEnd } from '@/model/guests/session'
import { type Account, type Report, tellServer } from '@/server/guests/radius/accounting'
import { type Next, startOutbox } from '@/server/kernel/outbox'
import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { findRadiusOf } from './place'

// What RADIUS servers are told of the guests whom they let in. A row for each session says what its server knows already, so
// a restart loses nothing: what was not noted is told again, with the time at which it was.

type Row = typeof guestAccounts.$inferSelect
type Guest = typeof guests.$inferSelect
type Database = Pick<Runtime, 'db'>

/** What an acceptance brought that accounting names again. */
export type Accounted = { radius: string; name: string; classes: readonly string[] }

const firstDelayMs = 15_000
const longestDelayMs = 3_600_000
/** So long after its end a session is told of. */
const giveUpMs = 7 * 86_400_000

/** A session begins, in the transaction that writes it. */
export function openAccount({ db }: Database, guest: Guest, { radius, name, classes }: Accounted): void {
  const { id, organization, network, started, mac, address } = guest
  db.insert(guestAccounts)
    .values({
      ...{ guest: id, organization, network, radius, name, classes: JSON.stringify(classes) },
      ...{ session: `${id.toString(16)}-${started.toString(16)}`, mac, address, started, dueAt: started },
    })
    .run()
}

/** A session ends, likewise; whom no gateway let in was never in. */
export function closeAccount({ db }: Database, guest: Guest, why: GuestEnd, now: number): void {
  const own = eq(guestAccounts.guest, guest.id)
  if (why === 'gateway')
    db.delete(guestAccounts)
      .where(and(own, sql`${guestAccounts.told} IS NULL`))
      .run()
  const { mac, address, bytes, started, ends } = guest
  // A time that was up is found some seconds later.
  const ended = Math.max(started, Math.min(now, ends))
  db.update(guestAccounts).set({ mac, address, bytes, why, ended, dueAt: now, tries: 0 }).where(own).run()
}

const reportOf = ({ told, ended }: Row): Report => (told === null ? 'start' : ended === null ? 'interim' : 'stop')

/** The session as it is now; undefined where there is none any more. */
function accountOf({ db }: Database, row: Row): Account | undefined {
  const { session, name, started, ended, why } = row
  const fixed = { session, name, started, classes: JSON.parse(row.classes) as string[] }
  if (ended !== null) {
    const { mac, address, bytes } = row
    return { ...fixed, mac, address, bytes, ended, why: why as GuestEnd }
  }
  const guest = db.select().from(guests).where(eq(guests.id, row.guest)).get()
  return guest && { ...fixed, mac: guest.mac, address: guest.address, bytes: guest.bytes }
}

const drop = ({ db }: Database, { guest }: Row) => db.delete(guestAccounts).where(eq(guestAccounts.guest, guest)).run()

/** At once where the session ended meanwhile. */
const dueIn = (ms: number, now: number) =>
  sql`CASE WHEN ${guestAccounts.ended} IS NULL THEN ${now + ms} ELSE ${now} END`

function noted({ db }: Database, row: Row, report: Report, intervalMs: number, now: number): void {
  if (report === 'stop') {
    drop({ db }, row)
    return
  }
  db.update(guestAccounts)
    .set({ tries: 0, dueAt: dueIn(intervalMs, now), ...(report === 'start' && { told: now }) })
    .where(eq(guestAccounts.guest, row.guest))
    .run()
}

function unheard({ db }: Database, row: Row, report: Report, intervalMs: number, now: number): void {
  if (row.ended !== null && now - row.ended > giveUpMs) {
    drop({ db }, row)
    return
  }
  const wait = Math.min(longestDelayMs, firstDelayMs * 2 ** row.tries)
  // What is told now and then is told anew by the next one.
  const dueAt = report === 'interim' ? dueIn(intervalMs, now) : now + wait
  db.update(guestAccounts)
    .set({ tries: row.tries + 1, dueAt })
    .where(eq(guestAccounts.guest, row.guest))
    .run()
}

/** One report to the server; a server that is asked no more is told no more. */
async function send(runtime: Runtime, row: Row, stop: AbortSignal): Promise<void> {
  const radius = await findRadiusOf(runtime, row.organization, row.network, row.radius)
  const account = accountOf(runtime, row)
  if (!radius?.accounting || !account) {
    drop(runtime, row)
    return
  }
  const report = reportOf(row)
  const heard = await tellServer(radius, report, account, Date.now()).catch(() => false)
  if (!heard && stop.aborted) return
  const now = Date.now()
  const intervalMs = radius.accountingInterval * 1000
  if (heard) noted(runtime, row, report, intervalMs, now)
  else {
    unheard(runtime, row, report, intervalMs, now)
    if (withinRate(runtime, `guest accounting ${row.network} failed`, 1, 60_000, now))
      console.warn(`guests of network ${row.network}: the RADIUS server ${radius.server} notes no accounting`)
  }
}

function next({ db }: Database, now: number, busy: readonly number[]): Next<Row> | undefined {
  const free = busy.length > 0 ? not(inArray(guestAccounts.guest, [...busy])) : undefined
  const first = (where: ReturnType<typeof and>) =>
    db.select().from(guestAccounts).where(where).orderBy(asc(guestAccounts.dueAt)).limit(1).get()
  const due = first(and(free, lte(guestAccounts.dueAt, now)))
  if (due) return { due }
  const later = first(free)
  return later && { at: later.dueAt }
}

export function startGuestAccounting(runtime: Runtime): void {
  const box = startOutbox(runtime, {
    name: 'guests: accounting',
    atOnce: 8,
    keyOf: (row: Row) => row.guest,
    next: (now, busy: readonly number[]) => next(runtime, now, busy),
    send: (row, stop) => send(runtime, row, stop),
  })
  runtime.closers.push(runtime.bus.on(({ topic }) => topic === 'guests' && box.wake()))
}
