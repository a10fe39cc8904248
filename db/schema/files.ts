import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { networks } from './networks'

/** What lies in the generation's folder `files`, each under its id (server/kernel/files). */
export const files = sqliteTable(
  'files',
  {
    id: text().primaryKey(),
    /** What has it, and which one of these: `feedback` and its id. */
    kind: text().notNull(),
    owner: text().notNull(),
    /** Null here and below: it is the manager's own. */
    organization: integer().references(() => organizations.id, { onDelete: 'cascade' }),
    network: integer().references(() => networks.id, { onDelete: 'cascade' }),
    /** As people call it; it never is a path. */
    name: text().notNull(),
    /** Media type. */
    type: text().notNull(),
    bytes: integer().notNull(),
    /** Hex. */
    sha256: text().notNull(),
    /** Unix ms. */
    createdAt: integer('created_at').notNull(),
  },
  table => [
    index('files_owner').on(table.kind, table.owner),
    index('files_network').on(table.network),
    index('files_organization').on(table.organization),
  ],
)
