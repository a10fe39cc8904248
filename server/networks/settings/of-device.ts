import { and, eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { assignments, documents } from '@/db/schema'

// Settings of one device alone: what is assigned to it by name, and what stands in its own scope.

const assignedTo = (device: number) => and(eq(assignments.target, 'device'), eq(assignments.targetId, device))
const scopeOf = (device: number) => and(eq(documents.scope, 'device'), eq(documents.scopeId, device))

/** Call it inside a transaction. */
export function forgetDeviceSettings(db: Db, device: number): void {
  db.delete(assignments).where(assignedTo(device)).run()
  db.delete(documents).where(scopeOf(device)).run()
}

/** `next` gets what `old` had, in place of its own. Call it inside a transaction. */
export function passOnDeviceSettings(db: Db, old: number, next: number): void {
  forgetDeviceSettings(db, next)
  db.update(assignments).set({ targetId: next }).where(assignedTo(old)).run()
  db.update(documents).set({ scopeId: next }).where(scopeOf(old)).run()
}
