import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { accountTokens } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'
import { sha256 } from '@/server/kernel/secrets'

/** What a link or code is good for: one purpose each, so that none opens another's door. */
export type TokenPurpose = 'activation' | 'resetPassword' | 'email' | 'mfa'
export type Taken = { account: number; data: Record<string, unknown> }
type Issue = {
  account: number
  purpose: TokenPurpose
  seconds: number
  /** Handed back when the token is used; no secrets, it is stored as it is. */
  data?: Record<string, unknown>
  now?: number
}

function store(tx: Db, digest: string, { account, purpose, seconds, data = {}, now = Date.now() }: Issue): void {
  tx.delete(accountTokens).where(lte(accountTokens.expiresAt, now)).run()
  const values = { digest, data: JSON.stringify(data), wrongTries: 0, expiresAt: now + seconds * 1000 }
  tx.insert(accountTokens)
    .values({ account, purpose, ...values })
    .onConflictDoUpdate({ target: [accountTokens.account, accountTokens.purpose], set: values })
    .run()
}

/** A token for a link, given this once in clear (43 characters); an earlier one of the purpose is worth nothing from now on. */
export function issueToken(tx: Db, issue: Issue): string {
  const token = randomBytes(32).toString('base64url')
  store(tx, sha256(token), issue)
  return token
}

const rowOf = (db: Db, { token, purpose, now }: { token: string; purpose: TokenPurpose; now: number }) =>
  db
    .select()
    .from(accountTokens)
    .where(
      and(
        eq(accountTokens.digest, sha256(token)),
        eq(accountTokens.purpose, purpose),
        gt(accountTokens.expiresAt, now),
      ),
    )
    .get()

/** Whose token this is, which it goes on being: to say early that a link is no good. */
export function findToken(db: Db, wanted: { token: string; purpose: TokenPurpose; now: number }): Taken | undefined {
  const row = rowOf(db, wanted)
  return row && { account: row.account, data: JSON.parse(row.data) as Taken['data'] }
}

/** Ends a token and says whose it was; undefined for one that is unknown, used, run out or for something else. */
export function takeToken(tx: Db, wanted: { token: string; purpose: TokenPurpose; now: number }): Taken | undefined {
  const found = findToken(tx, wanted)
  if (found) endTokens(tx, found.account, wanted.purpose)
  return found
}

/** Takes back what was issued for a purpose. */
export function endTokens(tx: Db, account: number, purpose: TokenPurpose): void {
  tx.delete(accountTokens)
    .where(and(eq(accountTokens.account, account), eq(accountTokens.purpose, purpose)))
    .run()
}

// A plain digest of six digits is found by trying a million: this one needs the data folder's key.
const codeDigest = (runtime: Runtime, account: number, purpose: TokenPurpose, code: string) =>
  runtime.secrets.mac(`${account}:${purpose}:${code}`, 'account code')

/** A code that somebody was sent and has not used: what came with it, and when it runs out (unix ms). */
export function waitingCode(
  db: Db,
  { account, purpose, now }: { account: number; purpose: TokenPurpose; now: number },
): { data: Taken['data']; expiresAt: number } | undefined {
  const own = and(eq(accountTokens.account, account), eq(accountTokens.purpose, purpose))
  const row = db
    .select()
    .from(accountTokens)
    .where(and(own, gt(accountTokens.expiresAt, now)))
    .get()
  return row && { data: JSON.parse(row.data) as Taken['data'], expiresAt: row.expiresAt }
}

/** A code of six digits to type, instead of a link. */
export function issueCode(runtime: Runtime, tx: Db, issue: Issue): string {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  store(tx, codeDigest(runtime, issue.account, issue.purpose, code), issue)
  return code
}

type CodeTry = { account: number; purpose: TokenPurpose; code: string; now: number }

/**
 * Ends a code that is right and gives its data. Else how many tries are left: at 0 the code is worth nothing any more,
 * as it is when it ran out or was never issued.
 */
export function takeCode(
  runtime: Runtime,
  tx: Db,
  { account, purpose, code, now }: CodeTry,
): { data: Taken['data'] } | { left: number } {
  const mine = and(eq(accountTokens.account, account), eq(accountTokens.purpose, purpose))
  const row = tx.select().from(accountTokens).where(mine).get()
  if (!row || row.expiresAt <= now) return { left: 0 }
  const given = Buffer.from(codeDigest(runtime, account, purpose, code))
  if (timingSafeEqual(given, Buffer.from(row.digest))) {
    tx.delete(accountTokens).where(mine).run()
    return { data: JSON.parse(row.data) as Taken['data'] }
  }
  const left = limits.codeTries - row.wrongTries - 1
  if (left <= 0) tx.delete(accountTokens).where(mine).run()
  else
    tx.update(accountTokens)
      .set({ wrongTries: row.wrongTries + 1 })
      .where(mine)
      .run()
  return { left: Math.max(0, left) }
}
