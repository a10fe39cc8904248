import { guestMethods } from '@/model/guests/methods'
import { nextClock } from '@/model/places'
import { type Opening, openingAt } from '@/model/profiles/opening'
import type { Runtime } from '@/server/kernel/runtime'
import type { Place } from './place'
import { zoneOf } from './use'

type Known = { opening: Opening; from: number; to: number }
/** By zone and schedule: finding out looks at many days, and many ask. */
const lately = new Map<string, Known>()
const mostKnown = 100
const hourMs = 3_600_000

const changeOf = (opening: Opening): number | undefined => (opening.open ? opening.until : opening.next)

/** How a portal's schedule stands by the clock of the network; one without is always open. */
export function openingOf({ db }: Pick<Runtime, 'db'>, { network, hours }: Place, now: number): Opening {
  if (!hours) return { open: true }
  const zone = zoneOf(db, network)
  const key = JSON.stringify([zone, hours.weekly, hours.dates])
  const known = lately.get(key)
  if (known && now >= known.from && now < known.to) return known.opening
  const opening = openingAt(hours, zone, now)
  if (lately.size >= mostKnown) lately.clear()
  lately.set(key, { opening, from: now, to: changeOf(opening) ?? now + hourMs })
  return opening
}

/** By zone and time: the last day that was asked for, from one such moment to the next. */
const days = new Map<string, { from: number; to: number }>()

/** When a session that began then is over, as everybody signs in again; never, where the portal says nothing. */
function signInAfter({ db }: Pick<Runtime, 'db'>, { network, policy: { signInAt } }: Place, started: number): number {
  if (signInAt === undefined) return Number.POSITIVE_INFINITY
  const zone = zoneOf(db, network)
  const key = `${zone} ${signInAt}`
  const known = days.get(key)
  if (known && started >= known.from && started < known.to) return known.to
  const to = nextClock(zone, signInAt, started)
  if (days.size >= mostKnown) days.clear()
  days.set(key, { from: started, to })
  return to
}

type Session = { started: number; method: number }

/** Until when a session may last at most, unix ms: one that should not be is over. */
export function closingOf(
  runtime: Pick<Runtime, 'db'>,
  place: Place | undefined,
  { started, method }: Session,
  now: number,
): number {
  if (!place) return Number.POSITIVE_INFINITY
  const opening = openingOf(runtime, place, now)
  const shuts = opening.open ? (opening.until ?? Number.POSITIVE_INFINITY) : now
  const ends = method === guestMethods.simplePassword ? place.passwordEnds : undefined
  return Math.min(shuts, signInAfter(runtime, place, started), ends ?? Number.POSITIVE_INFINITY)
}

/** A session's time, drawn in to when the portal closes. */
export const withinHours = <T extends { seconds: number }>(entry: T, closing: number, now: number): T => ({
  ...entry,
  seconds: Math.min(entry.seconds, Math.floor((closing - now) / 1000)),
})
