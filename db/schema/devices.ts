import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { groups, networks } from './networks'

/** A login to devices. `secret` is sealed JSON (server/kernel/secrets.ts): server/drivers/driver.ts Credential. */
export const credentials = sqliteTable(
  'credentials',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    /** Shared by the devices of this group; null: by the whole network. */
    group: integer('device_group').references(() => groups.id, { onDelete: 'set null' }),
    name: text().notNull(),
    type: text({ enum: ['snmp1', 'snmp2c', 'snmp3', 'ssh'] }).notNull(),
    /** User name, or empty for communities: shown, searched. */
    user: text().notNull().default(''),
    secret: text().notNull(),
    createdAt: integer('created_at').notNull(),
    changedAt: integer('changed_at').notNull(),
  },
  table => [uniqueIndex('credentials_name').on(table.network, table.name)],
)

export const devices = sqliteTable(
  'devices',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer()
      .notNull()
      .references(() => networks.id),
    group: integer('device_group').references(() => groups.id, { onDelete: 'set null' }),
    /** Lower case with colons; empty until known. Unique where known: one device is managed once. */
    mac: text().notNull().default(''),
    name: text().notNull(),
    remarks: text().notNull().default(''),
    address: text().notNull(),
    port: integer().notNull(),
    driver: text().notNull(),
    credential: integer().references(() => credentials.id, { onDelete: 'set null' }),
    /** Pinned `SHA256:…`; empty for SNMP. */
    hostKey: text('host_key').notNull().default(''),
    kind: text({ enum: ['ap', 'switch', 'gateway', 'firewall', 'other'] }).notNull(),
    vendor: text().notNull().default(''),
    model: text().notNull().default(''),
    serial: text().notNull().default(''),
    firmware: text().notNull().default(''),
    partNumber: text('part_number').notNull().default(''),
    hardware: text().notNull().default(''),
    boot: text().notNull().default(''),
    /** Its IPv6 address; empty: it has none that others reach; null: it does not tell. */
    ipv6: text(),
    /** Facts of the last full reading, JSON (observation.ts Facts). */
    facts: text().notNull().default('{}'),
    /** 0 offline, 1 online, 2 unpaired, 3 paired (adopted, not yet answered a poll). */
    status: integer().notNull(),
    statusAt: integer('status_at').notNull(),
    /** Last answer of the device, unix ms; written when the state changes and once an hour. */
    seenAt: integer('seen_at'),
    /** Reason code of the last failure (driver.ts reasons), empty while it answers. */
    reason: text().notNull().default(''),
    /** Since when that is the reason, unix ms; null where nobody saw it begin. */
    reasonAt: integer('reason_at'),
    /** Standing warning: logged in without a password. */
    openLogin: integer('open_login', { mode: 'boolean' }).notNull().default(false),
    /** By band, the channel that its radio gets where settings say automatic (JSON); `{}`: none was chosen. */
    channels: text().notNull().default('{}'),
    createdAt: integer('created_at').notNull(),
  },
  table => [
    index('devices_network').on(table.network),
    index('devices_mac').on(table.mac),
    uniqueIndex('devices_address').on(table.network, table.address, table.port),
  ],
)

export const deviceEvents = sqliteTable(
  'device_events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    device: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    at: integer().notNull(),
    /** Key in locales/en/events.json. */
    code: text().notNull(),
    values: text().notNull().default('{}'),
  },
  table => [index('device_events_device').on(table.device, table.at)],
)

export const alerts = sqliteTable(
  'alerts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    network: integer().references(() => networks.id, { onDelete: 'cascade' }),
    device: integer().references(() => devices.id, { onDelete: 'set null' }),
    /** 5 emergency, 10 warning, 15 notice. */
    level: integer().notNull(),
    /** Key in locales/en/alerts.json. */
    type: text().notNull(),
    values: text().notNull().default('{}'),
    at: integer().notNull(),
    read: integer({ mode: 'boolean' }).notNull().default(false),
    /** Set when the matching recovery came. */
    recoveredAt: integer('recovered_at'),
    /** The alert that names the cause of this one: both are one incident, told once. */
    parent: integer().references((): AnySQLiteColumn => alerts.id, { onDelete: 'cascade' }),
    /** From when on people are told of it, if it is still open then; null: at once, or never. */
    tellAt: integer('tell_at'),
    /** Its place in the order of telling, from the counter that gives the ids; null: nobody was told. */
    told: integer(),
    /** When that was, unix ms; null also of those that an earlier version told. */
    toldAt: integer('told_at'),
    /** Name of the maintenance window that it was raised in, or that its telling fell into. */
    maintenance: text(),
    /** How often it came, where it came again soon after it had gone. */
    times: integer().notNull().default(1),
    acknowledgedAt: integer('acknowledged_at'),
    acknowledgedBy: text('acknowledged_by'),
    note: text().notNull().default(''),
  },
  table => [
    index('alerts_network').on(table.network, table.at),
    index('alerts_unread').on(table.organization, table.read),
    index('alerts_parent').on(table.parent),
    index('alerts_told').on(table.told),
    index('alerts_tell').on(table.tellAt),
    index('alerts_device').on(table.device, table.type),
  ],
)

/** Through which device a device is reached from the manager, as the wiring was when both answered. */
export const deviceParents = sqliteTable('device_parents', {
  device: integer()
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  parent: integer()
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' }),
  /** Of the parent, as it is printed there; null where it is not known. */
  port: text(),
  at: integer().notNull(),
})

/** What a network wants to be told of, as JSON of model/notify/alert-config.ts. */
export const alertConfigs = sqliteTable('alert_configs', {
  network: integer()
    .primaryKey()
    .references(() => networks.id, { onDelete: 'cascade' }),
  data: text().notNull(),
  revision: integer().notNull(),
})
