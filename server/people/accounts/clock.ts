import { gt, sql } from 'drizzle-orm'
import { accountTokens, sessions, signInFailures, signInLocks } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'

// What ends at a time ends later by as much as the clock is set back: idle sessions would stay open, links good, and locks
// shut. So the clock is watched, and what hangs on it goes along.

const lookMs = 5_000
/** Less is how a clock is corrected every day. */
const leastMs = 30_000

/** Times of people that were written by a clock `ms` ahead of the present one. Later ones than now are cut to now. */
export function setBack({ db }: Runtime, ms: number, now = Date.now()): void {
  const earlier = (column: unknown) => sql<number>`${column} - ${ms}`
  db.transaction(tx => {
    tx.update(sessions)
      .set({
        seenAt: sql`min(${sessions.seenAt} - ${ms}, ${now})`,
        createdAt: sql`min(${sessions.createdAt} - ${ms}, ${now})`,
      })
      .run()
    tx.update(signInLocks)
      .set({ until: earlier(signInLocks.until) })
      .run()
    tx.update(signInFailures)
      .set({ at: earlier(signInFailures.at) })
      .run()
    tx.update(accountTokens)
      .set({ expiresAt: earlier(accountTokens.expiresAt) })
      .run()
  })
}

/** A clock that was ahead when the manager was stopped: nothing was seen later than now. */
function cutToNow({ db }: Runtime, now = Date.now()): void {
  db.update(sessions).set({ seenAt: now }).where(gt(sessions.seenAt, now)).run()
  db.update(sessions).set({ createdAt: now }).where(gt(sessions.createdAt, now)).run()
}

export function startClock(runtime: Runtime, wall: () => number = Date.now, steady = () => performance.now()): void {
  cutToNow(runtime, wall())
  let ahead = wall() - steady()
  const look = () => {
    const next = wall() - steady()
    const back = ahead - next
    ahead = next
    if (back >= leastMs) setBack(runtime, Math.round(back), wall())
  }
  const timer = setInterval(() => {
    try {
      look()
    } catch (error) {
      console.error('clock:', error)
    }
  }, lookMs)
  timer.unref()
  runtime.closers.push(() => clearInterval(timer))
}
