import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { networks } from './networks'

/** Each organization's own certificate authority: it signs what its networks need, and nobody else's. */
export const certificateAuthorities = sqliteTable('certificate_authorities', {
  organization: integer()
    .primaryKey()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  /** PEM. */
  certificate: text().notNull(),
  /** Sealed PKCS #8, PEM. */
  key: text().notNull(),
  /** Of the list of revoked certificates that is made next. */
  crlNumber: integer('crl_number').notNull().default(1),
})

/** What an authority signed. */
export const certificates = sqliteTable(
  'certificates',
  {
    id: text().primaryKey(),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Where it holds; null: it is the organization's, or its network is gone. */
    network: integer().references(() => networks.id, { onDelete: 'set null' }),
    name: text().notNull(),
    /** Who shows it: `server`, or `client`. */
    use: text({ enum: ['server', 'client'] }).notNull(),
    /** Lower-case hexadecimal digits, as the certificate has them. */
    serial: text().notNull(),
    /** PEM. */
    certificate: text().notNull(),
    /** Sealed PKCS #8, PEM. */
    key: text().notNull(),
    /** Unix ms. */
    validFrom: integer('valid_from').notNull(),
    validTo: integer('valid_to').notNull(),
    revokedAt: integer('revoked_at'),
  },
  table => [
    uniqueIndex('certificates_serial').on(table.organization, table.serial),
    index('certificates_network').on(table.network),
  ],
)
