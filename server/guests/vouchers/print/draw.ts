import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import type { PerPage, PrintFormat } from '@/model/guests/voucher-print'
import { type Box, boxesOf, type Sheet, sheetOf } from '@/model/guests/voucher-sheet'
import { type Fonts, fontsFor, type Weight } from './fonts'
import { runsOf } from './runs'

/** All that is printed, already worded. */
export type PrintJob = {
  /** node_modules/@fontsource-variable */
  fonts: string
  format: PrintFormat
  perPage: PerPage
  /** One reads from the right. */
  rtl: boolean
  /** Of the PDF, in its reader's window. */
  title: string
  locale: string
  heading: string
  /** A picture above all: the data address of a PNG or JPEG; '': none. */
  logo?: string
  /** Below the heading: the Wi-Fi network. */
  sub: string
  /** Before the code. */
  label: string
  /** What each gives. */
  facts: readonly string[]
  /** `qr`: what its QR code says; none where that is ''. */
  vouchers: readonly { shown: string; qr: string; until: string }[]
}

const mm = 72 / 25.4

type Doc = PDFKit.PDFDocument
type Pen = { doc: Doc; fonts: Fonts }
type Style = { size: number; weight: Weight; colour?: string }

/** pdfkit forgets its layouts where `features` are given; without them it cuts text into words, left to right. */
function keepLayouts(font: { kept?: Map<string, unknown>; layout: (...all: unknown[]) => unknown }): void {
  if (font.kept) return
  const kept = new Map<string, unknown>()
  font.kept = kept
  const lay = font.layout.bind(font)
  font.layout = (text, features, only) => {
    const key = `${Boolean(only)}${text}`
    const known = kept.get(key) ?? lay(text, features, only)
    if (kept.size > 500) kept.clear()
    kept.set(key, known)
    return known
  }
}
// pdfkit's own types leave out the font that is in use.
const fontIn = (doc: Doc) =>
  (doc as unknown as { _font: Parameters<typeof keepLayouts>[0] & { ascender: number } })._font

const asOne = (): PDFKit.Mixins.TextOptions => ({ features: [], lineBreak: false, baseline: 'alphabetic' })

function measured({ doc, fonts }: Pen, text: string, { size, weight }: Style) {
  doc.fontSize(size)
  return runsOf(text, fonts.fontOf(weight)).map(run => {
    doc.font(run.font)
    keepLayouts(fontIn(doc))
    return { ...run, width: doc.widthOfString(run.text, { features: [] }) }
  })
}
const widthOf = (pen: Pen, text: string, style: Style) =>
  measured(pen, text, style).reduce((sum, run) => sum + run.width, 0)

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** As much of a text as fits, with … for the rest. */
function fitted(pen: Pen, text: string, style: Style, width: number): string {
  if (widthOf(pen, text, style) <= width) return text
  const parts = [...segmenter.segment(text)].map(part => part.segment)
  while (parts.length > 1 && widthOf(pen, `${parts.join('')}…`, style) > width) parts.pop()
  return `${parts.join('')}…`
}

type Align = 'start' | 'centre' | 'end'
type Place = { x: number; y: number; width: number; align: Align }
/** A line of text; `y` is its top, pt. */
function line(pen: Pen, text: string, style: Style, { x, y, width, align }: Place): void {
  const { doc } = pen
  const runs = measured(pen, fitted(pen, text, style, width), style)
  const room = width - runs.reduce((sum, run) => sum + run.width, 0)
  let at = x + (align === 'start' ? 0 : align === 'end' ? room : room / 2)
  doc.fillColor(style.colour ?? '#000')
  for (const run of runs) {
    doc.font(run.font).fontSize(style.size)
    doc.text(run.text, at, y + style.size, asOne())
    at += run.width
  }
}

/** Always black on white, with nothing beside it: the quiet zone is the card's padding. */
function qr({ doc }: Pen, text: string, x: number, y: number, size: number): void {
  const { size: count, data } = encode(text, { ecc: 'M', border: 0 })
  const unit = size / count
  for (const [row, cells] of data.entries())
    for (let from = 0; from < count; from++) {
      if (!cells[from]) continue
      let to = from
      while (to < count && cells[to]) to++
      doc.rect(x + from * unit, y + row * unit, (to - from) * unit, unit)
      from = to
    }
  doc.fill('#000')
}

const alignments = { start: {}, centre: { align: 'center' }, end: { align: 'right' } } as const
/** The picture of a job in the place's width, at most so high; resolves to what it takes of the height with its gap, pt. */
function logo({ pen, job }: Pick<Card, 'pen' | 'job'>, { x, y, width, align }: Place, height: number): number {
  if (!job.logo) return 0
  pen.doc.image(job.logo, x, y, { fit: [width, height], ...alignments[align] })
  return height + 1.5
}

const soft = '#444444'
type Card = { pen: Pen; job: PrintJob; voucher: PrintJob['vouchers'][number]; box: Box }

/** Heading and QR code above, code below them, what it gives along the bottom. */
function drawCard({ pen, job, voucher, box }: Card): void {
  const small = box.height < 40
  const side = voucher.qr ? Math.min(box.width * 0.34, box.height * (small ? 0.42 : 0.5)) : 0
  const text = box.width - (side ? side + 3 * mm : 0)
  const start: Align = job.rtl ? 'end' : 'start'
  const left = job.rtl && side ? box.x + side + 3 * mm : box.x
  const place = { x: left, width: text, align: start }
  const sizes = small ? { head: 8, sub: 6, code: 12, facts: 6 } : { head: 9.5, sub: 7, code: 15, facts: 7 }
  const above = logo({ pen, job }, { ...place, y: box.y }, Math.min(box.height * 0.16, 12 * mm))
  const head = above ? sizes.sub + 1 : sizes.head
  line(pen, job.heading, { size: head, weight: 600 }, { ...place, y: box.y + above })
  if (job.sub)
    line(pen, job.sub, { size: sizes.sub, weight: 400, colour: soft }, { ...place, y: box.y + above + head * 1.35 })
  if (side) qr(pen, voucher.qr, job.rtl ? box.x : box.x + box.width - side, box.y, side)
  const lineHeight = sizes.facts * 1.4
  const factsAt = box.y + box.height - 2 * lineHeight
  const rule = factsAt - sizes.facts * 0.5
  const codeAt = rule - sizes.code * 1.5
  const wide = { x: box.x, width: box.width, align: start }
  line(pen, job.label, { size: sizes.sub, weight: 400, colour: soft }, { ...place, y: codeAt - sizes.sub * 1.2 })
  line(pen, voucher.shown, { size: sizes.code, weight: 600 }, { ...(codeAt > box.y + side ? wide : place), y: codeAt })
  pen.doc
    .moveTo(box.x, rule)
    .lineTo(box.x + box.width, rule)
    .lineWidth(0.5)
    .stroke('#c9ced1')
  const style = { size: sizes.facts, weight: 400 } as const
  line(pen, job.facts.join(' · '), style, { ...wide, y: factsAt })
  line(pen, voucher.until, style, { ...wide, y: factsAt + lineHeight })
}

/** One below the other, for a roll. */
function drawSlip({ pen, job, voucher, box }: Card): void {
  const centre = { x: box.x, y: box.y, width: box.width, align: 'centre' } as const
  let y = box.y + logo({ pen, job }, centre, 14 * mm)
  const put = (text: string, style: Style, after: number) => {
    if (text) line(pen, text, style, { ...centre, y })
    y += text ? style.size * 1.35 + after : 0
  }
  put(job.heading, { size: 12, weight: 600 }, 0)
  put(job.sub, { size: 8, weight: 400 }, 2 * mm)
  put(job.label, { size: 8, weight: 400, colour: soft }, 0)
  put(voucher.shown, { size: 19, weight: 600 }, 2 * mm)
  const tail = (job.facts.length + 1) * 8 * 1.35 + 2 * mm
  const side = Math.min(box.width, box.y + box.height - y - tail)
  if (voucher.qr) {
    qr(pen, voucher.qr, box.x + (box.width - side) / 2, y, side)
    y += side + 2 * mm
  }
  for (const fact of [...job.facts, voucher.until]) put(fact, { size: 8, weight: 400 }, 0)
}

function drawVoucher(pen: Pen, sheet: Sheet, job: PrintJob, voucher: PrintJob['vouchers'][number], cell: Box): void {
  const { doc } = pen
  const pad = sheet.padding
  if (sheet.cut)
    doc
      .rect(cell.x * mm, cell.y * mm, cell.width * mm, cell.height * mm)
      .lineWidth(0.4)
      .dash(2, { space: 2 })
      .stroke('#9aa3a8')
      .undash()
  const inside = { x: cell.x + pad, y: cell.y + pad, width: cell.width - 2 * pad, height: cell.height - 2 * pad }
  const box = { x: inside.x * mm, y: inside.y * mm, width: inside.width * mm, height: inside.height * mm }
  const card = { pen, job, voucher, box }
  if (sheet.stacked) drawSlip(card)
  else drawCard(card)
}

function bytesOf(doc: Doc): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((done, failed) => {
    doc.on('data', part => parts.push(part as Buffer))
    doc.on('end', () => done(Buffer.concat(parts)))
    doc.on('error', failed)
  })
}

export type Printed = { pdf: Buffer /** Characters that no font has. */; missing: string[] }

/** Vouchers as a PDF. `onDone` hears how many are drawn, page by page. */
export async function drawVouchers(job: PrintJob, onDone: (count: number) => void = () => undefined): Promise<Printed> {
  const { heading, sub, label, facts, vouchers } = job
  const texts = [heading, sub, label, '·', ...facts, ...vouchers.flatMap(one => [one.shown, one.until])]
  const fonts = await fontsFor(job.fonts, texts)
  const sheet = sheetOf(job.format, job.perPage)
  const size: [number, number] = [sheet.page.width * mm, sheet.page.height * mm]
  const info = { Title: job.title, Creator: 'Lanward' }
  const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false, info, lang: job.locale })
  const bytes = bytesOf(doc)
  for (const font of fonts.fonts) doc.registerFont(font.name, font.bytes)
  const boxes = boxesOf(sheet, job.rtl)
  for (const [at, voucher] of vouchers.entries()) {
    const cell = boxes[at % boxes.length] as Box
    if (at % boxes.length === 0) {
      doc.addPage()
      onDone(at)
    }
    drawVoucher({ doc, fonts }, sheet, job, voucher, cell)
  }
  doc.end()
  const pdf = await bytes
  onDone(vouchers.length)
  return { pdf, missing: fonts.missing }
}
