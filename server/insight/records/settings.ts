import { existsSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { devices, documents, groups } from '@/db/schema'
import { type TrafficLogsFields, trafficLogs } from '@/model/insight/traffic-logs'
import { folderOf } from '@/server/insight/logs/reception'
import { isDamaged, openRow } from '@/server/kernel/documents'
import type { Runtime } from '@/server/kernel/runtime'
import { type RecordKind, recordFolder } from '@/server/worker/intake/record-table'

/**
 * What is recorded of a network's clients, for how many days it is kept, and where each record is sent, too. `damaged`: a row
 * of it cannot be read, so that it goes on as it was.
 */
export type TrafficLogs = { urlLog: boolean; natLog: boolean; keepDays: number; logServer?: string; damaged?: true }

export const recordedKinds = ({ urlLog, natLog }: TrafficLogs): RecordKind[] => [
  ...(urlLog ? (['url'] as const) : []),
  ...(natLog ? (['nat'] as const) : []),
]

const usualDays = 7
const mostDays = 30

/** What one row sets; null where it cannot be read. */
type Row = Partial<TrafficLogsFields> | null

/** What is set in a network, the network's own first. */
function rowsByNetwork({ db, secrets }: Runtime): Map<number, Row[]> {
  const rows = db.select().from(documents).where(eq(documents.kind, trafficLogs.id)).all()
  const networkOf = {
    network: (id: number) => id,
    group: (id: number) => db.select({ network: groups.network }).from(groups).where(eq(groups.id, id)).get()?.network,
    device: (id: number) =>
      db.select({ network: devices.network }).from(devices).where(eq(devices.id, id)).get()?.network,
  }
  const found = new Map<number, Row[]>()
  for (const row of rows) {
    const network = networkOf[row.scope](row.scopeId)
    if (network === undefined) continue
    const opened = openRow(secrets, trafficLogs, row)
    const read = isDamaged(opened) ? null : opened.data
    const before = found.get(network) ?? []
    found.set(network, row.scope === 'network' ? [read, ...before] : [...before, read])
  }
  return found
}

/**
 * What a damaged row said nobody knows: what has records goes on, kept as long as can be. They would be deleted with what is
 * off, and have a folder while it is on.
 */
function inForce(rows: readonly Row[], hasRecords: (kind: RecordKind) => boolean): TrafficLogs {
  const read = rows.filter(row => row !== null)
  const damaged = read.length < rows.length
  const isOn = (field: 'urlLog' | 'natLog', kind: RecordKind) =>
    read.some(row => row[field]) || (damaged && hasRecords(kind))
  const days = read.flatMap(row => (row.keepDays === undefined ? [] : Number(row.keepDays)))
  // Nothing goes to a server of a row behind one that cannot be read.
  const logServer = rows.find(row => row === null || row.logServer !== undefined)?.logServer
  return {
    ...{ urlLog: isOn('urlLog', 'url'), natLog: isOn('natLog', 'nat') },
    keepDays: days.length ? Math.min(...days) : damaged ? mostDays : usualDays,
    ...(logServer !== undefined && { logServer }),
    ...(damaged && { damaged }),
  }
}

/**
 * The settings kind `trafficLogs`, by network: the one place where it is read. A gateway or a group may have its own, and
 * the records of a network lie together: one that is recorded by any of its gateways is, they are kept as short as any of
 * them says, and go where the network says.
 */
export function trafficLogsNow(runtime: Runtime): Map<number, TrafficLogs> {
  const hasRecords = (network: number) => (kind: RecordKind) =>
    existsSync(/* turbopackIgnore: true */ recordFolder(folderOf(runtime), network, kind))
  return new Map([...rowsByNetwork(runtime)].map(([network, rows]) => [network, inForce(rows, hasRecords(network))]))
}
