import { and, desc, eq, isNull, like, lt, or, sql } from 'drizzle-orm'
import { radiusSessions } from '@/db/schema'
import { radius as radiusKind } from '@/model/profiles/radius'
import { radiusUser } from '@/model/profiles/radius-user'
import { openedRows } from '@/server/kernel/documents'
import { keepNewest } from '@/server/kernel/keep-newest'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { kindRows } from '@/server/networks/settings/store'
import { type Account, accountOf, newLines, type Place } from './journal'

// Who was in, as devices account for it: FreeRADIUS notes it in its journal, and the manager keeps it.

export type Session = typeof radiusSessions.$inferSelect

const kept = { days: 30, rows: 50_000 } as const
const dayMs = 86_400_000

const inSession = ({ network, from, session }: Account) =>
  and(eq(radiusSessions.network, network), eq(radiusSessions.key, `${from} ${session}`))

/** A device that begins or ends accounting has nobody in there any more. */
function endPlace({ db }: Pick<Runtime, 'db'>, { network, from, called, at }: Account): void {
  const there = and(eq(radiusSessions.network, network), eq(radiusSessions.nas, from), isNull(radiusSessions.ended))
  const place = called === undefined ? there : and(there, eq(radiusSessions.called, called))
  db.update(radiusSessions).set({ ended: at }).where(place).run()
}

function merge(runtime: Pick<Runtime, 'db'>, one: Account, nameOf: (one: Account) => string): void {
  const { db } = runtime
  if (one.status.startsWith('Accounting-')) return void endPlace(runtime, one)
  const held = db.select().from(radiusSessions).where(inSession(one)).get()
  // Read once before, or told twice.
  if (held && (one.at < held.seen || held.ended !== null)) return
  const now = {
    ...{ seen: one.at, ended: one.status === 'Stop' ? one.at : null },
    inBytes: Math.max(one.inBytes, held?.inBytes ?? 0),
    outBytes: Math.max(one.outBytes, held?.outBytes ?? 0),
  }
  if (held) return void db.update(radiusSessions).set(now).where(inSession(one)).run()
  const { network, from: nas, session, called = '', mac = '', user = '', seconds } = one
  const whose = { network, key: `${nas} ${session}`, user, name: nameOf(one), mac, nas, called }
  db.insert(radiusSessions)
    .values({ ...whose, started: one.at - seconds * 1000, ...now })
    .run()
}

/** A name of somebody behind an anonymous one is that of the user whom the server let in. */
function names(runtime: Pick<Runtime, 'db' | 'secrets'>) {
  const known = new Map<number, Map<string, string>>()
  return ({ network, user, name }: Account): string => {
    const own =
      known.get(network) ??
      new Map(
        openedRows(runtime.secrets, radiusUser, kindRows(runtime.db, network, radiusUser.id)).map(({ row }) => [
          row.id,
          row.name,
        ]),
      )
    known.set(network, own)
    return (user !== undefined && own.get(user)) || name
  }
}

/** A device that says nothing more of somebody, by the interval at which it was told to: it is off, or out of reach. */
const missed = 3
const leastIntervalSeconds = 600

function endLost({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>, network: number, now: number): void {
  const intervals = openedRows(secrets, radiusKind, kindRows(db, network, radiusKind.id)).flatMap(({ data }) =>
    data.here === true && data.accounting === true ? [Number(data.accountingInterval)] : [],
  )
  const silentMs = missed * 1000 * Math.max(leastIntervalSeconds, ...intervals)
  db.update(radiusSessions)
    .set({ ended: sql`${radiusSessions.seen}` })
    .where(
      and(
        eq(radiusSessions.network, network),
        isNull(radiusSessions.ended),
        // One that only ever told of the beginning may be a device that tells of nothing between.
        or(
          and(sql`${radiusSessions.seen} > ${radiusSessions.started}`, lt(radiusSessions.seen, now - silentMs)),
          lt(radiusSessions.seen, now - Math.max(dayMs, silentMs)),
        ),
      ),
    )
    .run()
}

type Reading = { place?: Place; busy?: Promise<void> }
const reading = part<Reading>('radiusJournal', () => ({}))

async function readAll(runtime: Runtime, now: number): Promise<void> {
  const own = reading.of(runtime)
  const { db } = runtime
  const networks = new Set(
    db.query.networks
      .findMany({ columns: { id: true } })
      .sync()
      .map(one => one.id),
  )
  for (;;) {
    const { lines, place } = newLines(runtime.config.radius, own.place)
    const nameOf = names(runtime)
    const accounts = lines.flatMap(line => accountOf(line) ?? []).filter(one => networks.has(one.network))
    if (accounts.length > 0)
      db.transaction(() => {
        for (const one of accounts) merge(runtime, one, nameOf)
      })
    if (place) own.place = place
    if (lines.length === 0) break
    await new Promise(next => setImmediate(next))
  }
  for (const network of networks) endLost(runtime, network, now)
}

/** Takes in what devices accounted for since the last time. */
export function readAccounts(runtime: Runtime): Promise<void> {
  const own = reading.of(runtime)
  own.busy ??= readAll(runtime, Date.now()).finally(() => {
    own.busy = undefined
  })
  return own.busy
}

/** Sessions that are long over go. */
export function trimSessions({ db }: Pick<Runtime, 'db'>, now: number): void {
  db.transaction(() => {
    db.delete(radiusSessions)
      .where(lt(radiusSessions.ended, now - kept.days * dayMs))
      .run()
    keepNewest(db, radiusSessions, undefined, kept.rows)
  })
}

export type Wanted = { mac?: string | undefined; search?: string; open?: boolean }

/** Sessions of a network, those who are in first, the newest before the others. */
export function sessionsOf(
  { db }: Pick<Runtime, 'db'>,
  network: number,
  { mac, search = '', open }: Wanted,
): Session[] {
  const wanted = `%${search
    .trim()
    .toLowerCase()
    .replaceAll(/[%_\\]/g, '')}%`
  return db
    .select()
    .from(radiusSessions)
    .where(
      and(
        eq(radiusSessions.network, network),
        mac === undefined ? undefined : eq(radiusSessions.mac, mac),
        open ? isNull(radiusSessions.ended) : undefined,
        search.trim() === ''
          ? undefined
          : or(like(sql`lower(${radiusSessions.name})`, wanted), like(radiusSessions.mac, wanted)),
      ),
    )
    .orderBy(sql`${radiusSessions.ended} IS NOT NULL`, desc(radiusSessions.started))
    .all()
}
