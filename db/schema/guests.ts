import { sql } from 'drizzle-orm'
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { mediaSortNames } from '../../model/guests/media'
import { organizations } from './accounts'
import { devices } from './devices'
import { networks } from './networks'
import { documents } from './settings'

/** Who came in as a guest, is in, or tried to; times in unix ms. */
export const guests = sqliteTable(
  'guests',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** The gateway that told of the guest last; null: none did, or it was removed. */
    device: integer().references(() => devices.id, { onDelete: 'set null' }),
    /** The LAN network's settings document, and its name then. */
    lan: text().notNull(),
    lanName: text('lan_name').notNull(),
    mac: text().notNull(),
    address: text().notNull().default(''),
    /** model/guests/methods.ts. */
    method: integer().notNull(),
    /** The voucher's number, which may be gone; `label`: its group's name, or by which name or address the guest came in. */
    voucher: integer(),
    label: text().notNull().default(''),
    /** JSON of model/guests/questions.ts: what the guest answered to the portal's questions. */
    answers: text().notNull().default('[]'),
    /** So many days after the end, answers and whoever `label` names are forgotten. */
    keepDays: integer('keep_days').notNull().default(30),
    /** In for a moment, to read the letter with the code. */
    provisional: integer({ mode: 'boolean' }).notNull().default(false),
    /** Digest of what the guest's browser keeps; null: it was given nothing. */
    token: text(),
    started: integer().notNull(),
    /** When the time is up. */
    ends: integer().notNull(),
    idleSeconds: integer('idle_seconds').notNull(),
    /** Null here and below: no limit. */
    byteLimit: integer('byte_limit'),
    downloadKbps: integer('download_kbps'),
    uploadKbps: integer('upload_kbps'),
    /** Both directions. */
    bytes: integer().notNull().default(0),
    /** What each gateway said last, JSON: device → bytes since it let the guest in. */
    readings: text().notNull().default('{}'),
    /** Last traffic that a gateway told of. */
    activeAt: integer('active_at').notNull(),
    /** Until when time was counted on the voucher. */
    countedAt: integer('counted_at').notNull(),
    /** 0 expired, 1 succeeded, 2 failed (specification section 9). */
    state: integer().notNull(),
    /** Null: is in. */
    ended: integer(),
    /** Key in locales/en/guests.json; empty while in. */
    why: text().notNull().default(''),
  },
  table => [
    index('guests_network').on(table.network, table.started),
    uniqueIndex('guests_in').on(table.network, table.mac).where(sql`${table.ended} is null`),
    uniqueIndex('guests_token').on(table.token),
  ],
)

/** What a device used in a day without a voucher, by way in; `day`: when it began by the network's clock, unix ms. */
export const guestUse = sqliteTable(
  'guest_use',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    mac: text().notNull(),
    day: integer().notNull(),
    /** model/guests/methods.ts. */
    method: integer().notNull(),
    /** In all together, ms. */
    ms: integer().notNull(),
    /** Both directions. */
    bytes: integer().notNull(),
  },
  table => [
    primaryKey({ columns: [table.network, table.mac, table.day, table.method] }),
    index('guest_use_day').on(table.day),
  ],
)

/** Sessions that a RADIUS server is told of, until it noted their end; they outlive a guest's record that is forgotten. */
export const guestAccounts = sqliteTable(
  'guest_accounts',
  {
    guest: integer().primaryKey(),
    organization: integer().notNull(),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** The settings document of its profile. */
    radius: text().notNull(),
    /** Acct-Session-Id. */
    session: text().notNull(),
    name: text().notNull(),
    /** JSON: Class attributes of the acceptance, base64. */
    classes: text().notNull(),
    /** As they were when the session ended; while it lasts the guest's own row counts. */
    mac: text().notNull(),
    address: text().notNull(),
    bytes: integer().notNull().default(0),
    started: integer().notNull(),
    /** When the server noted the start; null: it did not yet. */
    told: integer(),
    /** Null: goes on. `why` as the guest's own. */
    ended: integer(),
    why: text().notNull().default(''),
    /** Reports in a row that nobody answered. */
    tries: integer().notNull().default(0),
    dueAt: integer('due_at').notNull(),
  },
  table => [index('guest_accounts_due').on(table.dueAt)],
)

/** Since when the password that all guests of a portal share is this one, where its days are counted. */
export const portalPasswords = sqliteTable('portal_passwords', {
  /** The settings document. */
  portal: text()
    .primaryKey()
    .references(() => documents.id, { onDelete: 'cascade' }),
  /** Keyed. */
  digest: text().notNull(),
  /** Unix ms. */
  since: integer().notNull(),
  /** That it is valid no longer. */
  told: integer({ mode: 'boolean' }).notNull().default(false),
})

/** Devices that were asked how they want to come in, today and yesterday. */
export const portalVisits = sqliteTable(
  'portal_visits',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    mac: text().notNull(),
    /** The last time, unix ms. */
    at: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.mac] }), index('portal_visits_at').on(table.network, table.at)],
)

/** Devices that the portal of a network lets in by no means. */
export const guestBlocks = sqliteTable(
  'guest_blocks',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    mac: text().notNull(),
    /** Unix ms, as `at`; null: until somebody releases it. */
    until: integer(),
    note: text().notNull().default(''),
    at: integer().notNull(),
    /** The account that blocked it last. */
    by: text().notNull(),
  },
  table => [primaryKey({ columns: [table.network, table.mac] })],
)

/**
 * Pictures, videos and own pages of portals (model/guests/media.ts). Splash pages name them, also those of a network that was
 * copied from another: so they hang on no network, and go when none names them any more.
 */
export const portalFiles = sqliteTable(
  'portal_files',
  {
    id: text().primaryKey(),
    /** Where it was sent to, whose room it takes. */
    network: integer().notNull(),
    sort: text({ enum: mediaSortNames }).notNull(),
    /** As it was called. */
    name: text().notNull(),
    type: text().notNull(),
    /** With what it unpacks to. */
    bytes: integer().notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
    /** Unix ms. */
    createdAt: integer('created_at').notNull(),
    /** Since when no splash page names it, unix ms, as it was last looked at; null: one does. */
    unusedSince: integer('unused_since'),
  },
  table => [index('portal_files_network').on(table.network)],
)

/** What an own page consists of. */
export const portalPageFiles = sqliteTable(
  'portal_page_files',
  {
    file: text()
      .notNull()
      .references(() => portalFiles.id, { onDelete: 'cascade' }),
    /** Below the page's own folder, `css/house.css`. */
    path: text().notNull(),
    type: text().notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
  },
  table => [primaryKey({ columns: [table.file, table.path] })],
)

/** How often advertisements of a splash page were shown in a day (UTC), and watched to their end. */
export const adViews = sqliteTable(
  'ad_views',
  {
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    splash: text().notNull(),
    /** Unix ms of its beginning. */
    day: integer().notNull(),
    shown: integer().notNull().default(0),
    watched: integer().notNull().default(0),
  },
  table => [primaryKey({ columns: [table.network, table.splash, table.day] })],
)
