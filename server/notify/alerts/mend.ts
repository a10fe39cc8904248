import { and, desc, eq, gte, inArray, lt, lte, ne } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deployments } from '@/db/schema'
import { changesBeforeMs } from '@/model/notify/mend'

const reached = ['applied', 'partial'] as const

/**
 * The earlier push to which a device can be reverted where its configuration was changed shortly before `at`; null where it
 * was not, or there was none before. What is done with it is a push like any other.
 */
export function mendOf(db: Db, device: number, at: number) {
  const own = and(eq(deployments.device, device), inArray(deployments.state, [...reached, 'unknown']))
  const near = and(own, gte(deployments.createdAt, at - changesBeforeMs), lte(deployments.createdAt, at))
  const first = db.select().from(deployments).where(near).orderBy(deployments.createdAt).limit(1).get()
  if (!first) return null
  const kept = and(
    eq(deployments.device, device),
    inArray(deployments.state, [...reached]),
    ne(deployments.planned, ''),
    lt(deployments.createdAt, first.createdAt),
  )
  const earlier = db.select().from(deployments).where(kept).orderBy(desc(deployments.createdAt)).limit(1).get()
  return earlier ? { device, deployment: earlier.id, at: earlier.createdAt } : null
}
