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

/** Until when a session may last at most, unix ms: one that should not be is over. */
export function closingOf(runtime: Pick<Runtime, 'db'>, place: Place | undefined, now: number): number {
  const opening: Opening = place ? openingOf(runtime, place, now) : { open: true }
  return opening.open ? (opening.until ?? Number.POSITIVE_INFINITY) : now
}

/** A session's time, drawn in to when the portal closes. */
export const withinHours = <T extends { seconds: number }>(entry: T, closing: number, now: number): T => ({
  ...entry,
  seconds: Math.min(entry.seconds, Math.floor((closing - now) / 1000)),
})
