import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts'

/** Keys by which scripts call in somebody's name (server/developer-api/keys.ts). They go with their account. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the key: a stolen database opens nothing. `prefix`: its first characters, to know it again by. */
    digest: text().notNull(),
    prefix: text().notNull(),
    /** JSON list of names of model/authority.ts. */
    authorities: text().notNull(),
    /** JSON list of networks; null: all that its account enters. */
    networks: text(),
    createdAt: integer('created_at').notNull(),
    /** Null: never. */
    expiresAt: integer('expires_at'),
    /** Last use; 0: none yet. */
    usedAt: integer('used_at').notNull().default(0),
    usedFrom: text('used_from').notNull().default(''),
  },
  table => [
    uniqueIndex('api_keys_digest').on(table.digest),
    uniqueIndex('api_keys_name').on(table.account, table.name),
  ],
)
