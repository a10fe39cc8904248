import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { devices } from './devices'
import { networks } from './networks'

/** Where a person put a node of the drawing. */
export const topologyPlaces = sqliteTable(
  'topology_places',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** As the topology names it; the node may be gone meanwhile. */
    node: text().notNull(),
    x: integer().notNull(),
    y: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.node] })],
)

/** Links that a person knows of. */
export const topologyLinks = sqliteTable(
  'topology_links',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    upper: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    lower: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** It is the way of `lower` towards the gateway, whatever the devices tell. */
    uplink: integer({ mode: 'boolean' }).notNull(),
    /** Who said so, and when, Unix ms. */
    account: text().notNull(),
    at: integer().notNull(),
  },
  table => [uniqueIndex('topology_links_ends').on(table.network, table.upper, table.lower)],
)
