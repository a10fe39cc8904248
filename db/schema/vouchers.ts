import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { networks } from './networks'

/** Vouchers that were made with the same terms (model/guests/voucher.ts). */
export const voucherGroups = sqliteTable(
  'voucher_groups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** How long each lets in. */
    seconds: integer().notNull(),
    validityDays: integer('validity_days').notNull(),
    /** 0: any number. */
    maxDevices: integer('max_devices').notNull(),
    /** Null here and below: no limit. */
    byteLimitMb: integer('byte_limit_mb'),
    bytesPer: text('bytes_per', { enum: ['voucher', 'device'] }).notNull(),
    downloadKbps: integer('download_kbps'),
    uploadKbps: integer('upload_kbps'),
    /** 0: never. */
    resetDays: integer('reset_days').notNull(),
    resetHour: integer('reset_hour').notNull(),
    notes: text().notNull(),
    /** Offered at the front desk. */
    desk: integer({ mode: 'boolean' }).notNull().default(false),
    revision: integer().notNull().default(1),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  table => [uniqueIndex('voucher_groups_name').on(table.network, table.name)],
)

/** Times in unix ms. */
export const vouchers = sqliteTable(
  'vouchers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    group: integer('voucher_group')
      .notNull()
      .references(() => voucherGroups.id, { onDelete: 'cascade' }),
    /** Of network and code under the manager's key: whoever has the database alone can try no code with it. */
    digest: text().notNull(),
    /** The code, sealed: for whoever prints it. */
    code: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Made, or renewed; later where time was added that would not fit into its validity. */
    validFrom: integer('valid_from').notNull(),
    /** What was added to its group's time. */
    addedSeconds: integer('added_seconds').notNull().default(0),
    /** Of this one alone, kbit/s: null as its group, 0 no limit. */
    downloadKbps: integer('download_kbps'),
    uploadKbps: integer('upload_kbps'),
    firstUsedAt: integer('first_used_at'),
    usedSeconds: integer('used_seconds').notNull().default(0),
    usedBytes: integer('used_bytes').notNull().default(0),
    countedAt: integer('counted_at'),
    /** When somebody first joined a Wi-Fi network with it as key: its time runs on from then. Null: nobody did. */
    keySince: integer('key_since'),
    /** For whom the front desk made it, as the desk wrote it. */
    note: text().notNull().default(''),
  },
  table => [uniqueIndex('vouchers_digest').on(table.digest), index('vouchers_group').on(table.group, table.id)],
)

/** Devices that a voucher let in; they keep their place. */
export const voucherDevices = sqliteTable(
  'voucher_devices',
  {
    voucher: integer()
      .notNull()
      .references(() => vouchers.id, { onDelete: 'cascade' }),
    mac: text().notNull(),
    firstAt: integer('first_at').notNull(),
    usedBytes: integer('used_bytes').notNull().default(0),
    countedAt: integer('counted_at'),
  },
  table => [primaryKey({ columns: [table.voucher, table.mac] })],
)

/** What was pressed at the front desk, by the id that its browser gave: the same once more is not done again. */
export const deskActs = sqliteTable(
  'desk_acts',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    act: text().notNull(),
    /** Who pressed. */
    account: integer().notNull(),
    what: text({ enum: ['sell', 'extend', 'addTime', 'speed', 'free', 'mail', 'void'] }).notNull(),
    /** The voucher's number, which may be gone. */
    voucher: integer().notNull(),
    /** Unix ms. */
    at: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.act] }), index('desk_acts_at').on(table.network, table.at)],
)

/** How vouchers are printed (model/guests/voucher-template.ts). */
export const voucherTemplates = sqliteTable(
  'voucher_templates',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** JSON of all but the name. */
    data: text().notNull(),
    revision: integer().notNull().default(1),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('voucher_templates_name').on(table.network, table.name)],
)
