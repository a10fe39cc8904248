import type { PerPage, PrintFormat, QrChoice } from './voucher-print'

// Where vouchers stand on paper. All lengths in mm.

export type Sheet = {
  page: { width: number; height: number }
  columns: number
  rows: number
  /** Around all of them. */
  margin: { x: number; y: number }
  /** Inside each. */
  padding: number
  /** Lines to cut along. */
  cut: boolean
  /** What is beside each other on a card stands below each other on a roll. */
  stacked: boolean
}

const a4 = { width: 210, height: 297 }
const grids: Record<PerPage, { columns: number; rows: number }> = {
  8: { columns: 2, rows: 4 },
  18: { columns: 3, rows: 6 },
  32: { columns: 4, rows: 8 },
}
const roll = (width: number, height: number, x: number): Sheet => ({
  ...{ page: { width, height }, columns: 1, rows: 1, margin: { x, y: 4 }, padding: 0, cut: false, stacked: true },
})

/** What a second QR code makes a roll's page longer. */
const second = 44

export function sheetOf(format: PrintFormat, perPage: PerPage, qr: QrChoice): Sheet {
  const more = qr === 'both' ? second : 0
  if (format === 'roll58') return roll(58, 74 + more, 5)
  if (format === 'roll80') return roll(80, 92 + more, 4)
  if (format === 'labels')
    return { page: a4, columns: 3, rows: 8, margin: { x: 0, y: 0 }, padding: 4, cut: false, stacked: false }
  const padding = perPage === 32 ? 3 : 4.5
  return { page: a4, ...grids[perPage], margin: { x: 10, y: 12 }, padding, cut: true, stacked: false }
}

export type Box = { x: number; y: number; width: number; height: number }

/** The boxes of a page, in reading order: from the right where that is how one reads. */
export function boxesOf({ page, columns, rows, margin }: Sheet, rtl: boolean): Box[] {
  const width = (page.width - 2 * margin.x) / columns
  const height = (page.height - 2 * margin.y) / rows
  return Array.from({ length: columns * rows }, (_, at) => {
    const column = at % columns
    const x = margin.x + (rtl ? columns - 1 - column : column) * width
    return { x, y: margin.y + Math.floor(at / columns) * height, width, height }
  })
}
