import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'

/** The identity provider by which an organization's people sign in. */
export const samlProviders = sqliteTable(
  'saml_providers',
  {
    organization: integer()
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** What people type on the sign-in page, in small letters. */
    identifier: text().notNull(),
    /** JSON of server/people/federation/saml/provider.ts. */
    data: text().notNull(),
    /** Sealed private key that signs what is asked of the provider, and its certificate. */
    key: text().notNull(),
    certificate: text().notNull(),
  },
  table => [uniqueIndex('saml_providers_identifier').on(table.identifier)],
)

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
