import { and, eq } from 'drizzle-orm'
import { clientTimes, documents } from '@/db/schema'
import { allowedMs, cycleOf, type TimePolicyValues, timePolicy } from '@/model/firewall/time-policy'
import { resetsOf } from '@/model/reset-cycle'
import { ssid } from '@/model/wifi/ssid'
import { openedRows } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { kindRows } from '@/server/networks/settings/store'
import { absentMs } from './record'

// How long clients may be connected: what policies say, and what is left of it.

type Reading = Pick<Runtime, 'db' | 'secrets'>
type Place = { id: number; timezone: string }
export type ClientTime = typeof clientTimes.$inferSelect

export type TimePolicy = {
  id: string
  name: string
  /** Absent: it is of an SSID. */
  macs?: ReadonlySet<string>
  /** As it is on the air. */
  ssid?: string
  allowedMs: number
  /** When the time begins anew, and did last, unix ms; absent: never. */
  resets?: { last: number; next: number }
}

/** The policies of a network that are enabled, as they hold now. */
export function policiesOf({ db, secrets }: Reading, network: Place, now: number): TimePolicy[] {
  const rows = kindRows(db, network.id, timePolicy.id)
  if (rows.length === 0) return []
  const names = new Map(
    openedRows(secrets, ssid, kindRows(db, network.id, ssid.id)).map(({ row, data }) => [row.id, String(data.name)]),
  )
  return openedRows(secrets, timePolicy, rows).flatMap(({ row, data }): TimePolicy[] => {
    const values = data as TimePolicyValues
    if (!values.enabled) return []
    const resets = resetsOf(cycleOf(values), network.timezone, now)
    const name = names.get(values.ssid ?? '')
    const whose = values.target === 'clients' ? { macs: new Set(values.macs) } : name !== undefined && { ssid: name }
    return whose
      ? [{ id: row.id, name: values.name, allowedMs: allowedMs(values), ...whose, ...(resets && { resets }) }]
      : []
  })
}

type Where = { mac: string; ssid?: string | null | undefined }
/** The policy that counts for a client: its own before that of the SSID where it is. */
export const policyFor = (policies: readonly TimePolicy[], { mac, ssid: at }: Where): TimePolicy | undefined =>
  policies.find(one => one.macs?.has(mac)) ?? policies.find(one => one.ssid !== undefined && one.ssid === at)

/** Whether what a client used of a policy counts still: not where it has one of its own meanwhile. */
export const isUnder = (policies: readonly TimePolicy[], policy: TimePolicy, mac: string): boolean =>
  policy.macs ? policy.macs.has(mac) : !policies.some(one => one.macs?.has(mac))

type Counted = Pick<ClientTime, 'usedMs' | 'countedAt'>
const resetAt = ({ resets }: TimePolicy): number => resets?.last ?? 0

/** What is used of a policy, as it holds now: nothing of before the last reset. */
export const usedOf = (policy: TimePolicy, row: Counted | undefined): number =>
  row && row.countedAt >= resetAt(policy) ? Math.min(row.usedMs, policy.allowedMs) : 0

/**
 * What a client that is connected used of a policy by now. Who was unseen, or not counted, for less than five minutes was
 * there; what is longer is unknown and not counted.
 */
export function countTime(policy: TimePolicy, before: Counted | undefined, now: number): Counted {
  const from = Math.max(before?.countedAt ?? now, resetAt(policy))
  const gained = before && now - before.countedAt <= absentMs ? Math.max(0, now - from) : 0
  return { usedMs: usedOf(policy, before) + gained, countedAt: now }
}

/** Until when a client is blocked whose time is used up, as the block list has it; '': for good. */
export const blockEnd = ({ resets }: TimePolicy): string =>
  resets ? new Date(Math.ceil(resets.next / 1000) * 1000).toISOString().replace('.000', '') : ''

/** A client's time as pages show it; absent where no policy is about it. */
export function timeOf({ db, secrets }: Reading, network: Place, client: Where, now: number) {
  const policies = policiesOf({ db, secrets }, network, now)
  if (policies.length === 0) return undefined
  const rows = db
    .select()
    .from(clientTimes)
    .where(and(eq(clientTimes.network, network.id), eq(clientTimes.mac, client.mac)))
    .all()
  // Who is blocked is nowhere, and was blocked by one of them.
  const blocking = rows.find(one => one.block !== null)?.policy
  const policy = policies.find(one => one.id === blocking) ?? policyFor(policies, client)
  if (!policy) return undefined
  const usedMs = usedOf(
    policy,
    rows.find(one => one.policy === policy.id),
  )
  const { id, name, allowedMs: all, resets } = policy
  return { policy: id, name, usedMs, allowedMs: all, ...(resets && { resetsAt: resets.next }) }
}

/** Every policy about a client, also those that are off: `own` names its MAC address, another the SSID where it is. */
export function policiesAbout({ db, secrets }: Reading, network: number, { mac, ssid: at }: Where) {
  const rows = kindRows(db, network, timePolicy.id)
  if (rows.length === 0) return []
  const here = new Set(
    openedRows(secrets, ssid, at ? kindRows(db, network, ssid.id) : [])
      .filter(({ data }) => data.name === at)
      .map(({ row }) => row.id),
  )
  return openedRows(secrets, timePolicy, rows).flatMap(({ row, data }) => {
    const { name, enabled, target, macs, ssid: of } = data as TimePolicyValues
    const own = target === 'clients'
    return (own ? macs.includes(mac) : here.has(of ?? '')) ? [{ id: row.id, name, enabled, own }] : []
  })
}

/** Networks that have a policy, or clients that are counted still. */
export const timedNetworks = ({ db }: Pick<Runtime, 'db'>): number[] => [
  ...new Set([
    ...db
      .selectDistinct({ network: documents.scopeId })
      .from(documents)
      .where(and(eq(documents.kind, timePolicy.id), eq(documents.scope, 'network')))
      .all()
      .map(one => one.network),
    ...db
      .selectDistinct({ network: clientTimes.network })
      .from(clientTimes)
      .all()
      .map(one => one.network),
  ]),
]
