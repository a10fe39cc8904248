import { desc } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog } from '@/db/schema'
import type { Secrets } from './secrets'

export type LogEntry = {
  organization: number | null
  network: number | null
  at: number
  account: string
  address: string
  action: string
  object: string
  name: string
  /** {field: [before, after]}; secrets already masked by the caller. */
  fields: Record<string, [unknown, unknown]>
}

/** The exact bytes an entry's HMAC covers, with the one before it. */
const canonical = (entry: Omit<LogEntry, 'fields'> & { fields: string }, before: string) =>
  JSON.stringify([
    before,
    entry.organization,
    entry.network,
    entry.at,
    entry.account,
    entry.address,
    entry.action,
    entry.object,
    entry.name,
    entry.fields,
  ])

/** Appends to the chain; call it in the transaction of the change itself. */
export function appendLog(db: Db, secrets: Secrets, entry: LogEntry): void {
  const last = db.select({ mac: changelog.mac }).from(changelog).orderBy(desc(changelog.id)).limit(1).get()
  const row = { ...entry, fields: JSON.stringify(entry.fields) }
  db.insert(changelog)
    .values({ ...row, mac: secrets.mac(canonical(row, last?.mac ?? ''), 'changelog') })
    .run()
}
