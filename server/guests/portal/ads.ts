import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { adViews } from '@/db/schema'
import type { Place } from '@/server/guests/sessions/place'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

// Who saw what the house advertises: in memory by device, counted by day and splash page.

type View = { at: number; watched: boolean }
const views = part('adViews', () => new Map<string, View>())
const kept = 20_000
/** A device that comes again after so long sees it again. */
const visitMs = 3_600_000
const dayMs = 86_400_000
const keptDays = 90

function count({ db }: Runtime, { network, policy }: Place, what: 'shown' | 'watched', now: number): void {
  const row = { network, splash: policy.splash ?? '', day: Math.floor(now / dayMs) * dayMs, [what]: 1 }
  db.delete(adViews)
    .where(and(eq(adViews.network, network), lt(adViews.day, now - keptDays * dayMs)))
    .run()
  db.insert(adViews)
    .values(row)
    .onConflictDoUpdate({
      target: [adViews.network, adViews.splash, adViews.day],
      set: { [what]: sql`${adViews[what]} + 1` },
    })
    .run()
}

const keyOf = ({ lan }: Place, mac: string) => `${lan} ${mac}`

/** Begins a device's visit, once; how it stands. */
export function adShown(runtime: Runtime, place: Place, mac: string, now: number): View {
  const all = views.of(runtime)
  const key = keyOf(place, mac)
  const found = all.get(key)
  if (found && now - found.at < visitMs) return found
  const view = { at: now, watched: false }
  all.delete(key)
  all.set(key, view)
  for (const [old, { at }] of all) {
    if (now - at < visitMs && all.size <= kept) break
    all.delete(old)
  }
  count(runtime, place, 'shown', now)
  return view
}

/** Seconds that are left to watch; 0: watched, which is counted once. */
export function toWatch(runtime: Runtime, place: Place, mac: string, seconds: number, now: number): number {
  const view = adShown(runtime, place, mac, now)
  const left = Math.ceil((view.at + seconds * 1000 - now) / 1000)
  if (left > 0) return left
  if (!view.watched) count(runtime, place, 'watched', now)
  view.watched = true
  return 0
}

/** Of a splash page in a network, in the last so many days. */
export function adCounts({ db }: Runtime, network: number, splash: string, days: number, now: number) {
  const sum = (column: typeof adViews.shown | typeof adViews.watched) => sql<number>`coalesce(sum(${column}), 0)`
  const own = and(eq(adViews.network, network), eq(adViews.splash, splash), gte(adViews.day, now - days * dayMs))
  const found = db
    .select({ shown: sum(adViews.shown), watched: sum(adViews.watched) })
    .from(adViews)
    .where(own)
    .get()
  return found ?? { shown: 0, watched: 0 }
}
