import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { networks } from './networks'

/** Networks whose people sign in at this manager's own RADIUS server. */
export const radiusNetworks = sqliteTable('radius_networks', {
  network: integer()
    .primaryKey()
    .references(() => networks.id, { onDelete: 'cascade' }),
  /** Unix ms. */
  since: integer().notNull(),
})

/** Who was in by this manager's own RADIUS server, as devices account for it (RFC 2866); times in unix ms. */
export const radiusSessions = sqliteTable(
  'radius_sessions',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** The device's address and what it calls the session. */
    key: text().notNull(),
    /** Settings document of the user, which may be gone; '': the device does not say. */
    user: text().notNull().default(''),
    name: text().notNull(),
    /** Lower case with colons; '': the device does not say. */
    mac: text().notNull().default(''),
    /** Address of the device that accounts, and what it calls the place: its own MAC address and the Wi-Fi network. */
    nas: text().notNull(),
    called: text().notNull().default(''),
    started: integer().notNull(),
    /** When the device told of it last. */
    seen: integer().notNull(),
    /** Null: is in, as far as is known. */
    ended: integer(),
    /** Received from and sent to the client. */
    inBytes: integer('in_bytes').notNull().default(0),
    outBytes: integer('out_bytes').notNull().default(0),
  },
  table => [
    uniqueIndex('radius_sessions_key').on(table.network, table.key),
    index('radius_sessions_started').on(table.network, table.started),
    index('radius_sessions_mac').on(table.network, table.mac, table.started),
  ],
)
