import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { clientEvents, clients, clientTimes, documents, networks } from '@/db/schema'
import { blockedClient } from '@/model/firewall/blocked'
import { isRefusal, type Refusal } from '@/server/kernel/fail'
import { part } from '@/server/kernel/part'
import { withinRate } from '@/server/kernel/rate'
import type { Runtime } from '@/server/kernel/runtime'
import { deleteDocuments, type SettingsContext, saveDocument } from '@/server/networks/settings/documents'
import { raiseAlert } from '@/server/notify/alerts/raise'
import { inForce } from './at-once'
import { blockedOf, loadBlocked, putOut } from './block-calls'
import { addDeed, clientRows, kept } from './known'
import { tellClients } from './shared'
import {
  blockEnd,
  type ClientTime,
  countTime,
  isUnder,
  policiesOf,
  policyFor,
  type TimePolicy,
  timedNetworks,
  usedOf,
} from './time-policies'

// Counts how long clients are connected, and puts those on the block list whose time is used up.

const everyMs = 10_000

type Context = SettingsContext & { network: { id: number; name: string; timezone: string; country: string } }

/** The manager itself acts: the client's trail tells of each block, and the changelog would of nothing else. */
function contextOf(runtime: Runtime, id: number, now: number): Context | undefined {
  const network = runtime.db.select().from(networks).where(eq(networks.id, id)).get()
  if (!network) return undefined
  const actor = { organization: network.organization, account: '' }
  return { runtime, actor, network, now, log: () => undefined }
}

const keyOf = ({ policy, mac }: Pick<ClientTime, 'policy' | 'mac'>) => `${policy} ${mac}`

const rowsOf = ({ runtime, network }: Context): ClientTime[] =>
  runtime.db.select().from(clientTimes).where(eq(clientTimes.network, network.id)).all()

const rowOf = ({ network, policy, mac }: Pick<ClientTime, 'network' | 'policy' | 'mac'>) =>
  and(eq(clientTimes.network, network), eq(clientTimes.policy, policy), eq(clientTimes.mac, mac))

/** Of tens of thousands at once. */
const keeping = (db: Db) =>
  prepared(db, 'time of client', () => {
    const of = (name: string) => sql.placeholder(name)
    const counted = { usedMs: sql`excluded.used_ms`, countedAt: sql`excluded.counted_at` }
    return db
      .insert(clientTimes)
      .values({
        ...{ network: of('network'), policy: of('policy'), mac: of('mac') },
        ...{ usedMs: of('usedMs'), countedAt: of('countedAt') },
      })
      .onConflictDoUpdate({ target: [clientTimes.network, clientTimes.policy, clientTimes.mac], set: counted })
      .prepare()
  })

/** Adds the time since the last look to whoever is connected. */
function countAll({ runtime, network, now }: Context, policies: readonly TimePolicy[], rows: readonly ClientTime[]) {
  const { db } = runtime
  const held = new Map(rows.map(row => [keyOf(row), row]))
  const here = db
    .select({ mac: clients.mac, ssid: clients.ssid })
    .from(clients)
    .where(and(eq(clients.network, network.id), eq(clients.online, true)))
    .all()
  for (const client of here) {
    const policy = policyFor(policies, client)
    if (!policy) continue
    const key = { network: network.id, policy: policy.id, mac: client.mac }
    const row = held.get(keyOf(key))
    // A switch still sees who is blocked at the gateway.
    if (row?.block != null && usedOf(policy, row) >= policy.allowedMs) continue
    keeping(db).run({ ...key, ...countTime(policy, row, now) })
  }
}

type Blocked = Awaited<ReturnType<typeof blockedOf>>
type Work = {
  block: { row: ClientTime; policy: TimePolicy }[]
  release: { row: ClientTime; id: string; over: boolean }[]
}

/** How a client stands that was counted: what its policy wants, and what the block list has of it. */
function standing({ now }: Context, policies: readonly TimePolicy[], blocked: Blocked, row: ClientTime) {
  const policy = policies.find(one => one.id === row.policy)
  const entry = blocked.get(row.mac)
  const isUp = policy && isUnder(policies, policy, row.mac) && usedOf(policy, row) >= policy.allowedMs
  return {
    policy,
    /** Until when it is to be blocked; undefined: not at all. */
    wanted: isUp ? blockEnd(policy) : undefined,
    entry,
    inForce: entry !== undefined && (entry.until === undefined || Date.parse(entry.until) > now),
    /** Put there here, and still as it was put. */
    own: row.block !== null && entry !== undefined && (entry.until ?? '') === row.block ? entry.id : undefined,
  }
}

/**
 * What is to be done with the block list. Where somebody took a client off it that had been put on it here, its time begins
 * anew; where somebody gave it another end, the entry is theirs.
 */
function workOf(context: Context, policies: readonly TimePolicy[], blocked: Blocked): Work {
  const { db } = context.runtime
  const work: Work = { block: [], release: [] }
  for (const row of rowsOf(context)) {
    const { policy, wanted, entry, inForce: counts, own } = standing(context, policies, blocked, row)
    const write = (change: Partial<ClientTime>) => db.update(clientTimes).set(change).where(rowOf(row)).run()
    if (own !== undefined) {
      if (wanted === row.block) continue
      work.release.push({ row, id: own, over: !counts })
      if (policy && wanted !== undefined) work.block.push({ row, policy })
    } else if (row.block !== null) write({ block: null, ...(!entry && { usedMs: 0 }) })
    else if (!policy) db.delete(clientTimes).where(rowOf(row)).run()
    else if (wanted !== undefined && !counts) work.block.push({ row, policy })
  }
  return work
}

/** Takes entries off the block list. */
async function release(context: Context, { release: all }: Work): Promise<string[]> {
  const kind = await loadBlocked()
  const ids = all.map(one => one.id)
  if (ids.length === 0) return []
  context.runtime.db.transaction(tx => {
    deleteDocuments(context, kind, ids)
    for (const { row, over } of all) {
      tx.update(clientTimes).set({ block: null }).where(rowOf(row)).run()
      // Of one that ended by itself it is said already.
      if (!over) addDeed(context, row.mac, 'blockEnded')
    }
  })
  return ids
}

/** Puts clients on the block list until the next reset; a list that is full is told of. */
async function block(context: Context, { block: all }: Work, released: ReadonlySet<string>, blocked: Blocked) {
  const kind = await loadBlocked()
  const ids: string[] = []
  for (const { row, policy } of all) {
    const until = blockEnd(policy)
    const held = blocked.get(row.mac)
    const kept = held && !released.has(held.id) ? { id: held.id, revision: held.revision } : {}
    try {
      const { id } = saveDocument(context, kind, {
        ...{ ...kept, mac: row.mac, note: policy.name },
        ...(until && { until }),
      })
      ids.push(id)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused(context, policy, row, error)
      continue
    }
    context.runtime.db.update(clientTimes).set({ block: until }).where(rowOf(row)).run()
    addDeed(context, row.mac, 'timeUp')
  }
  return ids
}

const dayMs = 86_400_000

/** It goes on being connected: where the list is full somebody has to know; once a day for each client. */
function refused(context: Context, policy: TimePolicy, { mac }: ClientTime, { code }: Refusal): void {
  const { runtime, network, actor, now } = context
  if (!withinRate(runtime, `time policy ${network.id} ${mac}`, 1, dayMs, now)) return
  if (code !== 'blacklistFull') {
    // One that is managed here, or whose entry is damaged.
    console.warn(`time policies: ${mac} of network ${network.id} is not blocked: ${code}`)
    return
  }
  const known = clientRows(runtime).named.get(network.id, mac)
  const values = { client: known?.name || known?.hostname || mac, mac, policy: policy.name }
  raiseAlert(runtime, { type: 'timePolicyFull', organization: actor.organization, network: network.id, values })
}

/** Those whose entry on the block list ended by itself, each once: their trail says so. */
function tellEnded({ runtime, network, now }: Context, blocked: Blocked): void {
  const { db } = runtime
  for (const { mac, until } of blocked.values()) {
    const at = until === undefined ? now : Date.parse(until)
    if (at >= now || at < now - kept.days * dayMs) continue
    const same = and(eq(clientEvents.network, network.id), eq(clientEvents.mac, mac), eq(clientEvents.at, at))
    const told = db
      .select({ id: clientEvents.id })
      .from(clientEvents)
      .where(and(same, eq(clientEvents.what, 'blockEnded')))
      .get()
    if (!told) addDeed({ runtime, network, now: at }, mac, 'blockEnded')
  }
}

/** Up to when ended entries are told of: after a start all of those whose trail is kept are looked at. */
const lookedPart = part('endedBlocks', () => ({ at: 0 }))

/** Networks with an entry on their block list that ended since the last look; it stays there until it is taken off. */
function endedNetworks(runtime: Runtime, now: number): number[] {
  const looked = lookedPart.of(runtime)
  const until = sql`json_extract(${documents.data}, '$.until')`
  const iso = (ms: number) => new Date(ms).toISOString()
  const found = runtime.db
    .selectDistinct({ network: documents.scopeId })
    .from(documents)
    .where(
      and(
        ...[eq(documents.kind, blockedClient.id), eq(documents.scope, 'network')],
        ...[sql`${until} < ${iso(now)}`, sql`${until} >= ${iso(Math.max(0, looked.at - everyMs))}`],
      ),
    )
    .all()
  looked.at = now
  return found.map(one => one.network)
}

/** One network: counts, blocks and releases, and brings both to its devices. Resolves when they have it, or are left for later. */
async function watch(runtime: Runtime, id: number, now: number): Promise<void> {
  const context = contextOf(runtime, id, now)
  if (!context) return
  const { network } = context
  const policies = policiesOf(runtime, network, now)
  const blocked = await blockedOf(context, true)
  const work = runtime.db.transaction(() => {
    tellEnded(context, blocked)
    countAll(context, policies, rowsOf(context))
    return workOf(context, policies, blocked)
  })
  const released = await release(context, work)
  const ids = await block(context, work, new Set(released), blocked)
  if (released.length + ids.length === 0) return
  tellClients(context)
  await inForce(context, blockedClient.id, [...released, ...ids])
  await putOut(
    context,
    work.block.map(one => one.row.mac),
  )
}

/** Looks at every network whose clients are counted, or were blocked for a while. */
export async function watchTimes(runtime: Runtime, now: number): Promise<void> {
  const ids = new Set([...timedNetworks(runtime), ...endedNetworks(runtime, now)])
  const done = await Promise.allSettled([...ids].map(id => watch(runtime, id, now)))
  for (const one of done) if (one.status === 'rejected') console.error('time policies:', one.reason)
}

export function startTimePolicies(runtime: Runtime, every = everyMs): void {
  runtime.jobs.start({ id: 'timePolicies', every, run: one => watchTimes(one, Date.now()) })
}
