import { desc } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog } from '@/db/schema'
import type words from '@/locales/en/changelog.json'
import type { AnyKindId } from '@/model/registry'
import type { Secrets } from './secrets'

/** What was done, and to what: each has its words, or the changelog's page could not say it. A kind of setting brings its own. */
export type LogAction = keyof typeof words.actions
export type LogObject = keyof typeof words.objects | AnyKindId
/** What was before and what is now, by field; a settings document brings the fields of its kind. */
export type LogFields = Partial<Record<keyof typeof words.fields, [unknown, unknown]>>
/** A kind of setting as the changelog has it; its words are the kind's own. */
export const logged = ({ id }: { id: string }): LogObject => id as AnyKindId

export type LogEntry = {
  organization: number | null
  network: number | null
  at: number
  account: string
  address: string
  action: LogAction
  object: LogObject
  name: string
  /** {field: [before, after]}; secrets already masked by the caller. */
  fields: LogFields
  /** Id of the settings document it is about. */
  document?: string
  /** Secrets of that document as they were before, sealed as in its row. */
  kept?: Record<string, string>
}
export type LogRow = Omit<typeof changelog.$inferSelect, 'id'>

/** The exact bytes an entry's HMAC covers, with the one before it. Entries of earlier versions have no document. */
const canonical = (row: Omit<LogRow, 'mac'>, before: string) =>
  JSON.stringify([
    before,
    row.organization,
    row.network,
    row.at,
    row.account,
    row.address,
    row.action,
    row.object,
    row.name,
    row.fields,
    ...(row.document === null && row.kept === null ? [] : [row.document, row.kept]),
  ])

/** What an entry's `mac` is after the one that is `before` ('' for the first). */
export const macOf = (secrets: Secrets, row: Omit<LogRow, 'mac'>, before: string): string =>
  secrets.mac(canonical(row, before), 'changelog')

/** Appends to the chain; call it in the transaction of the change itself. */
export function appendLog(db: Db, secrets: Secrets, { document, kept, ...entry }: LogEntry): void {
  const last = db.select({ mac: changelog.mac }).from(changelog).orderBy(desc(changelog.id)).limit(1).get()
  const row = {
    ...entry,
    fields: JSON.stringify(entry.fields),
    document: document ?? null,
    kept: kept && Object.keys(kept).length ? JSON.stringify(kept) : null,
  }
  db.insert(changelog)
    .values({ ...row, mac: macOf(secrets, row, last?.mac ?? '') })
    .run()
}
