import { and, count, eq, gt, inArray, lt } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { signInFailures, signInLocks } from '@/db/schema'
import { bucketOf } from '@/model/addresses'
import { limits } from '@/model/limits'

const lockMs = limits.lockMinutes * 60_000

export type LockState =
  | { lockStatus: 0; failures: number }
  | { lockStatus: 1; failures: number; remainCount: number }
  | { lockStatus: 2; lockTime: number; lockSeconds: number }

/**
 * What a try is counted by: of browsers that signed in before apart from the others there, so that nobody in a person's
 * LAN (one /64) can lock them out.
 */
const placeOf = (address: string, known: boolean) => `${bucketOf(address)}${known ? ' known' : ''}`

const lockedUntil = (db: Db, account: string, address: string, now: number) =>
  db
    .select({ until: signInLocks.until })
    .from(signInLocks)
    .where(and(eq(signInLocks.account, account), eq(signInLocks.address, address), gt(signInLocks.until, now)))
    .get()?.until

const failuresSince = (db: Db, account: string, address: string | undefined, since: number) =>
  db
    .select({ n: count() })
    .from(signInFailures)
    .where(
      and(
        eq(signInFailures.account, account),
        gt(signInFailures.at, since),
        ...(address === undefined ? [] : [eq(signInFailures.address, address)]),
      ),
    )
    .get()?.n ?? 0

/**
 * What stands between this browser and a try: `lockTime` is whole minutes left, `lockSeconds` the same exactly. A browser that signed in before passes
 * the account-wide lock, so nobody can lock a person out of their own manager from elsewhere.
 */
export function lockState(db: Db, account: string, address: string, known: boolean, now: number): LockState {
  const place = placeOf(address, known)
  const until = lockedUntil(db, account, place, now) ?? (known ? undefined : lockedUntil(db, account, '*', now))
  if (until)
    return {
      lockStatus: 2,
      lockTime: Math.ceil((until - now) / 60_000),
      lockSeconds: Math.ceil((until - now) / 1000),
    }
  const failures = failuresSince(db, account, place, now - lockMs)
  if (failures === 0) return { lockStatus: 0, failures }
  return { lockStatus: 1, failures, remainCount: Math.max(0, limits.wrongPasswordsBeforeLock + 1 - failures) }
}

function lock(db: Db, account: string, address: string, now: number): void {
  const until = now + lockMs
  db.insert(signInLocks)
    .values({ account, address, until })
    .onConflictDoUpdate({ target: [signInLocks.account, signInLocks.address], set: { until } })
    .run()
}

/** Counts a wrong password: the fourth from one address (or /64) locks that, the 31st from anywhere the account, for 30 minutes. */
export function countFailure(db: Db, account: string, address: string, known: boolean, now: number): LockState {
  const place = placeOf(address, known)
  return db.transaction(tx => {
    const since = now - lockMs
    tx.delete(signInFailures).where(lt(signInFailures.at, since)).run()
    tx.delete(signInLocks).where(lt(signInLocks.until, now)).run()
    tx.insert(signInFailures).values({ account, address: place, at: now }).run()
    if (failuresSince(tx, account, place, since) > limits.wrongPasswordsBeforeLock) lock(tx, account, place, now)
    if (
      failuresSince(tx, account, undefined, since) > limits.accountWideFailures &&
      !lockedUntil(tx, account, '*', now)
    )
      lock(tx, account, '*', now)
    return lockState(tx, account, address, known, now)
  })
}

/** A right password forgets this address's failures. */
export function forgetFailures(db: Db, account: string, address: string): void {
  const places = [true, false].map(known => placeOf(address, known))
  db.delete(signInFailures)
    .where(and(eq(signInFailures.account, account), inArray(signInFailures.address, places)))
    .run()
}

/** Opens an account for everybody again (`lanward unlock`). */
export function unlock(db: Db, account: string): void {
  db.delete(signInFailures).where(eq(signInFailures.account, account)).run()
  db.delete(signInLocks).where(eq(signInLocks.account, account)).run()
}
