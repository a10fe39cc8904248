import type { SQL } from 'drizzle-orm'
import { csvLine } from '@/server/kernel/csv'
import type { Runtime } from '@/server/kernel/runtime'
import { headOf } from './head'
import { type LogView, logBatch, type Viewer } from './query'

const batch = 500

const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return '(none)'
  if (typeof value === 'object' && (value as { set?: unknown }).set === true) return '(secret)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Columns of the table, in order. */
const columns: readonly [string, (row: LogView) => string | number | undefined][] = [
  ['number', row => row.id],
  ['time', row => new Date(row.at).toISOString()],
  ['account', row => row.account],
  ['address', row => row.address],
  ['network', row => row.network?.name ?? row.network?.id],
  ['action', row => row.action],
  ['object', row => row.object],
  ['name', row => row.name],
  [
    'changes',
    row =>
      Object.entries(row.fields)
        .map(([key, [before, after]]) => `${key}: ${valueText(before)} → ${valueText(after)}`)
        .join('\n'),
  ],
]

type Shape = { type: string; begin: string; row(view: LogView, first: boolean): string; end: string }

const shapes = {
  csv: () => ({
    type: 'text/csv; charset=utf-8',
    begin: `\uFEFF${csvLine(columns.map(([head]) => head))}`,
    row: view => csvLine(columns.map(([, of]) => of(view))),
    end: '',
  }),
  json: (head: string) => ({
    type: 'application/json; charset=utf-8',
    begin: `{"head":${JSON.stringify(head)},"result":[`,
    row: (view, first) => `${first ? '' : ','}\n${JSON.stringify(view)}`,
    end: '\n]}\n',
  }),
} as const satisfies Record<string, (head: string) => Shape>
export type ExportFormat = keyof typeof shapes

function* pieces({ db }: Runtime, where: SQL | undefined, view: Viewer, shape: Shape): Generator<string> {
  yield shape.begin
  let before = Number.MAX_SAFE_INTEGER
  for (let first = true; ; ) {
    const rows = logBatch(db, where, before, batch)
    let text = ''
    for (const row of rows) {
      text += shape.row(view(row), first)
      first = false
    }
    if (text) yield text
    if (rows.length < batch) break
    before = rows.at(-1)?.id ?? 0
  }
  yield shape.end
}

/** A download of all entries that match, newest first, read as fast as it is taken. Times are UTC. */
export function exportLog(runtime: Runtime, where: SQL | undefined, view: Viewer, format: ExportFormat): Response {
  const shape: Shape = shapes[format](headOf(runtime.sqlite))
  const source = pieces(runtime, where, view, shape)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = source.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': shape.type,
      'content-disposition': `attachment; filename="changelog.${format}"`,
      'cache-control': 'no-store',
    },
  })
}
