import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { feedbackKinds } from '../../model/feedback'

/** What people wrote to whoever looks after the manager, until a mail server has taken it (server/manager/feedback). */
export const feedback = sqliteTable('feedback', {
  /** The Message-ID's left part, too. */
  id: text().primaryKey(),
  /** Unix ms. */
  at: integer().notNull(),
  /** Who wrote it, as it was then: the account may be gone. */
  account: text().notNull(),
  name: text().notNull(),
  role: text().notNull(),
  /** The manager's. */
  version: text().notNull(),
  browser: text().notNull(),
  kind: text({ enum: feedbackKinds }).notNull(),
  text: text().notNull(),
  /** Where the person wants an answer; '' nowhere. */
  reply: text().notNull(),
  /** Why it was not sent at the last try. */
  error: text().notNull(),
})
