import Database from 'better-sqlite3'
import { type RecordKind, recordFolder, recordTable, type TrafficRow } from '@/server/worker/intake/record-table'
import { type Kept, type Line, lineTable, openStore, type Table } from '@/server/worker/intake/store'

// What devices said for weeks, written by the store that the reception writes with.

const dayMs = 86_400_000
export const seededDays = 28
const each = 2000
/** More than any of them: nothing goes while they are made. */
const keeping = () => ({ days: 3650, megabytes: 1_000_000 })

/** `count` rows, evenly over the days before now. */
function fill<Row extends Kept>(
  folder: string,
  count: number,
  table: Table<Row>,
  rowOf: (n: number, at: number) => Row,
) {
  const store = openStore<Row>(folder, keeping, table)
  const from = Date.now() - seededDays * dayMs
  for (let n = 0; n < count; n += each) {
    const rows = Array.from({ length: Math.min(each, count - n) }, (_, more) =>
      rowOf(n + more, Math.floor(from + ((n + more) / count) * seededDays * dayMs)),
    )
    store.write(rows)
  }
  store.close()
}

/** A word that stands in one of so many lines. */
export const rare = { flapping: 10_000, overheated: 1_000_000 } as const
const said = (n: number): string => {
  if (n % rare.overheated === 7) return `transceiver overheated in slot ${n % 4}`
  if (n % rare.flapping === 5) return `port ${n % 48} is flapping`
  if (n % 2) return `port ${n % 48} link ${n % 4 > 1 ? 'up' : 'down'} event ${n}`
  const mac = `02:aa:bb:00:${((n >> 8) & 255).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`
  return `wl0: STA ${mac} IEEE 802.11: associated (aid ${n % 2007})`
}

export type Place = { network: number; devices: number }

export const seedLines = (folder: string, count: number, { network, devices }: Place): void =>
  fill<Line>(folder, count, lineTable, (n, at) => ({
    ...{ at, network, device: 1 + (n % devices), way: 'udp', pri: 8 * 3 + (n % 8), host: `dev-${1 + (n % devices)}` },
    ...{ tag: n % 2 ? 'kernel' : 'hostapd[812]', text: said(n) },
  }))

/** A name that clients ask for; few of them often. */
export const nameOf = (n: number): string =>
  n % rare.overheated === 7 ? `rare-${n}.example.net` : `${n % 3 ? `host-${n % 997}` : `cdn-${n % 40_009}`}.example.com`
/** One of 20,000 clients. */
export const clientOf = (n: number): string => `10.9.${(n % 20_000) >> 8}.${(n % 20_000) & 255}`

const ofKind: Readonly<Record<RecordKind, (n: number) => Omit<TrafficRow, 'at' | 'device'>>> = {
  url: n => ({ client: clientOf(n), port: 1024 + (n % 60_000), name: nameOf(n), type: n % 4 ? 'A' : 'AAAA' }),
  nat: n => ({
    ...{ client: clientOf(n), port: 1024 + (n % 60_000), outer: '203.0.113.1', outerPort: 1024 + ((n * 7) % 60_000) },
    ...{ target: `198.51.${(n >> 3) % 97}.${n % 251}`, targetPort: n % 5 ? 443 : 80, protocol: n % 3 ? 'TCP' : 'UDP' },
  }),
}

export function seedRecords(folder: string, kind: RecordKind, count: number, { network, devices }: Place): void {
  const own = recordFolder(folder, network, kind)
  fill<TrafficRow>(own, count, recordTable(own), (n, at) => ({ at, device: 1 + (n % devices), ...ofKind[kind](n) }))
}

/** Both logs of traffic are on in the network, and kept as long as can be. */
export function seedRecording(generation: string, network: number): void {
  const file = new Database(`${generation}/lanward.sqlite`)
  const data = JSON.stringify({ urlLog: true, natLog: true, lawAccepted: true, keepDays: '30' })
  const row = { id: 'bench-traffic', organization: 1, scope: 'network', scope_id: network, kind: 'trafficLogs', data }
  const columns = Object.keys(row)
  file
    .prepare(
      `INSERT INTO documents (${columns.join(', ')}, name, created_at, changed_at, changed_by)
       VALUES (${columns.map(one => `@${one}`).join(', ')}, '', 1, 1, 'bench')`,
    )
    .run(row)
  file.close()
}
