import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { deviceState } from '@/model/device-state'
import { trafficLogs } from '@/model/insight/traffic-logs'
import { system } from '@/model/system/system'
import { standings } from '@/server/devices/change/overview/overview'
import { type LastPush, lastPushes } from '@/server/devices/change/plan/deployments'
import { desiredOf, type NetworkDocuments, networkDocuments } from '@/server/devices/change/plan/desired'
import { isMissed, type LeftOut } from '@/server/devices/change/plan/left-out'
import { type Engine, enginePart, type ListedDevice, listedColumns } from '@/server/devices/change/plan/plan'
import type { SyncStatus } from '@/server/devices/change/plan/sync-cache'
import { givenTo, sourceRows } from '@/server/devices/change/saved/applied-revisions'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { logTarget, trafficSettings } from '@/server/drivers/unix/traffic-logs'
import type { WarningCode } from '@/server/drivers/words'
import { ownAddressTowards } from '@/server/insight/logs/own-address'
import { readReception } from '@/server/insight/logs/reception'
import type { Runtime } from '@/server/kernel/runtime'
import type { RecordKind } from '@/server/worker/intake/record-table'

// Which gateways of a network record, and why others do not: what their plans say, what was pushed, and where they send.

/**
 * `records`: it does, as far as anybody knows. `off`: what is set for it turns the log off. `readOnly`: it cannot be set.
 * `unread`: it was never read, so nobody knows what it could do. `leftOut`: its plan has nothing of it, or not all (`why`).
 * `unpushed`: saved, and not on it. `elsewhere`: it sends its log to `to`, where the manager does not receive. `offline`:
 * it has the setting, and does not answer.
 */
export type RecordingGateway = { id: number; name: string } & (
  | { state: 'records' }
  | { state: 'off' | 'readOnly' | 'unread' | 'unpushed' | 'offline' }
  | { state: 'leftOut'; why: { code: WarningCode; values: LeftOut['values'] }[] }
  | { state: 'elsewhere'; to: { protocol: string; host: string; port: number } }
)
type Judged = RecordingGateway extends infer One ? (One extends unknown ? Omit<One, 'id' | 'name'> : never) : never

/** Of what a plan says of the traffic logs, that which is about one of them alone. */
const aboutOne: Partial<Record<WarningCode, RecordKind>> = {
  ...{ urlLogLeft: 'url', urlLogWithoutLan: 'url' },
  ...{ noUplink: 'nat', 'needs.nftables': 'nat', 'needs.fw4': 'nat' },
}
const logOf = { url: 'urlLog', nat: 'natLog' } as const
/** What the lines come by. */
const concerned: readonly string[] = [trafficLogs.id, system.id]

type Asked = {
  engine: Engine
  kind: RecordKind
  stored: NetworkDocuments
  push: LastPush | undefined
}

/** Saved for the device, and not given to it by its last push. */
function isUnpushed({ stored, push }: Asked, device: ListedDevice, { modified }: SyncStatus): boolean {
  const given = givenTo(push, stored)
  const rows = sourceRows(stored, device).filter(row => concerned.includes(row.kind))
  return modified !== false && rows.some(row => given[row.id] !== row.revision)
}

/** Whether lines that are sent there come to the manager; of a name nobody knows better. */
async function isHere(runtime: Runtime, device: ListedDevice, to: { protocol: string; host: string; port: number }) {
  const { protocol, port, tls, tlsPort } = readReception(runtime)
  const takes = protocol === 'both' || protocol === to.protocol
  const open = to.protocol === 'tls' ? tls && to.port === tlsPort : takes && to.port === port
  if (!open || isIP(to.host) === 0) return open
  const own = Object.values(networkInterfaces()).flatMap(all => all?.map(one => one.address) ?? [])
  return own.includes(to.host) || (await ownAddressTowards(device.address)) === to.host
}

async function judged(asked: Asked, device: ListedDevice, standing: SyncStatus | undefined): Promise<Judged> {
  const { engine, kind, stored } = asked
  if (!standing) return { state: 'readOnly' }
  const { documents, warnings } = desiredOf(engine.runtime.secrets, engine.kinds, stored, device)
  // What is damaged or contradicts itself is no document, and needs no reading of the device to be known.
  const wrong = warnings.find(one => one.kind === trafficLogs.id)
  if (wrong) return { state: 'leftOut', why: [{ code: wrong.code, values: wrong.values ?? {} }] }
  if (!trafficSettings(documents)?.[logOf[kind]]) return { state: 'off' }
  if (standing.modified === undefined) return { state: 'unread' }
  const said = standing.leftOut.filter(one => one.document === trafficLogs.id && isMissed(one))
  const why = said.filter(({ code }) => (aboutOne[code] ?? kind) === kind).map(({ code, values }) => ({ code, values }))
  if (why.length > 0) return { state: 'leftOut', why }
  if (isUnpushed(asked, device, standing)) return { state: 'unpushed' }
  const target = logTarget(documents)
  const to = target && { protocol: target.syslog, host: target.syslogHost ?? '', port: target.syslogPort }
  if (to && !(await isHere(engine.runtime, device, to))) return { state: 'elsewhere', to }
  return { state: deviceState(device) === 'online' ? 'records' : 'offline' }
}

/** The gateways of a network by name, and whether each records these; the same plans say it as in lists and reviews. */
export async function recordingGateways(
  runtime: Runtime,
  network: number,
  kind: RecordKind,
): Promise<RecordingGateway[]> {
  const engine = enginePart.find(runtime)
  if (!engine) return []
  const { db } = runtime
  const turn = engine.syncCache.turn()
  const own = and(eq(devices.network, network), inArray(devices.kind, ['gateway', 'firewall']))
  const rows = db.select(listedColumns).from(devices).where(own).orderBy(asc(devices.name), asc(devices.id)).all()
  const stored = networkDocuments(db, network)
  const pushes = new Map(lastPushes(db, network).map(push => [push.device, push]))
  const able = rows.filter(device => abilitiesOf(device).settings === 'all')
  const stands = await standings(engine, able, { turn, documents: stored, appliedTo: id => pushes.get(id) })
  const byDevice = new Map(stands.map(({ device, standing }) => [device.id, standing]))
  return Promise.all(
    rows.map(async device => {
      const { id, name, address } = device
      const how = await judged({ engine, kind, stored, push: pushes.get(id) }, device, byDevice.get(id))
      return { id, name: name || address, ...how }
    }),
  )
}
