import { inArray } from 'drizzle-orm'
import { documents } from '@/db/schema'
import type { Interrupted } from '@/server/drivers/assess'
import { type Cut, isDeviceError, type NativeConfig, type Warning } from '@/server/drivers/driver'
import { fail } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { adoptableDrift, type DriftBlock } from './drift/drift'
import { unreachable } from './import/unmanaged'
import { lastApplied, openPart } from './plan/deployments'
import type { BlockChange } from './plan/diff'
import {
  compare,
  type DeviceRow,
  type Engine,
  planDevice,
  planKnown,
  readDevice,
  restoredPlan,
  withChannels,
} from './plan/plan'
import { type SavedChange, waitingChanges } from './saved/applied-revisions'

type NamedChange = BlockChange & { name: string }

/** Blocks with the name of the document that owns them; empty where none does, or it is gone. */
export function named<T extends { document?: string }>(
  runtime: Runtime,
  blocks: readonly T[],
): (T & { name: string })[] {
  const ids = blocks.flatMap(block => block.document ?? [])
  const rows = ids.length
    ? runtime.db
        .select({ id: documents.id, name: documents.name })
        .from(documents)
        .where(inArray(documents.id, ids))
        .all()
    : []
  const names = new Map(rows.map(row => [row.id, row.name]))
  return blocks.map(block => ({ ...block, name: names.get(block.document ?? '') ?? '' }))
}

export type Preview = {
  deviceId: number
  name: string
  address: string
  /** The device was read just now; else `reason` says why not and the difference is against its last known state. */
  read: boolean
  reason: string
  /** Blocks with the names of the documents that own them; empty: nothing to do. */
  blocks: NamedChange[]
  warnings: Warning[]
  /** A warning stops this push. */
  blocked: boolean
  /** What cuts the manager's own way: pushed only when agreed to, and only where the device undoes it itself. */
  cuts: (Cut & { name: string })[]
  /** Whom it interrupts for a moment. */
  interrupted: Interrupted[]
  /** What somebody changed on the device since the last push; pushed over only when agreed to. */
  drift: DriftBlock[]
  /** Kinds of settings that taking it over would change; each needs its own right. */
  adopts: string[]
  /** Who undoes the push when it is not confirmed. */
  reverts: 'device' | 'manager' | 'none'
  confirmSeconds: number
  /** What was saved since the last push; all of it goes along. Empty for a going back. */
  changes: SavedChange[]
}

type Now = { seen: NativeConfig; read: boolean; reason: string }

/** The device's state read now, else as the last push left it. */
async function nowOf(engine: Engine, device: DeviceRow): Promise<Now> {
  try {
    return { seen: await readDevice(engine, device.id), read: true, reason: '' }
  } catch (error) {
    const applied = lastApplied(engine.runtime.db, device.id)
    const seen = (applied && openPart(engine.runtime, applied, 'seen')) ?? { blocks: [] }
    return { seen, read: false, reason: isDeviceError(error) ? error.reason : 'internal' }
  }
}

/**
 * The very plan a push would send, against what the device has now. Nothing is changed. `restores`: the earlier push
 * whose configuration would be sent instead of the settings.
 */
export async function previewPush(engine: Engine, device: DeviceRow, restores?: string): Promise<Preview> {
  const { runtime, transport } = engine
  const settings = await planKnown(engine, device).catch(() => planDevice(engine, device))
  const wanted = restores ? restoredPlan(engine, settings, restores)?.plan : settings
  if (!wanted) return fail('configurationGone')
  const { seen, read, reason } = await nowOf(engine, device)
  const plan = restores ? wanted : await withChannels(engine, device, settings, { seen, keeps: false })
  const blocks = plan.known ? await compare(engine, device, plan.planned, seen) : []
  const { cuts, interrupted } = blocks.length
    ? await transport.assess({ id: device.id, before: seen, next: plan.planned })
    : { cuts: [], interrupted: [] }
  return {
    deviceId: device.id,
    name: device.name,
    address: device.address,
    read,
    reason: reason || (plan.known ? '' : 'neverRead'),
    blocks: named(runtime, blocks),
    warnings: plan.warnings,
    blocked: plan.warnings.some(warning => warning.blocks),
    cuts: named(runtime, cuts),
    interrupted,
    ...(read ? await adoptableDrift(engine, device, wanted, seen) : { drift: [], adopts: [] }),
    reverts: plan.reverts,
    confirmSeconds: plan.confirmSeconds,
    changes: restores ? [] : waitingChanges(engine, device.network, [{ device, standing: settings }]),
  }
}

/** The device's state; a refusal with its reason when it does not answer. */
export const readNow = (engine: Engine, device: DeviceRow): Promise<NativeConfig> =>
  readDevice(engine, device.id).catch(unreachable)

/** Two configurations of a device side by side, as a push from the first to the second would show them. */
export async function compareConfigs(engine: Engine, device: DeviceRow, from: NativeConfig, to: NativeConfig) {
  return named(engine.runtime, await compare(engine, device, to, from))
}
