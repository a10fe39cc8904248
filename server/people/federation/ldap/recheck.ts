import { and, eq, inArray, or } from 'drizzle-orm'
import { accounts, apiKeys, sessions } from '@/db/schema'
import { isRefusal } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import type { AccountRow } from '@/server/people/accounts/actor'
import { accountOf, withoutRights } from '../people'
import type { Directory } from './directory'
import { personOf } from './people'
import { openDirectory, somebody } from './sign-in'

/** Accounts of the directory that are in use: somebody is signed in, or a key acts for them. */
function inUse({ db }: Runtime): AccountRow[] {
  const signedIn = db.select({ of: sessions.account }).from(sessions)
  const keyed = db.select({ of: apiKeys.account }).from(apiKeys)
  const used = or(inArray(accounts.id, signedIn), inArray(accounts.id, keyed))
  return db
    .select()
    .from(accounts)
    .where(and(eq(accounts.source, 'ldap'), used))
    .all()
}

async function recheck(runtime: Runtime, directory: Directory | undefined, row: AccountRow): Promise<void> {
  const context = { runtime, now: Date.now(), address: '' }
  const person = directory && (await personOf(directory, row.account))
  if (person?.subject !== row.subject) return withoutRights(context, row)
  await accountOf(context, somebody(row.organization, person)).catch(error => {
    if (!isRefusal(error)) throw error
    withoutRights(context, row)
  })
}

/**
 * Reads again what the directory says of who is signed in by it, or has keys: who is gone, or has no group with a role, has
 * no rights from now on; with others than before, their sessions end. While the directory is down nothing changes.
 */
export async function recheckPeople(runtime: Runtime): Promise<void> {
  const directory = openDirectory(runtime)
  for (const row of inUse(runtime)) await recheck(runtime, directory, row)
}

/** How long somebody whom the directory lets go may stay. */
const everyMs = 600_000

export function startDirectory(runtime: Runtime): void {
  runtime.jobs.start({ id: 'directory', every: everyMs, run: recheckPeople })
}
