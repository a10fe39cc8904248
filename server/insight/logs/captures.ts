import { and, desc, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { syslogCaptures } from '@/db/schema'
import { limits } from '@/model/limits'
import { keepNewest } from '@/server/kernel/keep-newest'
import type { Runtime } from '@/server/kernel/runtime'
import type { CapturedLines, ToldCapture } from '@/server/worker/intake/protocol'

// Rule S8: a capture of syslog. For a while lines of a device, or of a network, are received whatever the reception is set
// to; then it ends by itself. The lines lie among all others, under the same bounds.

export type CaptureRow = typeof syslogCaptures.$inferSelect

const running = isNull(syslogCaptures.endedAt)

/** Those that go on, as the thread is told them. */
export const capturesNow = ({ db }: Runtime): ToldCapture[] =>
  db
    .select()
    .from(syslogCaptures)
    .where(running)
    .all()
    .map(({ id, network, device, severity, until }) => ({ id, network, severity, until, ...(device && { device }) }))

/** Of a network, the newest first. */
export const capturesOf = (db: Db, network: number): CaptureRow[] =>
  db.select().from(syslogCaptures).where(eq(syslogCaptures.network, network)).orderBy(desc(syslogCaptures.id)).all()

/** Ends those whose time is over, also where that was while the manager did not run. Whose these were. */
export function endCaptures({ db }: Runtime, now: number): number[] {
  const over = and(running, lte(syslogCaptures.until, now))
  const ended = db
    .update(syslogCaptures)
    .set({ endedAt: sql`${syslogCaptures.until}` })
    .where(over)
    .returning({ network: syslogCaptures.network })
    .all()
    .map(one => one.network)
  const networks = [...new Set(ended)]
  for (const network of networks) {
    const former = and(eq(syslogCaptures.network, network), isNotNull(syslogCaptures.endedAt))
    keepNewest(db, syslogCaptures, former, limits.syslogCapture.kept)
  }
  return networks
}

/** Lines were kept for captures. */
export function countCaptured({ db }: Runtime, counts: CapturedLines): void {
  for (const [id, more] of counts)
    db.update(syslogCaptures)
      .set({ lines: sql`${syslogCaptures.lines} + ${more}` })
      .where(eq(syslogCaptures.id, id))
      .run()
}
