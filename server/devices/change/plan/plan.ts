import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { blockedClient } from '@/model/firewall/blocked'
import type { Kind } from '@/model/kind'
import { channelsOf } from '@/server/devices/link/channels'
import { fleetPart } from '@/server/devices/link/fleet'
import { importStates, type KeptItem } from '@/server/devices/link/import-store'
import {
  type DesiredDocument,
  type NativeBlock,
  type NativeConfig,
  ofPlan,
  type Warning,
} from '@/server/drivers/driver'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import type { OnDevice } from '@/server/worker/device-verbs'
import type { DevicePlan } from '@/server/worker/protocol'
import { digestOf, sameConfig } from './config-digest'
import { type AppliedPush, configDigestIn, findDeployment, lastAppliedTo, openPart, partOf } from './deployments'
import { desiredOf, desiredSecrets, type NetworkDocuments, networkDocuments } from './desired'
import { type BlockChange, diffConfigs, pairsOf } from './diff'
import { portalFor } from './gate'
import { fittedToImports, restorable } from './imported'
import { type LeftOut, leftOutOf } from './left-out'
import { withRadiusAddresses } from './radius-names'
import type { SyncCache, SyncStatus } from './sync-cache'
import type { ChangeTransport } from './transport'

/** `at`: the last look; `blocks`: what differed then, absent while none succeeded; `since`: when it was found to differ. */
type Drift = { at: number; blocks?: string[]; since?: number }

export type Engine = {
  runtime: Runtime
  transport: ChangeTransport
  kinds: ReadonlyMap<string, Kind>
  /** How long a device waits for the confirmation, unless its plan needs longer. */
  confirmSeconds: number
  /** From one try to prove or to undo a push to the next. */
  retryMs: number
  syncCache: SyncCache
  /** What was found changed on devices themselves, at their last reading for it. */
  drift: Map<number, Drift>
  /** Ends waits at a clean stop. */
  stopping: AbortController
}
export const enginePart = part<Engine>('change')
export const engineOf = enginePart.of

export type DeviceRow = typeof devices.$inferSelect
/** What of a device's row its plan is made by, and lists show: facts and the rest are large. */
export const listedColumns = {
  id: devices.id,
  organization: devices.organization,
  network: devices.network,
  group: devices.group,
  name: devices.name,
  address: devices.address,
  driver: devices.driver,
  kind: devices.kind,
  channels: devices.channels,
  vendor: devices.vendor,
  model: devices.model,
  status: devices.status,
  reason: devices.reason,
}
export type ListedDevice = Pick<DeviceRow, keyof typeof listedColumns>
export type Plan = {
  planned: NativeConfig
  warnings: Warning[]
  reverts: DevicePlan['reverts']
  confirmSeconds: number
  /** What of the documents will not be on the device, and the kinds that nothing on it can do. */
  leftOut: LeftOut[]
  unfit: string[]
  /** Documents that at least a part of it is made of. */
  carries: readonly string[]
  /** False while the device was never read: nothing can be planned. */
  known: boolean
  hasWifi: boolean
  /** It was read while it started, or not all of it: it may say more now. */
  unsettled: boolean
  /** What it is made of: the documents in clear, what is imported, and the network's stored rows. */
  documents: DesiredDocument[]
  imported: KeptItem[]
  /** What is imported with its former values. */
  former: NativeBlock[]
  network: NetworkDocuments
}

export const findDevice = (runtime: Runtime, id: number): DeviceRow | undefined =>
  runtime.db.select().from(devices).where(eq(devices.id, id)).get()

/** What beside its settings a device's plan is made of. */
export const aboutDevice = (
  runtime: Runtime,
  device: Pick<ListedDevice, 'network' | 'channels'>,
  { country }: Pick<NetworkDocuments, 'country'>,
) => ({ country, channels: channelsOf(device), ...portalFor(runtime, device.network) })

/** Desired documents through the driver's renderers; what a push sends and what its preview shows. */
export async function planDevice(
  engine: Engine,
  device: ListedDevice,
  network: NetworkDocuments = networkDocuments(engine.runtime.db, device.network),
): Promise<Plan> {
  const { runtime, transport, kinds, confirmSeconds } = engine
  const { documents: wanted, warnings } = desiredOf(runtime.secrets, kinds, network, device)
  const documents = await withRadiusAddresses(runtime, wanted)
  const imported = importStates(runtime, device.id)
  const about = aboutDevice(runtime, device, network)
  const rendered = await transport.render({ id: device.id, documents, confirmSeconds, ...about, imported })
  const all = [
    ...warnings,
    ...rendered.warnings,
    ...cannotDo(documents, network, device, rendered.unfit),
    ...partsGone(engine, device, rendered.unfit),
  ]
  return {
    planned: { blocks: rendered.blocks },
    warnings: all,
    leftOut: leftOutOf({ documents, warnings: all, carries: rendered.carries }),
    unfit: rendered.unfit,
    carries: rendered.carries,
    reverts: rendered.reverts,
    confirmSeconds: confirmSeconds + rendered.slowSeconds,
    known: rendered.facts !== undefined,
    hasWifi: rendered.facts?.capabilities.includes('wifi') === true,
    unsettled: rendered.unsettled,
    documents,
    imported,
    former: rendered.former,
    network,
  }
}

/**
 * The plan by a reading that can be relied on: a device that was never read, as after a start of the manager, or was read
 * while it started itself is read first. One that does not answer is planned for by what is known.
 */
export async function planKnown(engine: Engine, device: DeviceRow, network?: NetworkDocuments): Promise<Plan> {
  const plan = await planDevice(engine, device, network)
  if (plan.known && !plan.unsettled) return plan
  const read = await engine.transport.observeNow(device.id).catch((error: unknown) => {
    if (!plan.known) throw error
  })
  return read ? planDevice(engine, device, network) : plan
}

/** The device's state now, of what is imported. */
export const readDevice = (
  { runtime, transport }: Engine,
  device: number,
  way: Omit<OnDevice, 'id'> = {},
): Promise<NativeConfig> => transport.read({ id: device, ...way, imported: importStates(runtime, device) })

/**
 * What the device could do at its last push and says nothing of now, a radio that is not seen for a moment say: its
 * part would be taken off the device, unasked.
 */
function partsGone(engine: Engine, device: ListedDevice, unfit: readonly string[]): Warning[] {
  if (!unfit.length) return []
  const last = lastAppliedTo(engine.runtime.db, device.id)
  const kinds = last ? configDigestIn(engine.runtime, last).kinds : []
  return unfit.filter(kind => kinds.includes(kind)).map(kind => ({ code: 'partGone', kind, blocks: true }))
}

/** A document for all devices means those that can do it; one given to this very device was meant. */
function cannotDo(
  documents: readonly DesiredDocument[],
  { assigns }: NetworkDocuments,
  device: ListedDevice,
  unfit: readonly string[],
): Warning[] {
  return documents
    .filter(({ id, kind }) => unfit.includes(kind) && assigns.get(id)?.devices.includes(device.id))
    .map(({ id, kind, name }) => ({ code: 'cannotDo', values: { name }, kind, document: id }))
}

/** A plan that sends what an earlier push sent; undefined when that is not kept any more. */
export function restoredPlan(
  engine: Engine,
  plan: Plan,
  restores: string,
): { plan: Plan; documents: string } | undefined {
  const row = findDeployment(engine.runtime.db, restores)
  const planned = row && openPart(engine.runtime, row, 'planned')
  // What the present settings warn of says nothing of that configuration.
  if (!row || !planned) return undefined
  return {
    plan: { ...plan, planned: restorable(planned, plan, row.startedAt ?? 0), warnings: [] },
    documents: row.documents,
  }
}

const secretsFor = ({ runtime, kinds }: Engine, device: DeviceRow): string[] =>
  desiredSecrets(
    kinds,
    desiredOf(runtime.secrets, kinds, networkDocuments(runtime.db, device.network), device).documents,
  )

/** How the device's state differs from a plan, as the driver compares. */
export async function compare(
  engine: Engine,
  device: DeviceRow,
  planned: NativeConfig,
  all: NativeConfig,
): Promise<BlockChange[]> {
  const seen = ofPlan(abilitiesOf(device), planned, all)
  const pairs = pairsOf(planned, seen)
  const unlike = pairs.filter(([block, other]) => block.text !== other.text)
  const same = unlike.length ? await engine.transport.equal({ driver: device.driver, pairs: unlike }) : []
  const differs = new Set(unlike.flatMap(([block], at) => (same[at] ? [] : [block.id])))
  const equal = new Set(pairs.flatMap(([{ id }]) => (differs.has(id) ? [] : [id])))
  return diffConfigs(planned, seen, equal, () => secretsFor(engine, device))
}

/**
 * The plan with channels chosen where settings leave them open and the device has none yet; with `keeps` it has them from
 * then on. Where that would change what is not to be changed anyway (`seen`: what the device has), the plan as it is:
 * choosing alone is no change.
 */
export async function withChannels(
  engine: Engine,
  device: DeviceRow,
  plan: Plan,
  { seen, keeps }: { seen: NativeConfig; keeps: boolean },
): Promise<Plan> {
  const fleet = fleetPart.find(engine.runtime)
  if (!fleet || !plan.hasWifi || !abilitiesOf(device).channels) return plan
  const channels = fleet.channelsFor(device)
  if (channels === device.channels) return plan
  const chosen = await planDevice(engine, { ...device, channels }, plan.network)
  const changes = new Set((await compare(engine, device, plan.planned, seen)).map(({ id }) => id))
  const others = ({ planned }: Plan) => ({ blocks: planned.blocks.filter(({ id }) => !changes.has(id)) })
  if (!sameConfig(others(plan), others(chosen))) return plan
  // Another device may have got them meanwhile.
  if (keeps && !fleet.keepChannels(device, channels)) return withChannels(engine, device, plan, { seen, keeps })
  return chosen
}

/** What a device stands by, read once for all devices of its network; `turn`: before it was read. */
type ReadForAll = { documents: NetworkDocuments; applied: AppliedPush | undefined; turn: number }

/** Plan now against the plan of the last applied push. */
export const syncStatusOf = (engine: Engine, device: ListedDevice, network?: ReadForAll): Promise<SyncStatus> =>
  engine.syncCache.of(device.id, network?.turn ?? engine.syncCache.turn(), () => judge(engine, device, network))

/** The ids are those of the stored rows, which all devices share. */
function blocksIn(plan: Plan | undefined): string[] {
  const carried = new Set(plan?.carries)
  const blocks = plan?.network.rows.filter(({ id, kind }) => kind === blockedClient.id && carried.has(id)) ?? []
  return blocks.map(({ id }) => id)
}

async function judge(engine: Engine, device: ListedDevice, network: ReadForAll | undefined): Promise<SyncStatus> {
  const { runtime } = engine
  const plan = await planDevice(engine, device, network?.documents).catch(() => undefined)
  const applied = network ? network.applied : lastAppliedTo(runtime.db, device.id)
  const open = (field: 'planned' | 'seen') => {
    const earlier = (applied && partOf(runtime, applied.id, field)) ?? { blocks: [] }
    return fittedToImports(earlier, plan?.former ?? [], { imported: plan?.imported ?? [], at: applied?.startedAt ?? 0 })
  }
  const same = (planned: NativeConfig) =>
    plan?.former.length || !applied
      ? sameConfig(planned, open('planned'))
      : digestOf(planned) === configDigestIn(runtime, applied).digest
  const modified = plan?.known ? !same(plan.planned) : undefined
  const impact =
    plan && modified
      ? await impactOf(engine, device, open('seen'), plan.planned)
      : { ssids: [], clients: 0, cuts: false }
  return { modified, impact, leftOut: plan?.leftOut ?? [], unfit: plan?.unfit ?? [], carries: blocksIn(plan) }
}

async function impactOf({ transport }: Engine, device: ListedDevice, seen: NativeConfig, planned: NativeConfig) {
  const { interrupted, cuts } = await transport.assess({ id: device.id, before: seen, next: planned })
  const ssids = interrupted.flatMap(one => one.ssid ?? [])
  const clients = interrupted.reduce((sum, one) => sum + (one.clients ?? 0), 0)
  return { ssids, clients, cuts: cuts.length > 0 }
}
