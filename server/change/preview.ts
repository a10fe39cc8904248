import { inArray } from 'drizzle-orm'
import { documents } from '@/db/schema'
import { isDeviceError, type NativeConfig, type Warning } from '@/server/devices/driver'
import type { Runtime } from '@/server/kernel/runtime'
import { lastApplied, openPart } from './deployments'
import { type BlockChange, diffConfigs } from './diff'
import { compare, type DeviceRow, type Engine, planDevice, type SavedChange, savedSince } from './plan'

export type NamedChange = BlockChange & { name: string }

/** Blocks with the name of the document that owns them; empty where none does, or it is gone. */
export function named(runtime: Runtime, blocks: readonly BlockChange[]): NamedChange[] {
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
  /** What somebody changed on the device since the last push, block by block; the push overwrites it. */
  drift: BlockChange[]
  /** Who undoes the push when it is not confirmed. */
  reverts: 'device' | 'manager' | 'none'
  windowSeconds: number
  /** What was saved since the last push; all of it goes along. */
  changes: SavedChange[]
}

const sameText = (a: NativeConfig, b: NativeConfig): Set<string> => {
  const texts = new Map(b.blocks.map(block => [block.id, block.text]))
  return new Set(a.blocks.filter(block => texts.get(block.id) === block.text).map(block => block.id))
}

/** The very plan a push would send, against what the device has now. Nothing is changed. */
export async function previewPush(engine: Engine, device: DeviceRow): Promise<Preview> {
  const { runtime, transport } = engine
  const plan = await planDevice(engine, device)
  const applied = lastApplied(runtime.db, device.id)
  const last = applied && openPart(runtime, applied, 'seen')
  const now = await transport.read(device.id, false).catch((error: unknown) => ({
    reason: isDeviceError(error) ? error.reason : 'internal',
  }))
  const seen = 'blocks' in now ? now : (last ?? { blocks: [] })
  const blocks = plan.known ? await compare(engine, device, plan.planned, seen) : []
  return {
    deviceId: device.id,
    name: device.name,
    address: device.address,
    read: 'blocks' in now,
    reason: 'reason' in now ? now.reason : plan.known ? '' : 'neverRead',
    blocks: named(runtime, blocks),
    warnings: plan.warnings,
    blocked: plan.warnings.some(warning => warning.blocks),
    drift: last && 'blocks' in now ? diffConfigs(now, last, sameText(now, last)) : [],
    reverts: plan.reverts,
    windowSeconds: plan.windowSeconds,
    changes: savedSince(runtime, device.network, applied?.startedAt ?? 0),
  }
}
