import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'

/** Which value that somebody's identity provider or directory tells of them gives which role; the first that fits counts. */
export const roleLines = sqliteTable(
  'role_lines',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    source: text({ enum: ['saml', 'ldap'] }).notNull(),
    value: text().notNull(),
    role: text().notNull(),
    allNetworks: integer('all_networks', { mode: 'boolean' }).notNull(),
    /** JSON list of ids; what is gone counts no more. */
    networks: text().notNull(),
  },
  table => [uniqueIndex('role_lines_value').on(table.organization, table.source, table.value)],
)
