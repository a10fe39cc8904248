// Comma-separated values (RFC 4180), in and out.

/** `row` counts as a spreadsheet does: from 1, empty rows too, and a cell with line ends in it is one row. */
export type CsvRow = { row: number; cells: string[] }

const delimiters = [',', ';', '\t'] as const

/** A first line by which Excel is told the delimiter. */
const toldLine = /^"?sep=([^\r\n"])"?(?=[\r\n])/i

/** What divides the cells of a file: what it says, else what its head line has most of outside quotes. Values may hold the others. */
function delimiterOf(source: string): string {
  const told = toldLine.exec(source)?.[1]
  if (told) return told
  const [head = ''] = /[^\r\n]+/.exec(source.replace(/"(?:[^"]|"")*"/g, '')) ?? []
  const counts = delimiters.map(one => head.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * Rows of cells, divided by commas, semicolons or tabs, whichever the head line is divided by, or as a line `sep=;` before
 * it says; quotes may hold these, quotes and line ends. Rows end by CR, LF or both. A byte order mark, the line `sep=` and
 * empty rows are passed by, and counted.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  let count = 0
  let cells: string[] = []
  let cell = ''
  let quoted = false
  const marked = text.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(marked)
  const source = marked.replace(toldLine, '')
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    count += 1
    if (cells.some(one => one.trim())) rows.push({ row: count, cells })
    cells = []
  }
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    if (quoted) {
      if (char !== '"') cell += char
      else if (source[at + 1] === '"') cell += source[at++]
      else quoted = false
    } else if (char === '"' && cell === '') quoted = true
    else if (char === delimiter) endCell()
    else if (char === '\n' || (char === '\r' && source[at + 1] !== '\n')) endRow()
    else if (char !== '\r') cell += char
  }
  endRow()
  return rows
}

/**
 * A cell that no spreadsheet takes for a formula: a leading = + - @ tab or line end gets an apostrophe before
 * it. Numbers stay numbers.
 */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One row with its line end. */
export const csvLine = (cells: readonly (string | number | undefined)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

export const csvText = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  `\uFEFF${rows.map(csvLine).join('')}`

/** The name of such a file: what it lists and the day. */
export const csvName = (name: string, now: number): string => `${name}-${new Date(now).toISOString().slice(0, 10)}.csv`

const answered = (body: BodyInit, name: string): Response =>
  new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })

/** Such a file to keep. `now` in unix ms. */
export const csvFile = (name: string, rows: Parameters<typeof csvText>[0], now: number): Response =>
  answered(csvText(rows), csvName(name, now))

/** A column by its head, and a row's cell in it; what is absent is empty. */
export type CsvColumn<Row> = readonly [head: string, cell: (row: Row) => string | number | undefined]

type Pages<Row> = {
  columns: readonly CsvColumn<Row>[]
  /** Rows from there on; `next`: where to go on, absent after the last. */
  page(before?: number): Promise<{ rows: readonly Row[]; next?: number | undefined }>
  /** Beyond, the file ends as one that broke off. */
  limitMs?: number
}

/** A file of all pages of a list, of which one is read whenever the reader wants more. */
export function csvPages<Row>(name: string, { columns, page, limitMs = Infinity }: Pages<Row>): Response {
  const encoder = new TextEncoder()
  const end = performance.now() + limitMs
  let text = `\uFEFF${csvLine(columns.map(([head]) => head))}`
  let before: number | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (performance.now() > end) return controller.error(new Error('the export took too long'))
        const { rows, next } = await page(before)
        text += rows.map(row => csvLine(columns.map(([, cell]) => cell(row)))).join('')
        controller.enqueue(encoder.encode(text))
        text = ''
        before = next
        if (next === undefined) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return answered(body, name)
}
