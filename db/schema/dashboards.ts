import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from './accounts'
import { networks } from './networks'

/** How a person wants the dashboard of a network; without a row as it comes. */
export const dashboards = sqliteTable(
  'dashboards',
  {
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** JSON list of model/dashboard/tiles.ts, in order. */
    tiles: text().notNull(),
  },
  table => [primaryKey({ columns: [table.account, table.network] })],
)
