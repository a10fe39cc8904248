import type { CsvColumn } from '@/server/kernel/csv'
import type { RecordKind } from '@/server/worker/intake/record-table'
import type { ShownRecord } from './shown'

/** Times are UTC; what is not known is empty. */
const who: readonly CsvColumn<ShownRecord>[] = [
  ['time', one => new Date(one.at).toISOString()],
  ['client', one => one.client.address],
  ['client_name', one => one.client.name],
  ['client_mac', one => one.client.mac],
]
const gateway: CsvColumn<ShownRecord> = ['gateway', one => one.device?.name ?? 'unknown']

/** Of a file of records. */
export const recordColumns: Record<RecordKind, readonly CsvColumn<ShownRecord>[]> = {
  url: [...who, ['domain', one => one.name], ['type', one => one.type], gateway],
  nat: [
    ...who,
    ['client_port', one => one.port],
    ['translated', one => one.outer],
    ['translated_port', one => one.outerPort],
    ['destination', one => one.target],
    ['destination_port', one => one.targetPort],
    ['protocol', one => one.protocol],
    gateway,
  ],
}
