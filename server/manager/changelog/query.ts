import { and, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog } from '@/db/schema'
import { keyMark } from '@/model/api-keys'
import type { Actor } from '@/server/kernel/call'
import { pageOf } from '@/server/kernel/lists'
import { mayNetwork, ownNetworks } from '@/server/people/access/access'

type Row = typeof changelog.$inferSelect

export type LogFilter = {
  account?: string
  network?: number
  object?: string
  action?: string
  /** Unix ms, both included. */
  from?: number
  to?: number
}
export type LogFields = Record<string, [unknown, unknown]>

export type LogView = {
  id: number
  /** Unix ms. */
  at: number
  /** '' for the manager itself and the command line. */
  account: string
  address: string
  /** `name` is null where the network is gone. */
  network: { id: number; name: string | null } | null
  action: string
  object: string
  name: string
  /** {field: [before, after]}, null for none; a secret is {set: true}. */
  fields: LogFields
}

/** What somebody did, themselves or by a key of theirs. */
const by = (account: string): SQL | undefined => {
  const keys = `${account}${keyMark}`
  return or(eq(changelog.account, account), sql`substr(${changelog.account}, 1, ${keys.length}) = ${keys}`)
}

/** Who enters all networks sees all of the organization; others what happened in their own networks, and what they did. */
export const visibleTo = (actor: Actor): SQL | undefined =>
  and(
    eq(changelog.organization, actor.organization),
    actor.networks === 'all' ? undefined : or(inArray(changelog.network, [...actor.networks]), by(actor.account)),
  )

/** Without case, as SQLite's LIKE has it; % and _ are themselves. */
const holding = (wanted: string): SQL | undefined => {
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`
  const columns = [changelog.name, changelog.account, changelog.address, changelog.fields]
  return or(...columns.map(column => sql`${column} LIKE ${pattern} ESCAPE '\\'`))
}

/** Entries this person may see, that pass the filter and hold the text. */
export function matching(actor: Actor, filter: LogFilter, search = ''): SQL | undefined {
  const { account, network, object, action, from, to } = filter
  const wanted = search.trim()
  return and(
    visibleTo(actor),
    account === undefined ? undefined : eq(changelog.account, account),
    network === undefined ? undefined : mayNetwork(actor, network) ? eq(changelog.network, network) : sql`0`,
    object === undefined ? undefined : eq(changelog.object, object),
    action === undefined ? undefined : eq(changelog.action, action),
    from === undefined ? undefined : gte(changelog.at, from),
    to === undefined ? undefined : lte(changelog.at, to),
    wanted ? holding(wanted) : undefined,
  )
}

export type Viewer = (row: Row) => LogView

/** Draws rows with the names of the networks this person enters. */
export function viewer(db: Db, actor: Actor): Viewer {
  const names = new Map(ownNetworks(db, actor).map(network => [network.id, network.name]))
  return ({ id, at, account, address, network, action, object, name, fields }) => ({
    ...{ id, at, account, address, action, object, name },
    network: network === null ? null : { id: network, name: names.get(network) ?? null },
    fields: JSON.parse(fields) as LogFields,
  })
}

/** One page, newest first. Page and number are found in an index first: a row is long. */
export function logPage(db: Db, where: SQL | undefined, page: number, pageSize: number) {
  const total = db.select({ n: sql<number>`count(*)` }).from(changelog).where(where).get()?.n ?? 0
  const at = pageOf(total, page, pageSize)
  // A search through every entry that finds none is not made a second time.
  if (!total) return { rows: [], total, page: at.page, pageSize }
  const ids = db
    .select({ id: changelog.id })
    .from(changelog)
    .where(where)
    .orderBy(desc(changelog.id))
    .limit(pageSize)
    .offset(at.offset)
  const rows = db.select().from(changelog).where(inArray(changelog.id, ids)).orderBy(desc(changelog.id)).all()
  return { rows, total, page: at.page, pageSize }
}

/** What there is to filter by. */
export function logChoices(db: Db, actor: Actor) {
  const own = visibleTo(actor)
  const distinct = (column: typeof changelog.account | typeof changelog.object | typeof changelog.action) =>
    db
      .selectDistinct({ value: column })
      .from(changelog)
      .where(own)
      .orderBy(column)
      .limit(mostChoices)
      .all()
      .map(row => row.value)
  return {
    accounts: distinct(changelog.account).filter(Boolean),
    objects: distinct(changelog.object),
    actions: distinct(changelog.action),
    networks: ownNetworks(db, actor).map(({ id, name }) => ({ id, name })),
  }
}
const mostChoices = 500

/** Rows below `before`, newest first. */
export const logBatch = (db: Db, where: SQL | undefined, before: number, size: number): Row[] =>
  db
    .select()
    .from(changelog)
    .where(and(where, sql`${changelog.id} < ${before}`))
    .orderBy(desc(changelog.id))
    .limit(size)
    .all()
