import { and, count, eq, gt, isNull, ne, or } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '@/db/client'
import { apiKeys, webhooks } from '@/db/schema'
import type { LogFields } from '@/server/kernel/changelog'
import type { Runtime } from '@/server/kernel/runtime'

// What acts in somebody's name without a session, so that a new password alone ends none of it.

/** How many API keys may still call, and how many webhooks are not turned off. */
export type Standing = { keys: number; webhooks: number }

const liveKeys = (account: number, now: number) =>
  and(eq(apiKeys.account, account), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))
const liveHooks = (account: number) => and(eq(webhooks.account, account), ne(webhooks.state, 'off'))

export const standingOf = (db: Db, account: number, now: number): Standing => ({
  keys: db.select({ n: count() }).from(apiKeys).where(liveKeys(account, now)).get()?.n ?? 0,
  webhooks: db.select({ n: count() }).from(webhooks).where(liveHooks(account)).get()?.n ?? 0,
})

/** Which of them end with the former password; without a word none does. */
export const endingFields = { endKeys: z.boolean().default(false), endWebhooks: z.boolean().default(false) }
export type Ending = { endKeys: boolean; endWebhooks: boolean }

/**
 * Lets the keys expire and turns the webhooks off, in the transaction that sets the password; both stay in their lists, so
 * that their owner sees what there was. Returns what changed, for the changelog.
 */
export function endStanding(db: Db, account: number, { endKeys, endWebhooks }: Ending, now: number): LogFields {
  const { keys, webhooks: hooks } = standingOf(db, account, now)
  if (endKeys) db.update(apiKeys).set({ expiresAt: now }).where(liveKeys(account, now)).run()
  if (endWebhooks) db.update(webhooks).set({ state: 'off' }).where(liveHooks(account)).run()
  return {
    ...(endKeys && keys > 0 && { apiKeys: [keys, 0] }),
    ...(endWebhooks && hooks > 0 && { webhooks: [hooks, 0] }),
  }
}

/** Open pages of the account's organization show it at once; keys are shown to their page's own changes alone. */
export function tellStanding({ bus }: Runtime, { organization }: { organization: number }, fields: LogFields): void {
  if (fields.webhooks) bus.emit({ topic: 'webhooks', organization })
}
