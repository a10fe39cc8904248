import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts'

/** Keys by which scripts call in somebody's name (server/people/keys/keys.ts). They go with their account. */
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

/** Addresses that are told what happens, in somebody's name (server/notify/webhooks). They go with their account. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    url: text().notNull(),
    /** Sealed: by it each delivery is signed. */
    secret: text().notNull(),
    /** JSON list of names of model/webhooks.ts. */
    topics: text().notNull(),
    /** Alerts at least as grave: 5 emergency, 10 warning, 15 notice. */
    level: integer().notNull(),
    /** JSON list of networks; null: all that its account enters. */
    networks: text(),
    /** `paused` by the manager, after many failures. */
    state: text({ enum: ['on', 'off', 'paused'] }).notNull(),
    /** Deliveries given up since the last that arrived. */
    failures: integer().notNull().default(0),
    /** Number of the newest entry of the changelog that it was told of, or need not be. */
    logged: integer().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('webhooks_name').on(table.account, table.name)],
)

/** What webhooks are told: a queue, and a log of what came of it. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    webhook: integer()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** Stands in the body: one that comes twice is known to be the same. */
    event: text().notNull(),
    topic: text().notNull(),
    type: text().notNull(),
    network: integer(),
    body: text().notNull(),
    state: text({ enum: ['waiting', 'sending', 'done', 'failed'] }).notNull(),
    tries: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    /** Of the last try: when it ended (0: none yet), how long it took, HTTP status (0: no answer), what was wrong, what came back. */
    triedAt: integer('tried_at').notNull().default(0),
    ms: integer().notNull().default(0),
    code: integer().notNull().default(0),
    error: text().notNull().default(''),
    answer: text().notNull().default(''),
  },
  table => [
    index('webhook_deliveries_due').on(table.state, table.nextAt),
    index('webhook_deliveries_webhook').on(table.webhook, table.id),
  ],
)
