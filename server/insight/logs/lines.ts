import { indexedDevices } from '@/server/devices/inventory/device-index'
import type { NetworkContext } from '@/server/kernel/call'
import { type CsvColumn, csvPages } from '@/server/kernel/csv'
import type { LogPage, LogQuery, LogRow } from '@/server/worker/intake/search'
import { logsPart } from './reception'

/** A line as a call answers it. */
export type ShownLine = Omit<LogRow, 'device'> & {
  /** null: the sender is no device, or one that is gone from the network. */
  device: { id: number; name: string } | null
}

/** Lines with the devices' names of now. */
export function showing({ runtime, network }: NetworkContext): (line: LogRow) => ShownLine {
  const names = new Map(indexedDevices(runtime, network.id).map(({ id, name }) => [id, name]))
  return ({ device, ...line }) => {
    const name = names.get(device)
    return { ...line, device: name === undefined ? null : { id: device, name } }
  }
}

export const findLines = async ({ runtime }: NetworkContext, query: LogQuery): Promise<LogPage> =>
  (await logsPart.find(runtime)?.find(query)) ?? { lines: [] }

const severities = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const

/** What is not known is a word. */
const columns: readonly CsvColumn<ShownLine>[] = [
  ['time', line => new Date(line.at).toISOString()],
  ['device', line => line.device?.name ?? 'unknown'],
  ['address', line => line.source],
  ['severity', line => severities[line.severity ?? -1] ?? 'unknown'],
  ['facility', line => line.facility ?? 'unknown'],
  ['protocol', line => line.way],
  ['program', line => line.tag],
  ['text', line => line.text],
]

/** A CSV file of what `query` finds page by page, newest first. Times are UTC. */
export function exportLines(context: NetworkContext, query: (before?: number) => LogQuery): Response {
  const shown = showing(context)
  return csvPages('logs.csv', {
    columns,
    async page(before) {
      const { lines, next } = await findLines(context, query(before))
      return { rows: lines.map(shown), next }
    },
  })
}
