import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './accounts'
import { devices } from './devices'
import { networks } from './networks'

/** Settings of the manager itself: one row a key, JSON (server/kernel/settings.ts). */
export const settings = sqliteTable('settings', { key: text().primaryKey(), value: text().notNull() })

/** How an organization's alerts are told by mail (server/notify/alerts/notices.ts). */
export const notices = sqliteTable('notices', {
  organization: integer()
    .primaryKey()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  /** Sealed JSON. */
  sealed: text().notNull(),
  /** Number of the newest alert that letters told of, or need not tell of. */
  mailed: integer().notNull(),
})

export const documents = sqliteTable(
  'documents',
  {
    id: text().primaryKey(),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    scope: text({ enum: ['network', 'group', 'device'] }).notNull(),
    scopeId: integer('scope_id').notNull(),
    kind: text().notNull(),
    name: text().notNull(),
    data: text().notNull(),
    position: integer().notNull().default(0),
    revision: integer().notNull().default(1),
    createdAt: integer('created_at').notNull(),
    changedAt: integer('changed_at').notNull(),
    changedBy: text('changed_by').notNull(),
  },
  table => [
    uniqueIndex('documents_name').on(table.kind, table.scope, table.scopeId, table.name),
    index('documents_scope').on(table.scope, table.scopeId),
  ],
)

/** A document uses another. Deleting what is used is refused with its users' names. */
export const refs = sqliteTable(
  'refs',
  {
    from: text('from_document')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    field: text().notNull(),
    to: text('to_document').notNull(),
  },
  table => [primaryKey({ columns: [table.from, table.field, table.to] }), index('refs_to').on(table.to)],
)

/** Which devices get a list document: all of the network, groups (with what is below), or single ones. */
export const assignments = sqliteTable(
  'assignments',
  {
    document: text()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    target: text({ enum: ['all', 'group', 'device'] }).notNull(),
    targetId: integer('target_id').notNull().default(0),
  },
  table => [primaryKey({ columns: [table.document, table.target, table.targetId] })],
)

/** One push of a whole configuration to one device. `planned`, `seen`, `before` and `pending` are sealed. */
export const deployments = sqliteTable(
  'deployments',
  {
    id: text().primaryKey(),
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    device: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    state: text({
      enum: ['queued', 'pushing', 'confirming', 'applied', 'partial', 'reverted', 'failed', 'unknown'],
    }).notNull(),
    step: text().notNull().default(''),
    reason: text().notNull().default(''),
    detail: text().notNull().default(''),
    /** JSON: what the reason is about, for its words. */
    values: text().notNull().default('{}'),
    warnings: text().notNull().default('[]'),
    before: text().notNull().default(''),
    planned: text().notNull().default(''),
    seen: text().notNull().default(''),
    pending: text().notNull().default(''),
    /** Sealed: `planned` in short. */
    outline: text().notNull().default(''),
    /** JSON {document: revision} of what it was planned from; empty where that was not kept. */
    documents: text().notNull().default(''),
    /** The earlier push whose configuration this one sends; empty where settings were sent. */
    restores: text().notNull().default(''),
    /** JSON list of what the person agreed to: `drift`, `cut`. */
    accepts: text().notNull().default('[]'),
    confirmSeconds: integer('confirm_seconds').notNull().default(90),
    by: text('by_account').notNull(),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    armedAt: integer('armed_at'),
    endedAt: integer('ended_at'),
  },
  table => [
    index('deployments_device').on(table.device, table.createdAt),
    // The rows are long: what is asked of all of them is in the index.
    index('deployments_ended').on(table.device, table.state, table.endedAt),
  ],
)

/** Documents as they were when they were pushed, for the way back: `row` and `assign` are JSON, secrets sealed as in `documents`. */
export const pushedDocuments = sqliteTable(
  'pushed_documents',
  {
    document: text().notNull(),
    revision: integer().notNull(),
    network: integer()
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    row: text().notNull(),
    assign: text().notNull(),
  },
  table => [
    primaryKey({ columns: [table.document, table.revision] }),
    index('pushed_documents_network').on(table.network),
  ],
)

/** Parts of a device's own configuration that settings decide since a person imported them. */
export const importedItems = sqliteTable(
  'imported_items',
  {
    organization: integer()
      .notNull()
      .references(() => organizations.id),
    device: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** `UnmanagedItem.id` (server/drivers/unmanaged.ts). */
    item: text().notNull(),
    /** Sealed JSON {options: {option: former value, null where it was not set}, about}. */
    kept: text().notNull(),
    /** The list document that decides it; empty for singles. */
    document: text().notNull().default(''),
    /** JSON {kind: [field]}: what the import set of singles for this device, unset when it is released. */
    made: text().notNull().default('{}'),
    importedAt: integer('imported_at').notNull(),
    by: text('by_account').notNull(),
    /** Being released: a push that began later puts the former values and ends it. */
    releasedAt: integer('released_at'),
  },
  table => [primaryKey({ columns: [table.device, table.item] })],
)

/** Who changed what: an HMAC chain from the first row on (server/kernel/changelog.ts). */
export const changelog = sqliteTable(
  'changelog',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    organization: integer(),
    network: integer(),
    at: integer().notNull(),
    account: text().notNull(),
    address: text().notNull(),
    action: text().notNull(),
    object: text().notNull(),
    name: text().notNull(),
    /** JSON {field: [before, after]}, secrets masked. */
    fields: text().notNull(),
    /** The settings document it is about, and sealed JSON values {field: sealed} of secrets as they were before. */
    document: text(),
    kept: text(),
    mac: text().notNull(),
  },
  // Each ends with the row's id: a page of a filtered list is read from one of them, in order.
  table => [
    index('changelog_at').on(table.organization, table.at),
    index('changelog_organization').on(table.organization),
    index('changelog_network').on(table.organization, table.network),
    index('changelog_account').on(table.organization, table.account),
    index('changelog_object').on(table.organization, table.object),
    index('changelog_document').on(table.document),
  ],
)

/** Long work that outlives its request. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: text().primaryKey(),
    organization: integer().notNull(),
    /** Of whose devices it is; jobs of before know none. */
    network: integer(),
    type: text().notNull(),
    state: text({ enum: ['running', 'done', 'failed', 'cancelled'] }).notNull(),
    /** JSON, shape by type. */
    progress: text().notNull().default('{}'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  table => [index('jobs_created').on(table.createdAt)],
)
