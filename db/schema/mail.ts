import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts, organizations } from './accounts'

/** Letters on their way out (server/mail/queue.ts). A letter that was taken by the mail server has no row any more. */
export const mails = sqliteTable(
  'mails',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The Message-ID's left part: a letter that is sent twice after a crash is known to be the same one. */
    message: text().notNull().unique(),
    organization: integer().references(() => organizations.id, { onDelete: 'cascade' }),
    recipient: text().notNull(),
    locale: text().notNull(),
    template: text().notNull(),
    /** Sealed: links and codes stand in it. */
    values: text().notNull(),
    state: text({ enum: ['waiting', 'sending', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    /** What the server said to the last try. */
    error: text().notNull().default(''),
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [index('mails_due').on(table.state, table.nextAt)],
)

/** Links and codes that stand for a person: one of a purpose for an account, good once (server/people/accounts/tokens.ts). */
export const accountTokens = sqliteTable(
  'account_tokens',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: text().notNull(),
    /** SHA-256 of a link's token, a keyed digest of a code: neither can be read out of the database. */
    digest: text().notNull(),
    data: text().notNull(),
    wrongTries: integer('wrong_tries').notNull().default(0),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [
    uniqueIndex('account_tokens_purpose').on(table.account, table.purpose),
    index('account_tokens_digest').on(table.digest),
  ],
)
