import { and, desc, eq, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { changelog } from '@/db/schema'
import { keyMark } from '@/model/api-keys'
import type { Actor } from '@/server/kernel/call'
import { holding, orderBy, pageOf, type Sort } from '@/server/kernel/lists'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
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

const searched = [changelog.name, changelog.account, changelog.address, changelog.fields]

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
    wanted ? holding(searched, wanted) : undefined,
  )
}

/** By columns of their page. */
const sortColumns = {
  what: changelog.object,
  who: changelog.account,
  address: changelog.address,
  network: changelog.network,
  at: changelog.id,
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
export function logPage(
  db: Db,
  where: SQL | undefined,
  { page, pageSize, sort }: { page: number; pageSize: number; sort?: Sort | undefined },
) {
  const order = orderBy(sort, sortColumns, desc(changelog.id))
  const total = db.select({ n: sql<number>`count(*)` }).from(changelog).where(where).get()?.n ?? 0
  const at = pageOf(total, page, pageSize)
  // A search through every entry that finds none is not made a second time.
  if (!total) return { rows: [], total, page: at.page, pageSize }
  const ids = db
    .select({ id: changelog.id })
    .from(changelog)
    .where(where)
    .orderBy(...order)
    .limit(pageSize)
    .offset(at.offset)
  const rows = db
    .select()
    .from(changelog)
    .where(inArray(changelog.id, ids))
    .orderBy(...order)
    .all()
  return { rows, total, page: at.page, pageSize }
}

type Said = { account: Set<string>; object: Set<string>; action: Set<string> }
/** What an organization's entries say up to one of them: entries stay as they are, so only later ones are looked at again. */
type Known = Said & { upTo: number }
const knownPart = part<Map<number, Known>>('changelogChoices', () => new Map())

function saidIn(db: Db, where: SQL | undefined, into: Said): void {
  for (const field of ['account', 'object', 'action'] as const)
    for (const { value } of db.selectDistinct({ value: changelog[field] }).from(changelog).where(where).all())
      into[field].add(value)
}

const nothing = (): Said => ({ account: new Set(), object: new Set(), action: new Set() })

/** All that this person's entries say; of those who see the whole organization it is kept. */
function saidTo(runtime: Runtime, actor: Actor): Said {
  const { db } = runtime
  if (actor.networks !== 'all') {
    const own = nothing()
    saidIn(db, visibleTo(actor), own)
    return own
  }
  const all = knownPart.of(runtime)
  const held = all.get(actor.organization) ?? { ...nothing(), upTo: 0 }
  all.set(actor.organization, held)
  const newest =
    db
      .select({ id: sql<number | null>`max(${changelog.id})` })
      .from(changelog)
      .get()?.id ?? 0
  // A + keeps SQLite at the rows that are new: an index of the organization leads to all of them.
  const later = sql`${changelog.id} > ${held.upTo} AND +${changelog.organization} = ${actor.organization}`
  if (newest > held.upTo) saidIn(db, later, held)
  held.upTo = newest
  return held
}

const mostChoices = 500
const sorted = (values: ReadonlySet<string>) =>
  [...values].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, mostChoices)

/** What there is to filter by. */
export function logChoices(runtime: Runtime, actor: Actor) {
  const { account, object, action } = saidTo(runtime, actor)
  return {
    accounts: sorted(account).filter(Boolean),
    objects: sorted(object),
    actions: sorted(action),
    networks: ownNetworks(runtime.db, actor).map(({ id, name }) => ({ id, name })),
  }
}

/** Rows below `before`, newest first. */
export const logBatch = (db: Db, where: SQL | undefined, before: number, size: number): Row[] =>
  db
    .select()
    .from(changelog)
    .where(and(where, sql`${changelog.id} < ${before}`))
    .orderBy(desc(changelog.id))
    .limit(size)
    .all()
