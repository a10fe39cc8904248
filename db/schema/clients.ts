import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { networks } from './networks'

/** End devices that a network has seen. Who is connected, and how, the device worker knows; this outlives the connection. */
export const clients = sqliteTable(
  'clients',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** Lower case with colons. */
    mac: text().notNull(),
    /** Given by a person; '': as it calls itself (`hostname`). */
    name: text().notNull().default(''),
    note: text().notNull().default(''),
    hostname: text().notNull().default(''),
    /** Whose number the MAC is; '': nobody's that is known. */
    vendor: text().notNull().default(''),
    address: text().notNull().default(''),
    /** Chosen by a person; '': by what it likely is. */
    icon: text().notNull().default(''),
    /** People are told when it comes and goes. */
    watched: integer({ mode: 'boolean' }).notNull().default(false),
    online: integer({ mode: 'boolean' }).notNull(),
    /** Unix ms. `seenAt`: of one that is connected, when it came to its place. */
    firstSeenAt: integer('first_seen_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    wifi: integer({ mode: 'boolean' }).notNull(),
    /** Where it is, or was last. The device may be forgotten meanwhile. */
    device: integer(),
    port: text(),
    ssid: text(),
    /** `2g`, `5g` or `6g`. */
    band: text(),
    vlan: integer(),
  },
  table => [
    uniqueIndex('clients_mac').on(table.network, table.mac),
    index('clients_seen').on(table.network, table.online, table.seenAt),
  ],
)

/** A client's way through the network: where it came, moved and left, and what was done with it. */
export const clientEvents = sqliteTable(
  'client_events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    mac: text().notNull(),
    at: integer().notNull(),
    what: text({
      enum: [
        'joined',
        'moved',
        'takesTurns',
        'left',
        'address',
        'released',
        'kicked',
        'blocked',
        'unblocked',
        'timeUp',
        'blockEnded',
      ],
    }).notNull(),
    device: integer(),
    port: text(),
    ssid: text(),
    band: text(),
    /** What it has from now on, or had released; `former`: what it had before. */
    address: text(),
    former: text(),
  },
  table => [index('client_events_mac').on(table.network, table.mac, table.at)],
)

/** How long clients were connected of what a time policy allows (server/devices/clients/time-policies.ts). */
export const clientTimes = sqliteTable(
  'client_times',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** The settings document; it may be gone, and what it blocked is not released yet. */
    policy: text().notNull(),
    mac: text().notNull(),
    usedMs: integer('used_ms').notNull(),
    /** Unix ms: when it was last counted; what was counted before the last reset is used no more. */
    countedAt: integer('counted_at').notNull(),
    /** Until when it is blocked for that, as the block list says it; '': for good; null: it is not. */
    block: text(),
  },
  table => [primaryKey({ columns: [table.network, table.policy, table.mac] })],
)
