import { and, asc, eq, or } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { associations, organizations } from '@/db/schema'

// Organizations of this manager that know of each other: else each knows of the others nothing but what they share.

const pairOf = (a: number, b: number) => ({ one: Math.min(a, b), other: Math.max(a, b) })

/** True where they were not associated yet. */
export const setAssociated = (tx: Db, a: number, b: number, now: number): boolean =>
  tx
    .insert(associations)
    .values({ ...pairOf(a, b), createdAt: now })
    .onConflictDoNothing()
    .run().changes > 0

/** True where they were associated. */
export function endAssociation(tx: Db, a: number, b: number): boolean {
  const { one, other } = pairOf(a, b)
  return (
    tx
      .delete(associations)
      .where(and(eq(associations.one, one), eq(associations.other, other)))
      .run().changes > 0
  )
}

/** Those that an organization knows of, by name. */
export const associatedWith = (db: Db, organization: number): { id: number; name: string }[] =>
  db
    .select({ id: organizations.id, name: organizations.name })
    .from(associations)
    .innerJoin(
      organizations,
      or(
        and(eq(associations.one, organization), eq(organizations.id, associations.other)),
        and(eq(associations.other, organization), eq(organizations.id, associations.one)),
      ),
    )
    .orderBy(asc(organizations.name))
    .all()
