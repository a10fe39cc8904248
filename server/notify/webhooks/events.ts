import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import { accounts, changelog, networks, webhooks } from '@/db/schema'
import { limits } from '@/model/limits'
import { type HookTopic, type HookType, testType } from '@/model/webhooks'
import type { Runtime } from '@/server/kernel/runtime'
import { sharedTo, sharedWith } from '@/server/people/access/access'
import { type Hook, hooksOf, mayCarry, newestEntry, readsLog, topicsOf } from './hooks'
import { enqueue } from './queue'

/** Something that happened; `level` of an alert. */
export type HookEvent = {
  topic: HookTopic | 'test'
  type: HookType
  organization: number
  network: number | null
  at: number
  level?: number
  data: Record<string, unknown>
}

/** What is sent. Whoever gets one that is too large asks the manager for the rest. */
function bodyOf(runtime: Runtime, { type, network, at, data }: HookEvent, id: string): string {
  const row = network === null ? undefined : runtime.db.select().from(networks).where(eq(networks.id, network)).get()
  const told = { id, type, at, network: row ? { id: row.id, name: row.name } : null }
  const body = JSON.stringify({ ...told, data })
  if (Buffer.byteLength(body) <= limits.webhookBodyBytes) return body
  const { fields: _large, ...rest } = data
  return JSON.stringify({ ...told, data: { ...rest, truncated: true } })
}

const wants = ({ hook }: Hook, { topic, level = 0 }: HookEvent): boolean =>
  hook.state === 'on' && topicsOf(hook).includes(topic as HookTopic) && level <= hook.level

function tell(runtime: Runtime, { hook }: Hook, event: HookEvent): number {
  const id = randomUUID()
  const { topic, type, network } = event
  const body = bodyOf(runtime, event, id)
  return enqueue(runtime, { webhook: hook.id, event: id, topic, type, network, body }, Date.now())
}

/** Queues this for each webhook that is for it, in the caller's transaction: also of whom the network is shared with. */
export function notifyWebhooks(runtime: Runtime, event: HookEvent): void {
  const { db } = runtime
  const { organization, network } = event
  const companies = new Set([organization, ...(network === null ? [] : sharedTo(db, network))])
  for (const one of [...companies].flatMap(company => hooksOf(db, company)))
    if (wants(one, event) && mayCarry(db, one, event)) tell(runtime, one, event)
}

/** Queues a test for one webhook, whether it is on or not; returns the delivery's number. */
export const notifyTest = (runtime: Runtime, one: Hook, at: number): number =>
  tell(runtime, one, {
    ...{ topic: 'test', type: testType, organization: one.account.organization, network: null, at },
    data: { webhook: one.hook.name },
  })

type Entry = typeof changelog.$inferSelect

const deviceTypes: Record<string, HookType> = { adopt: 'device.added', delete: 'device.removed' }

/** What an entry of the changelog is told as. */
function eventsOf(entry: Entry): HookEvent[] {
  const { id, organization, network, at, account, address, action, object, name } = entry
  if (organization === null) return []
  const fields = JSON.parse(entry.fields) as unknown
  const place = { organization, network, at }
  const device = object === 'device' ? deviceTypes[action] : undefined
  return [
    {
      ...{ topic: 'changelog', type: 'changelog.entry', ...place },
      data: { id, account, address, action, object, name, fields },
    },
    ...(device ? [{ ...place, topic: 'devices', type: device, data: { name, by: account, fields } } as const] : []),
  ]
}

const batch = 200

/** Entries that were written since a webhook was told last, once each: the log is its own queue. */
function tellEntries(runtime: Runtime, one: Hook): void {
  const { db } = runtime
  const { organization } = one.account
  const theirs = or(eq(changelog.organization, organization), inArray(changelog.network, sharedWith(db, organization)))
  const fresh = and(gt(changelog.id, one.hook.logged), theirs)
  const rows = db.select().from(changelog).where(fresh).orderBy(asc(changelog.id)).limit(batch).all()
  const last = rows.length === batch ? rows.at(-1)?.id : newestEntry(db)
  if (last === undefined || last === one.hook.logged) return
  db.transaction(() => {
    for (const event of rows.flatMap(eventsOf))
      if (wants(one, event) && mayCarry(db, one, event)) tell(runtime, one, event)
    db.update(webhooks).set({ logged: last }).where(eq(webhooks.id, one.hook.id)).run()
  })
}

/** Tells webhooks what was written to the changelog since the last time. */
export function notifyChangelog(runtime: Runtime): void {
  const rows = runtime.db
    .select()
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.account))
    .where(eq(webhooks.state, 'on'))
    .all()
  for (const row of rows)
    if (readsLog(row.webhooks)) tellEntries(runtime, { hook: row.webhooks, account: row.accounts })
}
