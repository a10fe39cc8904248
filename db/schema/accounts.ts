import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const organizations = sqliteTable('organizations', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  address: text().notNull().default(''),
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
    company: text().notNull().default(''),
    address: text().notNull().default(''),
    /** Of `accountTypes` (model/users.ts); '' where nobody said. */
    type: text().notNull().default(''),
    lastSignInAt: integer('last_sign_in_at'),
    /** When the last invitation was made, 0 for an account that needed none; SHA-256 of its link's token. */
    invitedAt: integer('invited_at').notNull().default(0),
    invitation: text(),
    createdAt: integer('created_at').notNull(),
    /** Who says who this is: the password kept here, the organization's identity provider, or its directory. */
    source: text({ enum: ['local', 'saml', 'ldap'] })
      .notNull()
      .default('local'),
    /** Whom the identity provider or directory means, whatever the person is called now. */
    subject: text(),
    /** Sealed secret of the second factor; `mfaPending` is one that was shown but not confirmed by a code yet. */
    mfa: text(),
    mfaPending: text('mfa_pending'),
    mfaSince: integer('mfa_since'),
    /** Time step of the last code that was accepted: none is taken twice. */
    mfaStep: integer('mfa_step').notNull().default(0),
    /** Own session time-out in minutes, where the manager leaves that to each. */
    sessionTimeout: integer('session_timeout'),
  },
  table => [
    uniqueIndex('accounts_account').on(table.account),
    index('accounts_invitation').on(table.invitation),
    uniqueIndex('accounts_subject').on(table.organization, table.subject),
  ],
)

/** Two organizations that know of each other, the lower number first; neither is told of others. */
export const associations = sqliteTable(
  'associations',
  {
    one: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    other: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  table => [primaryKey({ columns: [table.one, table.other] })],
)

/** Who asks for an account: nobody until an administrator says so (server/people/users/sign-ups.ts). */
export const signUps = sqliteTable(
  'sign_ups',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The wished name to sign in with: an account of this name may exist. */
    account: text().notNull(),
    username: text().notNull(),
    /** In small letters. */
    email: text().notNull(),
    company: text().notNull(),
    locale: text().notNull(),
    /** As in `accounts`; set once the letter's link proved the address. */
    password: text(),
    /** SHA-256 of that link's token. */
    link: text().notNull(),
    sentAt: integer('sent_at').notNull(),
    /** When the address was proven, 0: not yet. */
    provenAt: integer('proven_at').notNull().default(0),
  },
  table => [uniqueIndex('sign_ups_email').on(table.email), index('sign_ups_link').on(table.link)],
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
    /** The notice about an old password was put off until the next sign-in. */
    noticeOff: integer('notice_off', { mode: 'boolean' }).notNull().default(false),
    /** Of a sign-in by an identity provider: what it needs to end its own session, sealed. */
    sso: text(),
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
    /** Where from (server/people/accounts/lock.ts), or '*' for the whole account. */
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

/** What signs in once in place of a code of the second factor, as keyed digests; deleted when used. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    account: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    digest: text().notNull(),
  },
  table => [uniqueIndex('recovery_codes_key').on(table.account, table.digest)],
)

/** Addresses and segments from which an organization's people may come; none at all means from anywhere. */
export const ipWhitelist = sqliteTable(
  'ip_whitelist',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** In its normal form: `192.0.2.0/24`, `2001:db8::/32`. */
    ip: text().notNull(),
    remark: text().notNull().default(''),
    createdAt: integer('created_at').notNull(),
  },
  table => [uniqueIndex('ip_whitelist_key').on(table.organization, table.ip)],
)
