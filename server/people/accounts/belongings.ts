import { ne } from 'drizzle-orm'
import {
  accounts,
  accountTokens,
  knownBrowsers,
  recoveryCodes,
  sessions,
  signInFailures,
  signInLocks,
} from '@/db/schema'
import type { Belonging } from '@/server/kernel/belonging'

export const accountBelongings: readonly Belonging[] = [
  { table: accounts, organization: { of: accounts.organization, deleted: 'before' } },
  {
    table: sessions,
    network: { of: sessions.network, deleted: 'stays' },
    restored: db => void db.delete(sessions).run(),
  },
  { table: signInFailures },
  { table: signInLocks },
  { table: knownBrowsers },
  { table: recoveryCodes },
  {
    table: accountTokens,
    // Links and codes were used since. An invitation that was not followed then waits again.
    restored: db => void db.delete(accountTokens).where(ne(accountTokens.purpose, 'activation')).run(),
  },
]
