import { and, eq, gt, inArray } from 'drizzle-orm'
import { changelog, devices } from '@/db/schema'
import type { Kind } from '@/model/kind'
import { kindIds } from '@/model/registry'
import type { NativeConfig, Warning } from '@/server/devices/driver'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { lastApplied, openPart } from './deployments'
import { desiredOf, type NetworkDocuments, networkDocuments } from './desired'
import { type BlockChange, diffConfigs, pairsOf } from './diff'
import type { ChangeTransport, RenderedPlan } from './transport'

export type Engine = {
  runtime: Runtime
  transport: ChangeTransport
  kinds: ReadonlyMap<string, Kind>
  /** How long a device waits for the confirmation, unless its plan needs longer. */
  windowSeconds: number
  /** Whether a device's plan differs from what was pushed last, by device; emptied when settings or devices change. */
  modified: Map<number, { at: number; value: boolean | undefined }>
  /** Ends waits at a clean stop. */
  stopping: AbortController
}
export const engineOf = (runtime: Runtime): Engine =>
  (runtime.parts.get('change') as Engine | undefined) ?? fail('notReady')

export type DeviceRow = typeof devices.$inferSelect
export type Plan = {
  planned: NativeConfig
  warnings: Warning[]
  reverts: RenderedPlan['reverts']
  windowSeconds: number
  /** False while the device was never read: nothing can be planned. */
  known: boolean
}

export const findDevice = (runtime: Runtime, id: number): DeviceRow | undefined =>
  runtime.db.select().from(devices).where(eq(devices.id, id)).get()

/** Desired documents through the driver's renderers; what a push sends and what its preview shows. */
export async function planDevice(
  engine: Engine,
  device: DeviceRow,
  network: NetworkDocuments = networkDocuments(engine.runtime.db, device.network),
): Promise<Plan> {
  const { runtime, transport, kinds, windowSeconds } = engine
  const desired = desiredOf(runtime.secrets, kinds, network, device)
  const rendered = await transport.render(device.id, desired.documents, windowSeconds)
  return {
    planned: { blocks: rendered.blocks },
    warnings: [...desired.warnings, ...rendered.warnings],
    reverts: rendered.reverts,
    windowSeconds,
    known: rendered.facts !== undefined,
  }
}

const canonical = (config: NativeConfig) =>
  JSON.stringify(config.blocks.map(({ id, text }) => [id, text]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
export const sameConfig = (a: NativeConfig, b: NativeConfig): boolean => canonical(a) === canonical(b)

/** How the device's state differs from a plan, as the driver compares. */
export async function compare(
  engine: Engine,
  device: Pick<DeviceRow, 'driver'>,
  planned: NativeConfig,
  seen: NativeConfig,
): Promise<BlockChange[]> {
  const pairs = pairsOf(planned, seen)
  const same = pairs.length ? await engine.transport.equal(device.driver, pairs) : []
  return diffConfigs(planned, seen, new Set(pairs.flatMap(([block], at) => (same[at] ? [block.id] : []))))
}

const keptMs = 5 * 60_000

/** Plan now against the plan of the last applied push; undefined while the device was never read. */
export async function isModified(
  engine: Engine,
  device: DeviceRow,
  network?: NetworkDocuments,
): Promise<boolean | undefined> {
  const kept = engine.modified.get(device.id)
  if (kept && Date.now() - kept.at < keptMs) return kept.value
  const applied = lastApplied(engine.runtime.db, device.id)
  const before = (applied && openPart(engine.runtime, applied, 'planned')) ?? { blocks: [] }
  const plan = await planDevice(engine, device, network).catch(() => undefined)
  const value = plan?.known ? !sameConfig(plan.planned, before) : undefined
  engine.modified.set(device.id, { at: Date.now(), value })
  return value
}

export type SavedChange = { kind: string; name: string; action: string; by: string; at: number }

/** What was saved in a network since a moment, newest first, one entry for each document and its last author. */
export function savedSince(runtime: Runtime, network: number, since: number): SavedChange[] {
  const rows = runtime.db
    .select()
    .from(changelog)
    .where(and(eq(changelog.network, network), gt(changelog.at, since), inArray(changelog.object, kindIds)))
    .orderBy(changelog.id)
    .all()
    .filter(row => row.action !== 'sort')
  const byDocument = new Map(rows.map(row => [`${row.object}\n${row.name}`, row]))
  return [...byDocument.values()]
    .map(row => ({ kind: row.object, name: row.name, action: row.action, by: row.account, at: row.at }))
    .toReversed()
}
