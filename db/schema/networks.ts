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
    createdAt: integer('created_at').notNull(),
  },
  table => [
    uniqueIndex('device_groups_name').on(table.network, table.name),
    index('device_groups_parent').on(table.parent),
  ],
)
