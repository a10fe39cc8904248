import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { accounts, organizations } from './accounts'

export const networks = sqliteTable(
  'networks',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    country: text().notNull(),
    timezone: text().notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    position: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('networks_name').on(table.organization, table.name)],
)

/** Networks that an account enters, where it does not enter all. */
export const accountNetworks = sqliteTable(
  'account_networks',
  {
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.account, table.network] })],
)

export const tags = sqliteTable(
  'tags',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
  },
  table => [uniqueIndex('tags_name').on(table.organization, table.name)],
)

export const networkTags = sqliteTable(
  'network_tags',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    tag: integer()
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.network, table.tag] })],
)

/** Device groups, a tree. Parent null = root (-1 on the wire). */
export const groups = sqliteTable(
  'device_groups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    parent: integer().references((): AnySQLiteColumn => groups.id),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** Where devices of the network come that nobody put into a group; at most one of a network. */
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('device_groups_name').on(table.network, table.name),
    index('device_groups_parent').on(table.parent),
  ],
)

/** A network that an organization shares with another, or hands over to it: one row for the two of them. */
export const networkOffers = sqliteTable(
  'network_offers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** Who gets it. */
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['read', 'manage', 'transfer'] }).notNull(),
    /** One that is accepted is a share; a transfer that is accepted has no row any more. */
    accepted: integer({ mode: 'boolean' }).notNull().default(false),
    /** Accounts: who offers, and to whom it was offered. */
    by: text('by_account').notNull(),
    recipient: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('network_offers_key').on(table.network, table.organization),
    index('network_offers_organization').on(table.organization),
  ],
)
