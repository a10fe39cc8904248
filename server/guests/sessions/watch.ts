import { and, eq, inArray, isNull } from 'drizzle-orm'
import { devices, guests } from '@/db/schema'
import type { GuestEnd } from '@/model/guests/session'
import { guestBounds } from '@/model/profiles/portal'
import { fleetOf } from '@/server/devices/link/fleet'
import { trimFiles } from '@/server/guests/media/store'
import { count, remaining } from '@/server/guests/vouchers/redeem'
import type { BusEvent } from '@/server/kernel/bus'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { guestLans } from '@/server/networks/settings/portals'
import { mergeAway } from './away'
import { admitOn, removeEverywhere } from './gate'
import { type Held, idleLeft, judge, type Reading, strangers, type Verdict } from './judge'
import { closingOf } from './opening'
import { findPlace, gatewaysOf, type Place } from './place'
import { endGuests, type Guest, guestsIn, tellGuests, trimGuests } from './store'
import { inTurn, type Turns } from './turns'
import { countUse, restOf } from './use'

// What the gateways say of the guests is looked at again and again: what they used is counted, who is over is ended, who
// should be in and is not (a gateway that restarted) is let in, who is in and should not be is cut off.

const everyMs = 30_000
/** A voucher's end that another device moves by its use; what is less is left to the next look. */
const slack = { ms: 60_000, bytes: 1_000_000 }

/** Gateways that said nothing when their network was looked at last. */
const silent = part('silentGateways', (): Set<number> => new Set())

/** Those that have the gate of a LAN, with their LANs. */
function gates(runtime: Runtime, network: number): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const { lan } of guestLans(runtime.db, runtime.secrets, network))
    for (const device of gatewaysOf(runtime, network, lan)) found.set(device, (found.get(device) ?? new Set()).add(lan))
  return found
}

const onlineOf = ({ db }: Runtime, ids: readonly number[]): Set<number> =>
  new Set(
    db
      .select({ id: devices.id })
      .from(devices)
      .where(and(inArray(devices.id, [...ids]), eq(devices.status, 1)))
      .all()
      .map(one => one.id),
  )

/** What the gateways that answer say; one that does not is passed by: its poll tells of it. */
async function readGates(runtime: Runtime, lansOf: ReadonlyMap<number, ReadonlySet<string>>): Promise<Reading[]> {
  const asked = [...lansOf]
  const said = await Promise.allSettled(asked.map(([id]) => fleetOf(runtime).ask('guests', { id })))
  return asked.flatMap(([device, lans], at) => {
    const one = said[at]
    return one?.status === 'fulfilled' ? [{ device, lans, uses: new Map(one.value.map(use => [use.mac, use])) }] : []
  })
}

const heldOf = (guest: Guest): Held => ({ ...guest, readings: JSON.parse(guest.readings) as Record<string, number> })

type Bounds = Pick<Guest, 'ends' | 'byteLimit'> & Partial<Pick<Guest, 'downloadKbps' | 'uploadKbps'>>
/** `closing`: when the portal ends the session, whatever it has left, unix ms. */
type Hours = { place: Place | undefined; closing: number }
type Terms = { ended?: GuestEnd; moved?: Bounds }

/**
 * What somebody's voucher says now; `moved`: bounds so different that the gateways have to be told. What it says nothing
 * of is the portal's.
 */
function byVoucher(runtime: Runtime, guest: Guest, { bytes }: Verdict, now: number, { place, closing }: Hours): Terms {
  const { voucher, mac } = guest
  if (voucher === null) return {}
  count(runtime, { voucher, mac, seconds: (now - guest.countedAt) / 1000, bytes: bytes - guest.bytes, now })
  const left = remaining(runtime, { voucher, mac, now })
  if (!left) return { ended: 'voucher' }
  const ends = Math.min(now + left.seconds * 1000, closing)
  const byteLimit = left.bytes === undefined ? null : bytes + left.bytes
  const further = Math.abs(ends - guest.ends) > slack.ms
  const more = Math.abs((byteLimit ?? 0) - (guest.byteLimit ?? 0)) > slack.bytes
  const own = place ? guestBounds(place.policy) : { download: guest.downloadKbps, upload: guest.uploadKbps }
  const rates = {
    downloadKbps: left.download ?? own.download ?? null,
    uploadKbps: left.upload ?? own.upload ?? null,
  }
  const faster = rates.downloadKbps !== guest.downloadKbps || rates.uploadKbps !== guest.uploadKbps
  return further || more || faster ? { moved: { ends, byteLimit, ...rates } } : {}
}

/** What the portal leaves of a day and a month; bounds that were set before are drawn in alone. */
function byUse(runtime: Runtime, guest: Guest, verdict: Verdict, { place, closing }: Hours, now: number): Terms {
  if (guest.voucher !== null) return {}
  countUse(runtime, guest, now, verdict.bytes - guest.bytes)
  const left = place ? restOf(runtime, place.policy, guest, now) : {}
  if (left.none) return { ended: left.none.why }
  const ends = Math.min(guest.ends, now + (left.ms ?? Number.POSITIVE_INFINITY), closing)
  const most = left.bytes === undefined ? null : verdict.bytes + left.bytes
  const byteLimit = most === null || (guest.byteLimit !== null && guest.byteLimit <= most) ? guest.byteLimit : most
  const nearer = guest.ends - ends > slack.ms
  // It moves as somebody sets it, and not by its use: a limit of some KB holds at once, too.
  const fewer = byteLimit !== null && (guest.byteLimit ?? Number.POSITIVE_INFINITY) > byteLimit
  return !verdict.ended && (nearer || fewer) ? { moved: { ends, byteLimit } } : {}
}

type Outcome = { guest: Guest; verdict: Verdict; ended: GuestEnd | undefined; moved: boolean }

/** Writes down how a guest stands; in the caller's transaction. */
function settle(runtime: Runtime, guest: Guest, verdict: Verdict, now: number, hours: Hours): Outcome {
  const { ended: byTerms, moved: further } = byVoucher(runtime, guest, verdict, now, hours)
  const { ended: usedUp, moved: nearer } = byUse(runtime, guest, verdict, hours, now)
  // A voucher that was renewed outlasts the end that was known before.
  const own = further && verdict.ended !== 'idle' ? undefined : verdict.ended
  const shut = hours.closing <= now ? 'time' : undefined
  const ended = usedUp ?? own ?? byTerms ?? shut
  const moved = further ?? nearer
  const next = runtime.db
    .update(guests)
    .set({
      ...{ bytes: verdict.bytes, readings: JSON.stringify(verdict.readings), activeAt: verdict.activeAt },
      ...(verdict.seen && { device: verdict.seen.device }),
      ...(verdict.seen?.address && { address: verdict.seen.address }),
      ...moved,
      countedAt: now,
    })
    .where(and(eq(guests.id, guest.id), isNull(guests.ended)))
    .returning()
    .get()
  if (ended) endGuests(runtime, [guest.id], ended, now)
  return { guest: next ?? guest, verdict, ended, moved: moved !== undefined }
}

/** Whom a gateway has to be told, and as what. */
function wantedBy({ device, lans }: Reading, outcomes: readonly Outcome[], now: number): Guest[] {
  return outcomes.flatMap(({ guest, verdict, ended, moved }) => {
    if (ended || !lans.has(guest.lan)) return []
    if (moved || verdict.missing.includes(device)) return [guest]
    const isKnown = verdict.forgetting.includes(device) || verdict.loose.includes(device)
    return isKnown ? [{ ...guest, idleSeconds: idleLeft(guest, now) }] : []
  })
}

/** Lets those in who are missing on a gateway or about to be, or whose bounds moved. */
async function admitMissing(runtime: Runtime, outcomes: readonly Outcome[], readings: readonly Reading[], now: number) {
  for (const reading of readings) {
    const { device } = reading
    const wanted = wantedBy(reading, outcomes, now)
    if (wanted.length === 0) continue
    try {
      await admitOn(runtime, device, wanted, now)
      forgetReading(runtime, device, wanted)
    } catch (error) {
      console.error(`guests: gateway ${device} lets nobody in:`, error)
    }
  }
}

/** From now on the gateway counts from nothing. */
export function forgetReading({ db }: Runtime, device: number, admitted: readonly Pick<Guest, 'id'>[]): void {
  const ids = admitted.map(one => one.id)
  db.transaction(() => {
    for (const row of db.select().from(guests).where(inArray(guests.id, ids)).all()) {
      const readings = { ...(JSON.parse(row.readings) as Record<string, number>), [device]: 0 }
      db.update(guests)
        .set({ readings: JSON.stringify(readings) })
        .where(eq(guests.id, row.id))
        .run()
    }
  })
}

const gatesOf = (lansOf: ReadonlyMap<number, ReadonlySet<string>>, lan: string): number =>
  [...lansOf.values()].filter(lans => lans.has(lan)).length

async function look(runtime: Runtime, network: number): Promise<void> {
  const lansOf = gates(runtime, network)
  const answering = onlineOf(runtime, [...lansOf.keys()])
  const asked = new Map([...lansOf].filter(([device]) => answering.has(device)))
  for (const device of lansOf.keys()) silent.of(runtime).add(device)
  await mergeAway(runtime, network, asked)
  const readings = await readGates(runtime, asked)
  for (const { device } of readings) silent.of(runtime).delete(device)
  // Whoever a gateway took since it was asked first is no stranger.
  const before = new Set(guestsIn(runtime, network).map(one => one.mac))
  if (readings.some(one => strangers(one, before).length > 0)) await mergeAway(runtime, network, asked)
  const lans = new Set([...lansOf.values()].flatMap(one => [...one]))
  const places = new Map(await Promise.all([...lans].map(async lan => [lan, await findPlace(runtime, lan)] as const)))
  // Read after the gateways: whoever came in meanwhile is among them, and no stranger.
  const held = guestsIn(runtime, network)
  const now = Date.now()
  const hoursOf = (guest: Guest): Hours => {
    const place = places.get(guest.lan)
    return { place, closing: closingOf(runtime, place, guest, now) }
  }
  const gone = held.filter(one => !lans.has(one.lan))
  const outcomes = runtime.db.transaction(() => {
    endGuests(
      runtime,
      gone.map(one => one.id),
      'closed',
      now,
    )
    return held
      .filter(one => lans.has(one.lan))
      .map(one => {
        const verdict = judge(heldOf(one), readings, gatesOf(lansOf, one.lan), now)
        return settle(runtime, one, verdict, now, hoursOf(one))
      })
  })
  const ended = outcomes.filter(one => one.ended).map(one => one.guest)
  await removeEverywhere(runtime, [...gone, ...ended])
  const known = new Set(held.map(one => one.mac))
  for (const reading of readings) {
    const macs = strangers(reading, known)
    if (macs.length > 0) await fleetOf(runtime).ask('removeGuests', { id: reading.device, macs })
  }
  await admitMissing(runtime, outcomes, readings, now)
  const [first] = held
  if (first) tellGuests(runtime, first)
}

const looks = part('guestLooks', (): Turns<never> => new Map())

/**
 * Counts and settles what the gateways of a network say from now on: one look at a time, all who ask meanwhile share the
 * next. Gateways that do not answer are left as they are.
 */
export const lookAtGuests = (runtime: Runtime, network: number): Promise<void> =>
  inTurn(looks.of(runtime), String(network), [], () => look(runtime, network))

/** In all networks that have guests, or have some still in. */
async function lookAtAll(runtime: Runtime): Promise<void> {
  const now = runtime.db.selectDistinct({ network: guests.network }).from(guests).where(isNull(guests.ended)).all()
  const networks = new Set([...guestLans(runtime.db, runtime.secrets), ...now].map(one => one.network))
  const done = await Promise.allSettled([...networks].map(network => lookAtGuests(runtime, network)))
  for (const one of done) if (one.status === 'rejected') console.error('guests:', one.reason)
}

/** A gateway that is there again: what it did by itself is known at once, and who should be out is. */
const isBack = (runtime: Runtime, { topic, id }: BusEvent): boolean =>
  topic === 'device' && typeof id === 'number' && silent.of(runtime).has(id) && onlineOf(runtime, [id]).size > 0

export function startGuests(runtime: Runtime, every = everyMs): void {
  runtime.jobs.start({ id: 'guests', every, run: () => lookAtAll(runtime) })
  runtime.jobs.start({ id: 'guest-history', every: '17 * * * *', run: () => trimGuests(runtime, Date.now()) })
  runtime.jobs.start({ id: 'portal-files', every: '47 * * * *', run: () => trimFiles(runtime, Date.now()) })
  const failed = (error: unknown) => console.error('guests:', error)
  const off = runtime.bus.on(event => {
    const { topic, network } = event
    if (network === undefined || (topic !== 'vouchersChanged' && !isBack(runtime, event))) return
    lookAtGuests(runtime, network).catch(failed)
  })
  runtime.closers.push(off)
  // Gateways that are not known to be there yet are passed by, and looked at as soon as they are.
  lookAtAll(runtime).catch(failed)
}
