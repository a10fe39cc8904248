import { csvLine } from '@/server/kernel/csv'
import type { RecordKind } from '@/server/worker/intake/record-table'
import type { FoundPage } from './find'
import type { ShownRecord } from './shown'

type Column = readonly [string, (record: ShownRecord) => string | number | undefined]

/** Times are UTC; what is not known is empty. */
const who: readonly Column[] = [
  ['time', one => new Date(one.at).toISOString()],
  ['client', one => one.client.address],
  ['client_name', one => one.client.name],
  ['client_mac', one => one.client.mac],
]
const gateway: Column = ['gateway', one => one.device?.name ?? 'unknown']
const columns: Record<RecordKind, readonly Column[]> = {
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

type Options = {
  kind: RecordKind
  /** unix ms: of the file's name. */
  now: number
  /** Beyond, the file ends as one that broke off. */
  limitMs: number
  page(before?: number): Promise<FoundPage>
}

/** A CSV file of all pages, read as fast as it is taken; cells that a spreadsheet would run are defused. */
export function recordFile({ kind, now, limitMs, page }: Options): Response {
  const encoder = new TextEncoder()
  const shown = columns[kind]
  const end = performance.now() + limitMs
  let before: number | undefined
  let begun = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (performance.now() > end) return controller.error(new Error('the export took too long'))
        const { records, next } = await page(before)
        before = next
        const head = begun ? '' : `\uFEFF${csvLine(shown.map(([name]) => name))}`
        begun = true
        const rows = records.map(record => csvLine(shown.map(([, of]) => of(record))))
        controller.enqueue(encoder.encode(head + rows.join('')))
        if (next === undefined) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${kind}-records-${new Date(now).toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
    },
  })
}
