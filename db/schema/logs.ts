import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { devices } from './devices'
import { networks } from './networks'

/** Times in which what devices log is received whatever the reception is set to (server/insight/logs/captures.ts). */
export const syslogCaptures = sqliteTable(
  'syslog_captures',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** Null: all devices of the network. */
    device: integer().references(() => devices.id, { onDelete: 'cascade' }),
    /** 0 to 7 (RFC 5424): lines at least so grave. */
    severity: integer().notNull(),
    startedAt: integer('started_at').notNull(),
    startedBy: text('started_by').notNull(),
    /** When it ends by itself, unix ms. */
    until: integer().notNull(),
    /** Null: it runs. */
    endedAt: integer('ended_at'),
    /** Lines that were kept for it. */
    lines: integer().notNull().default(0),
  },
  table => [index('syslog_captures_running').on(table.endedAt), index('syslog_captures_network').on(table.network)],
)
