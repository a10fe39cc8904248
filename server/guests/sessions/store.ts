import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { guests, guestUse, portalVisits } from '@/db/schema'
import { guestMethods, personalMethods } from '@/model/guests/methods'
import type { Answer } from '@/model/guests/questions'
import { type GuestEnd, guestStates } from '@/model/guests/session'
import { limits } from '@/model/limits'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import { type Accounted, closeAccount, openAccount } from './accounting'
import { trimBlocks } from './blocks'
import type { Place } from './place'
import { countUse, trimUse } from './use'
import { trimVisits } from './visits'

// The table of guests: who is in (`ended` is null), who was, who tried to.

export type Guest = typeof guests.$inferSelect
export type Device = { mac: string; ip: string }
/** By what somebody comes in, and within which bounds; kbit/s, bytes of both directions. */
export type Entry = {
  method: number
  seconds: number
  /** In place of the portal's own. */
  idleSeconds?: number
  bytes?: number
  download?: number
  upload?: number
  voucher?: number
  label?: string
  answers?: readonly Answer[]
  /** Only to read the letter with the code. */
  provisional?: boolean
  /** The RADIUS server that is told of the session. */
  accounted?: Accounted
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** What the pages hear of it. */
export const tellGuests = ({ bus }: Runtime, { organization, network }: Pick<Guest, 'organization' | 'network'>) =>
  bus.emit({ topic: 'guests', organization, network })

export const guestsIn = ({ db }: Runtime, network: number): Guest[] =>
  db
    .select()
    .from(guests)
    .where(and(eq(guests.network, network), isNull(guests.ended)))
    .all()

export const findGuest = ({ db }: Runtime, network: number, mac: string): Guest | undefined =>
  db
    .select()
    .from(guests)
    .where(and(eq(guests.network, network), eq(guests.mac, mac), isNull(guests.ended)))
    .get()

/** Whoever keeps this token and is in, in that LAN. */
export const guestByToken = ({ db }: Runtime, lan: string, token: string): Guest | undefined =>
  db
    .select()
    .from(guests)
    .where(and(eq(guests.token, digestOf(token)), eq(guests.lan, lan), isNull(guests.ended)))
    .get()

/** Who is in is out, whyever; where the gateways have to be told, that is the caller's. */
export function endGuests({ db }: Runtime, ids: readonly number[], why: GuestEnd, now: number): void {
  const state = why === 'gateway' ? guestStates.failed : guestStates.expired
  const open = and(inArray(guests.id, [...ids]), isNull(guests.ended))
  db.transaction(() => {
    for (const one of db.select().from(guests).where(open).all()) {
      if (why !== 'gateway') countUse({ db }, one, now)
      closeAccount({ db }, one, why, now)
    }
    db.update(guests).set({ state, ended: now, why, token: null, countedAt: now }).where(open).run()
  })
}

const boundsOf = ({ policy }: Place, { seconds, idleSeconds, bytes, download, upload }: Entry, now: number) => ({
  ends: now + seconds * 1000,
  idleSeconds: idleSeconds ?? policy.idleMinutes * 60,
  byteLimit: bytes ?? null,
  downloadKbps: download ?? null,
  uploadKbps: upload ?? null,
})

const rowOf = (place: Place, { mac, ip }: Device, entry: Entry, now: number) => {
  const { method, voucher, label = '', answers = [], provisional = false } = entry
  return {
    ...{ organization: place.organization, network: place.network, lan: place.lan, lanName: place.lanName },
    ...{ mac, address: ip, method, voucher: voucher ?? null, label, provisional },
    ...{ answers: JSON.stringify(answers), keepDays: place.policy.keepDays ?? limits.guestDays },
    ...{ started: now, activeAt: now, countedAt: now, state: guestStates.succeeded },
  }
}

/** Whether who is in came by the very same means, as the same person. */
const isSame = (held: Guest, place: Place, { method, voucher, label = '', provisional = false }: Entry): boolean =>
  held.lan === place.lan &&
  held.method === method &&
  held.voucher === (voucher ?? null) &&
  held.provisional === provisional &&
  // A voucher's label is its group's name, which may change.
  (voucher !== undefined || held.label === label)

/**
 * Somebody comes in: the session, and the token that the guest's browser keeps. Whoever is in already by the same means
 * goes on with the same session and its end. Call it with nothing awaited since the means was looked at.
 */
export function startGuest(runtime: Runtime, place: Place, device: Device, entry: Entry, now: number) {
  const { db } = runtime
  const token = randomBytes(16).toString('base64url')
  const guest = db.transaction(() => {
    const held = findGuest(runtime, place.network, device.mac)
    if (held && isSame(held, place, entry))
      return db
        .update(guests)
        .set({ token: digestOf(token) })
        .where(eq(guests.id, held.id))
        .returning()
        .get()
    if (held) endGuests(runtime, [held.id], 'again', now)
    const row = { ...rowOf(place, device, entry, now), ...boundsOf(place, entry, now), token: digestOf(token) }
    const begun = db.insert(guests).values(row).returning().get()
    if (entry.accounted) openAccount(runtime, begun, entry.accounted)
    return begun
  })
  tellGuests(runtime, place)
  return { guest, token }
}

/** The same person on another device's address: the session goes on there. */
export function moveGuest(runtime: Runtime, guest: Guest, { mac, ip }: Device, now: number): Guest {
  return runtime.db.transaction(() => {
    const other = findGuest(runtime, guest.network, mac)
    if (other && other.id !== guest.id) endGuests(runtime, [other.id], 'again', now)
    return runtime.db
      .update(guests)
      .set({ mac, address: ip, readings: '{}', activeAt: now })
      .where(eq(guests.id, guest.id))
      .returning()
      .get()
  })
}

const sameTryMs = 600_000

/** Somebody tried, and was refused: `why` is what the list tells. Who tries the same again for a while is one line of it. */
export function noteFailure(
  runtime: Runtime,
  place: Place,
  device: Device,
  method: number,
  why: GuestEnd,
  now: number,
) {
  const { db } = runtime
  const own = and(eq(guests.network, place.network), eq(guests.mac, device.mac), eq(guests.method, method))
  const same = and(own, eq(guests.why, why), gt(guests.started, now - sameTryMs))
  const again = db.update(guests).set({ started: now, ends: now, ended: now }).where(same).run()
  const row = rowOf(place, device, { method, seconds: 0 }, now)
  if (again.changes === 0)
    db.insert(guests)
      .values({ ...row, ends: now, idleSeconds: 0, state: guestStates.failed, ended: now, why })
      .run()
  tellGuests(runtime, place)
}

const dayMs = 86_400_000

const personal = inArray(
  guests.method,
  personalMethods.map(name => guestMethods[name]),
)

/** What guests said of themselves is forgotten when their portal says; that somebody was in stays. */
function forgetPersons({ db }: Runtime, now: number): void {
  const due = sql`${guests.ended} + ${guests.keepDays} * ${dayMs} <= ${now}`
  const anything = or(ne(guests.answers, '[]'), ne(guests.label, ''))
  db.update(guests)
    .set({ answers: '[]', label: '' })
    .where(and(isNotNull(guests.ended), personal, anything, due))
    .run()
}

/** Every record of these devices in a network, whoever used them. */
export function forgetGuests({ db }: Runtime, network: number, macs: readonly string[]): void {
  db.delete(guests)
    .where(and(eq(guests.network, network), inArray(guests.mac, [...macs])))
    .run()
  db.delete(guestUse)
    .where(and(eq(guestUse.network, network), inArray(guestUse.mac, [...macs])))
    .run()
  db.delete(portalVisits)
    .where(and(eq(portalVisits.network, network), inArray(portalVisits.mac, [...macs])))
    .run()
}

/** What is over is kept so long, and so much of it in each network. */
export function trimGuests(runtime: Runtime, now: number): void {
  const { db } = runtime
  forgetPersons(runtime, now)
  trimUse(runtime, now)
  trimBlocks(runtime, now)
  trimVisits(runtime, now)
  db.delete(guests)
    .where(and(isNotNull(guests.ended), lt(guests.ended, now - limits.guestDays * dayMs)))
    .run()
  const networks = db.selectDistinct({ network: guests.network }).from(guests).all()
  for (const { network } of networks)
    keepNewest(db, guests, eq(guests.network, network), limits.guestRecords, { except: isNull(guests.ended) })
}
