import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { devices, documents, groups } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import type { RecordKind } from '@/server/worker/intake/record-table'

/** What is recorded of a network's clients, for how many days it is kept, and where each record is sent, too. */
export type TrafficLogs = { urlLog: boolean; natLog: boolean; keepDays: number; logServer?: string }

export const recordedKinds = ({ urlLog, natLog }: TrafficLogs): RecordKind[] => [
  ...(urlLog ? (['url'] as const) : []),
  ...(natLog ? (['nat'] as const) : []),
]

const usualDays = 7

/** As much of a document of the kind as is needed here; a field that cannot be read counts as not set. */
const stored = z.object({
  urlLog: z.boolean().optional().catch(undefined),
  natLog: z.boolean().optional().catch(undefined),
  keepDays: z.enum(['1', '7', '30']).transform(Number).optional().catch(undefined),
  logServer: z.url().optional().catch(undefined),
})
type Stored = z.output<typeof stored>

function read(data: string): Stored {
  try {
    return stored.catch({}).parse(JSON.parse(data))
  } catch {
    return {}
  }
}

/** What is set in a network, the network's own first. */
function rowsByNetwork({ db }: Runtime): Map<number, Stored[]> {
  const rows = db.select().from(documents).where(eq(documents.kind, 'trafficLogs')).all()
  const networkOf = {
    network: (id: number) => id,
    group: (id: number) => db.select({ network: groups.network }).from(groups).where(eq(groups.id, id)).get()?.network,
    device: (id: number) =>
      db.select({ network: devices.network }).from(devices).where(eq(devices.id, id)).get()?.network,
  }
  const found = new Map<number, Stored[]>()
  for (const { scope, scopeId, data } of rows) {
    const network = networkOf[scope](scopeId)
    if (network === undefined) continue
    const before = found.get(network) ?? []
    found.set(network, scope === 'network' ? [read(data), ...before] : [...before, read(data)])
  }
  return found
}

/**
 * The settings kind `trafficLogs`, by network: the one place where it is read. A gateway or a group may have its own, and
 * the records of a network lie together: one that is recorded by any of its gateways is, they are kept as short as any of
 * them says, and go where the network says.
 */
export function trafficLogsNow(runtime: Runtime): Map<number, TrafficLogs> {
  return new Map(
    [...rowsByNetwork(runtime)].map(([network, rows]) => {
      const days = rows.flatMap(row => row.keepDays ?? [])
      const [logServer] = rows.flatMap(row => row.logServer ?? [])
      return [
        network,
        {
          ...{ urlLog: rows.some(row => row.urlLog), natLog: rows.some(row => row.natLog) },
          keepDays: days.length ? Math.min(...days) : usualDays,
          ...(logServer !== undefined && { logServer }),
        },
      ]
    }),
  )
}
