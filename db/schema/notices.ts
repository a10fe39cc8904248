import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { alerts } from './devices'
import { networks } from './networks'

/** Services that an organization's alerts are told to (server/notify/targets). */
export const noticeTargets = sqliteTable(
  'notice_targets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** JSON of model/notify/target.ts, its secrets sealed. */
    data: text().notNull(),
    /** JSON list of networks; null: all of the organization, and those shared with it. */
    networks: text(),
    /** Place in the order of telling of the newest alert that it was told of, or need not be. */
    told: integer().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('notice_targets_name').on(table.organization, table.name)],
)

/** What is told to them: a queue, and what came of the last ones. */
export const noticeDeliveries = sqliteTable(
  'notice_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    target: integer()
      .notNull()
      .references(() => noticeTargets.id, { onDelete: 'cascade' }),
    /** Names it for services that know one that comes twice. */
    message: text().notNull(),
    /** JSON of what is told (server/notify/targets/compose.ts). */
    body: text().notNull(),
    state: text({ enum: ['waiting', 'sending', 'done', 'failed'] }).notNull(),
    tries: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
    nextAt: integer('next_at').notNull(),
    /** Of the last try: when it ended (0: none yet), HTTP status (0: no answer), what was wrong, the service's own words. */
    triedAt: integer('tried_at').notNull().default(0),
    code: integer().notNull().default(0),
    error: text().notNull().default(''),
    answer: text().notNull().default(''),
  },
  table => [
    index('notice_deliveries_due').on(table.state, table.nextAt),
    index('notice_deliveries_target').on(table.target, table.id),
  ],
)

/** Times in which nobody is told of alerts of a network, or of some of its devices (server/notify/alerts/maintenance.ts). */
export const maintenanceWindows = sqliteTable(
  'maintenance_windows',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** JSON of model/notify/maintenance.ts. */
    data: text().notNull(),
    /** JSON list of devices; null: the whole network. */
    devices: text(),
    createdBy: text('created_by').notNull(),
  },
  table => [uniqueIndex('maintenance_windows_name').on(table.network, table.name)],
)

/** Alerts that wait for the end of quiet hours, for each who is told of them then. */
export const heldNotices = sqliteTable(
  'held_notices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Null: by mail. */
    target: integer().references(() => noticeTargets.id, { onDelete: 'cascade' }),
    alert: integer()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** When it is told, unix ms. */
    until: integer().notNull(),
  },
  table => [
    index('held_notices_alert').on(table.alert),
    index('held_notices_until').on(table.organization, table.target, table.until),
  ],
)
