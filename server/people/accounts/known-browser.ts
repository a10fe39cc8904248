import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { knownBrowsers } from '@/db/schema'
import type { BaseContext } from '@/server/kernel/call'
import { sha256 } from '@/server/kernel/secrets'

const browserCookie = 'lanward.browser'
const browserSeconds = 365 * 86_400

/** A browser is known to an account by a random cookie whose digest was stored at an earlier sign-in. */
export function isKnown(context: BaseContext, account: { id: number } | undefined): boolean {
  const cookie = context.cookie(browserCookie)
  if (!cookie || !account) return false
  return !!context.runtime.db
    .select()
    .from(knownBrowsers)
    .where(and(eq(knownBrowsers.id, sha256(cookie)), eq(knownBrowsers.account, account.id)))
    .get()
}

/** Gives the browser a new value at every sign-in: one that somebody else put or saw there is worth nothing to them. */
export function rememberBrowser(context: BaseContext, account: { id: number }): void {
  const { db } = context.runtime
  const former = context.cookie(browserCookie)
  const cookie = randomBytes(24).toString('base64url')
  // A browser that several people use is known to the last of them.
  if (former)
    db.delete(knownBrowsers)
      .where(eq(knownBrowsers.id, sha256(former)))
      .run()
  db.insert(knownBrowsers)
    .values({ id: sha256(cookie), account: account.id, seenAt: context.now })
    .run()
  context.setCookie(browserCookie, cookie, { maxAgeSeconds: browserSeconds })
}
