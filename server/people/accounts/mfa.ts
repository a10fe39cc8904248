import { randomInt } from 'node:crypto'
import { and, count, eq, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '@/db/client'
import { accounts, recoveryCodes } from '@/db/schema'
import { limits } from '@/model/limits'
import { isMfaCode, recoveryForm } from '@/model/mfa'
import { readGeneral } from '@/server/kernel/general'
import { qrOf } from '@/server/kernel/qr'
import type { Runtime } from '@/server/kernel/runtime'

export type Account = typeof accounts.$inferSelect

// What every authenticator program takes: RFC 6238 with SHA-1, six digits, steps of 30 seconds.
const stepSeconds = 30
const secretBytes = 20
const recoveryAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const placeOf = (account: { id: number }) => `accounts:${account.id}:mfa`

export const sealSecret = (runtime: Runtime, account: { id: number }, secret: string) =>
  runtime.secrets.seal(secret, placeOf(account))

export const newSecret = (): string => new Secret({ size: secretBytes }).base32

const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret), period: stepSeconds })

/** What an authenticator program is shown: the secret, its otpauth address, and that as a picture. */
export function shownSecret(runtime: Runtime, account: Account, secret: string) {
  const issuer = `Lanward ${readGeneral(runtime.db).name}`.replaceAll(':', ' ')
  const totp = new TOTP({ issuer, label: account.account, secret: Secret.fromBase32(secret), period: stepSeconds })
  const uri = totp.toString()
  return { secret, uri, qr: qrOf(uri) }
}

/** The time step that a code belongs to, one before or after now at most; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  if (!isMfaCode(code)) return undefined
  const delta = totpOf(secret).validate({ token: code.trim(), timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta
}

/** Takes a code of an account's second factor; false for a wrong one and for one of a step that was used already. */
export function takeCode(runtime: Runtime, account: Account, code: string, now: number): boolean {
  if (!account.mfa) return false
  const step = stepOf(runtime.secrets.open(account.mfa, placeOf(account)), code, now)
  if (step === undefined) return false
  const own = and(eq(accounts.id, account.id), lt(accounts.mfaStep, step))
  return runtime.db.update(accounts).set({ mfaStep: step }).where(own).run().changes === 1
}

/** The secret that was shown and not confirmed yet. */
export const pendingSecret = (runtime: Runtime, account: Account): string | undefined =>
  account.mfaPending ? runtime.secrets.open(account.mfaPending, placeOf(account)) : undefined

const digestOf = (runtime: Runtime, account: { id: number }, code: string) =>
  runtime.secrets.mac(`${account.id}:${recoveryForm(code)}`, 'recovery')

/** Uses a recovery code up; false when it is none. */
export function takeRecoveryCode(runtime: Runtime, account: { id: number }, code: string): boolean {
  const own = and(eq(recoveryCodes.account, account.id), eq(recoveryCodes.digest, digestOf(runtime, account, code)))
  return runtime.db.delete(recoveryCodes).where(own).run().changes === 1
}

function newRecoveryCode(): string {
  const letters = Array.from({ length: 10 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

/** Ten new recovery codes in clear, in place of those that were. Only their digests are kept. */
export function renewRecoveryCodes(runtime: Runtime, tx: Db, account: { id: number }): string[] {
  const codes = new Set<string>()
  while (codes.size < limits.recoveryCodes) codes.add(newRecoveryCode())
  tx.delete(recoveryCodes).where(eq(recoveryCodes.account, account.id)).run()
  for (const code of codes)
    tx.insert(recoveryCodes)
      .values({ account: account.id, digest: digestOf(runtime, account, code) })
      .run()
  return [...codes]
}

export const recoveryLeft = (db: Db, account: { id: number }): number =>
  db.select({ n: count() }).from(recoveryCodes).where(eq(recoveryCodes.account, account.id)).get()?.n ?? 0

/** Takes an account's second factor away, with all that belonged to it. */
export function removeMfa(db: Db, account: { id: number }): void {
  db.update(accounts).set({ mfa: null, mfaPending: null, mfaSince: null }).where(eq(accounts.id, account.id)).run()
  db.delete(recoveryCodes).where(eq(recoveryCodes.account, account.id)).run()
}
