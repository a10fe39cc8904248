import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const organizations = sqliteTable('organizations', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const accounts = sqliteTable(
  'accounts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    /** Sign-in name, compared without case. */
    account: text().notNull(),
    username: text().notNull(),
    email: text(),
    role: text().notNull(),
    /** argon2id over the hex SHA-256 that the browser sends. */
    password: text().notNull(),
    passwordChangedAt: integer('password_changed_at').notNull(),
    state: text({ enum: ['inactivated', 'active', 'disabled'] }).notNull(),
    /** 1 = main account (specification section 3). */
    register: integer().notNull().default(0),
    locale: text(),
    timezone: text(),
    dateFormat: text('date_format').notNull().default('yyyy-MM-dd'),
    hours: integer().notNull().default(24),
    /** 0 follow system, 1 light, 2 dark, 3 white. */
    appearance: integer().notNull().default(0),
    guideStep: integer('guide_step').notNull().default(0),
    /** Enters every network, also those made later; else those of `account_networks`. */
    allNetworks: integer('all_networks', { mode: 'boolean' }).notNull().default(false),
    /** The account that made this one; 0: none, or none any more. */
    createdBy: integer('created_by').notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('accounts_account').on(table.account)],
)

/** Roles that an organization made itself; `accounts.role` names one as `custom:<id>`. */
export const roles = sqliteTable(
  'roles',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    /** JSON list of names of model/authority.ts. */
    authorities: text().notNull(),
    createdAt: integer('created_at').notNull(),
    changedAt: integer('changed_at').notNull(),
  },
  table => [uniqueIndex('roles_name').on(table.organization, table.name)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the identifier in the cookie: a stolen database opens no session. */
    id: text().primaryKey(),
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The network whose pages this browser shows. */
    network: integer(),
    createdAt: integer('created_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    address: text().notNull(),
    agent: text().notNull(),
  },
  table => [index('sessions_account').on(table.account)],
)

/** Failed sign-ins, per account name (also of accounts that do not exist) and source address. */
export const signInFailures = sqliteTable(
  'sign_in_failures',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: text().notNull(),
    address: text().notNull(),
    at: integer().notNull(),
  },
  table => [index('sign_in_failures_account').on(table.account, table.at)],
)

export const signInLocks = sqliteTable(
  'sign_in_locks',
  {
    account: text().notNull(),
    /** Source address, or '*' for the whole account. */
    address: text().notNull(),
    until: integer().notNull(),
  },
  table => [uniqueIndex('sign_in_locks_key').on(table.account, table.address)],
)

/** Browsers that signed in before: they pass an account-wide lock. */
export const knownBrowsers = sqliteTable('known_browsers', {
  id: text().primaryKey(),
  account: integer()
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  seenAt: integer('seen_at').notNull(),
})
