import { setImmediate } from 'node:timers/promises'
import { encode } from 'uqr'
import type { PerPage, PrintFormat, QrChoice } from '@/model/guests/voucher-print'
import { type Box, boxesOf, type Sheet, sheetOf } from '@/model/guests/voucher-sheet'
import { bytesOf } from './bytes'
import { type Fonts, fontsFor, type Weight } from './fonts'
import { directed, isolated, readAs, runsOf } from './runs'
import { decoration, languageOf, part, type Role, type Section, taggedDocument } from './tags'

/** All that is printed, already worded. */
export type PrintJob = {
  /** node_modules/@fontsource-variable */
  fonts: string
  format: PrintFormat
  perPage: PerPage
  qr: QrChoice
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
  /** Below QR codes where there are two: the first is to be scanned first. */
  captions: readonly [string, string]
  /** What each QR code of a voucher does, for who does not see it. */
  alternatives: readonly string[]
  /** `qrs`: what its QR codes say; `own`: what is its own of the facts. */
  vouchers: readonly { shown: string; qrs: readonly string[]; own: readonly string[] }[]
}

const mm = 72 / 25.4

type Doc = PDFKit.PDFDocument
/** `section`: of the voucher that is drawn. */
type Pen = { doc: Doc; fonts: Fonts; locale: string; section: Section }
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
function line(pen: Pen, text: string, style: Style, { x, y, width, align }: Place, role: Role = 'text'): void {
  const { doc } = pen
  const drawn = fitted(pen, text, style, width)
  const runs = measured(pen, drawn, style)
  const room = width - runs.reduce((sum, run) => sum + run.width, 0)
  let at = x + (align === 'start' ? 0 : align === 'end' ? room : room / 2)
  const about = { actual: readAs(text, drawn), lang: languageOf(text, pen.locale) }
  part(doc, pen.section, role, about, () => {
    doc.fillColor(style.colour ?? '#000')
    for (const run of runs) {
      doc.font(run.font).fontSize(style.size)
      doc.text(run.text, at, y + style.size, asOne())
      at += run.width
    }
  })
}

type Column = { x: number; y: number; side: number }
/** Always black on white, with nothing beside it: the quiet zone is the card's padding. */
function qr({ doc, section }: Pen, text: string, { x, y, side, alt }: Column & { alt: string }): void {
  const { size: count, data } = encode(text, { ecc: 'M', border: 0 })
  const unit = side / count
  // Written at once: pdfkit passes each rectangle through its streams on its own, which takes most of a print's time.
  const squares: string[] = []
  for (const [row, cells] of data.entries())
    for (let from = 0; from < count; from++) {
      if (!cells[from]) continue
      let to = from
      while (to < count && cells[to]) to++
      squares.push([x + from * unit, y + row * unit, (to - from) * unit, unit].map(one => one.toFixed(3)).join(' '))
      from = to
    }
  part(doc, section, 'picture', { alt, bbox: [x, y, x + side, y + side] }, () =>
    doc.addContent(squares.map(one => `${one} re`).join('\n')).fill('#000'),
  )
}

const alignments = { start: {}, centre: { align: 'center' }, end: { align: 'right' } } as const
/** The picture of a job in the place's width, at most so high; resolves to what it takes of the height with its gap, pt. */
function logo({ pen, job }: Pick<Card, 'pen' | 'job'>, { x, y, width, align }: Place, height: number): number {
  if (!job.logo) return 0
  // Nobody said what it shows, and whose it is stands below it.
  decoration(pen.doc, () => pen.doc.image(job.logo as string, x, y, { fit: [width, height], ...alignments[align] }))
  return height + 1.5
}

const soft = '#444444'
type Card = { pen: Pen; job: PrintJob; voucher: PrintJob['vouchers'][number]; box: Box }

const gap = 3 * mm
/** Of a caption: its line below a QR code, pt. */
const caption = { size: 6, height: 10 } as const

/** The codes of a voucher below each other, from above; two have captions. Returns where they end, pt. */
function drawCodes({ pen, job, voucher: { qrs } }: Card, { x, y, side, after }: Column & { after: number }): number {
  const two = qrs.length > 1
  return qrs.reduce((top, text, at) => {
    qr(pen, text, { x, y: top, side, alt: job.alternatives[at] ?? '' })
    const below = { x: x - after, y: top + side + 1, width: side + 2 * after, align: 'centre' } as const
    if (two) line(pen, job.captions[at] ?? '', { size: caption.size, weight: 600 }, below)
    return top + side + (two ? caption.height : 0) + after
  }, y)
}

type Lines = { width: number; most: number }
/** Facts in at most so many lines, as many beside each other as fit; the last one takes the rest. */
function packed({ pen, job }: Card, facts: readonly string[], style: Style, { width, most }: Lines) {
  const lines: string[] = []
  for (const fact of facts) {
    const last = lines.pop()
    const own = isolated(fact)
    const longer = last === undefined ? directed(own, job.rtl) : `${last} · ${own}`
    if (last === undefined || lines.length + 1 >= most || widthOf(pen, longer, style) <= width) lines.push(longer)
    else lines.push(last, directed(own, job.rtl))
  }
  return lines
}

/** The style in which a text that must not be cut fits. */
function fitting(pen: Pen, text: string, style: Style, width: number): Style {
  const share = Math.min(1, width / widthOf(pen, text, style))
  return { ...style, size: Math.floor(style.size * share * 10) / 10 }
}

/** Heading and QR code above, code below them, what it gives along the bottom; two QR codes take the whole height at the side. */
function drawCard(card: Card): void {
  const { pen, job, voucher, box } = card
  const two = voucher.qrs.length > 1
  const one = voucher.qrs.length === 1 ? Math.min(box.width * 0.34, box.height * 0.5) : 0
  const side = two ? Math.min(box.width * 0.34, (box.height - 2 * caption.height - 1 * mm) / 2) : one
  const text = box.width - (side ? side + gap : 0)
  const start: Align = job.rtl ? 'end' : 'start'
  const left = job.rtl && side ? box.x + side + gap : box.x
  const place = { x: left, width: text, align: start }
  const sizes = { head: 9.5, sub: 7, code: 15, facts: 7 }
  const above = logo({ pen, job }, { ...place, y: box.y }, Math.min(box.height * 0.16, 12 * mm))
  const head = above ? sizes.sub + 1 : sizes.head
  line(pen, job.heading, { size: head, weight: 600 }, { ...place, y: box.y + above }, 'heading')
  if (job.sub)
    line(pen, job.sub, { size: sizes.sub, weight: 400, colour: soft }, { ...place, y: box.y + above + head * 1.35 })
  drawCodes(card, { x: job.rtl ? box.x : box.x + box.width - side, y: box.y, side, after: two ? 1 * mm : 0 })
  const lineHeight = sizes.facts * 1.4
  const style = { size: sizes.facts, weight: 400 } as const
  const wide = two ? place : { x: box.x, width: box.width, align: start }
  // What stands above the facts, from the heading to the line below the code.
  const taken = above + head * 1.35 + sizes.sub * 2.55 + sizes.code * 1.5 + sizes.facts * 0.5
  const most = two ? Math.max(2, Math.floor((box.height - taken) / lineHeight)) : 2
  const own = packed(card, voucher.own, style, { width: wide.width, most: most - 1 })
  const facts = packed(card, job.facts, style, { width: wide.width, most: Math.max(1, most - own.length) })
  const rows = [...facts, ...own]
  const factsAt = box.y + box.height - rows.length * lineHeight
  const rule = factsAt - sizes.facts * 0.5
  const codeAt = rule - sizes.code * 1.5
  line(pen, job.label, { size: sizes.sub, weight: 400, colour: soft }, { ...place, y: codeAt - sizes.sub * 1.2 })
  const code = { size: sizes.code, weight: 600 } as const
  const beside = codeAt > box.y + side ? wide : place
  line(pen, voucher.shown, fitting(pen, voucher.shown, code, beside.width), { ...beside, y: codeAt })
  decoration(pen.doc, () =>
    pen.doc
      .moveTo(wide.x, rule)
      .lineTo(wide.x + wide.width, rule)
      .lineWidth(0.5)
      .stroke('#c9ced1'),
  )
  for (const [at, row] of rows.entries()) line(pen, row, style, { ...wide, y: factsAt + at * lineHeight })
}

/** One below the other, for a roll. */
function drawSlip(card: Card): void {
  const { pen, job, voucher, box } = card
  const centre = { x: box.x, y: box.y, width: box.width, align: 'centre' } as const
  let y = box.y + logo({ pen, job }, centre, 14 * mm)
  const put = (text: string, style: Style, after: number, role?: Role) => {
    if (text) line(pen, text, style, { ...centre, y }, role)
    y += text ? style.size * 1.35 + after : 0
  }
  put(job.heading, { size: 12, weight: 600 }, 0, 'heading')
  put(job.sub, { size: 8, weight: 400 }, 2 * mm)
  put(job.label, { size: 8, weight: 400, colour: soft }, 0)
  put(voucher.shown, fitting(pen, voucher.shown, { size: 19, weight: 600 }, box.width), 2 * mm)
  const count = voucher.qrs.length
  const tail = (job.facts.length + voucher.own.length) * 8 * 1.35
  const each = (box.y + box.height - y - tail) / Math.max(1, count)
  const side = Math.min(box.width, each - 2 * mm - (count > 1 ? caption.height : 0))
  y = drawCodes(card, { x: box.x + (box.width - side) / 2, y, side, after: 2 * mm })
  for (const fact of [...job.facts, ...voucher.own]) put(fact, { size: 8, weight: 400 }, 0)
}

/** The line to cut along. */
function drawCut(doc: Doc, cell: Box): void {
  doc
    .rect(cell.x * mm, cell.y * mm, cell.width * mm, cell.height * mm)
    .lineWidth(0.4)
    .dash(2, { space: 2 })
    .stroke('#9aa3a8')
    .undash()
}

function drawVoucher(pen: Pen, sheet: Sheet, job: PrintJob, voucher: PrintJob['vouchers'][number], cell: Box): void {
  const pad = sheet.padding
  if (sheet.cut) decoration(pen.doc, () => drawCut(pen.doc, cell))
  const inside = { x: cell.x + pad, y: cell.y + pad, width: cell.width - 2 * pad, height: cell.height - 2 * pad }
  const box = { x: inside.x * mm, y: inside.y * mm, width: inside.width * mm, height: inside.height * mm }
  const card = { pen, job, voucher, box }
  if (sheet.stacked) drawSlip(card)
  else drawCard(card)
}

export type Printed = { pdf: Buffer /** Characters that no font has. */; missing: string[] }

/** Vouchers as a PDF. `onDone` hears how many are drawn, page by page. */
export async function drawVouchers(job: PrintJob, onDone: (count: number) => void = () => undefined): Promise<Printed> {
  const { heading, sub, label, facts, captions, vouchers } = job
  const texts = [heading, sub, label, '·', ...facts, ...captions, ...vouchers.flatMap(one => [one.shown, ...one.own])]
  const fonts = await fontsFor(job.fonts, texts)
  const sheet = sheetOf(job.format, job.perPage, job.qr)
  const size: [number, number] = [sheet.page.width * mm, sheet.page.height * mm]
  const { title, locale } = job
  const { doc, root } = taggedDocument({ size, title, locale, whole: fonts.missing.length === 0 })
  const bytes = bytesOf(doc)
  // Until it flows it keeps each part by itself.
  await setImmediate()
  for (const font of fonts.fonts) doc.registerFont(font.name, font.bytes)
  const boxes = boxesOf(sheet, job.rtl)
  for (const [at, voucher] of vouchers.entries()) {
    const cell = boxes[at % boxes.length] as Box
    if (at % boxes.length === 0) {
      doc.addPage()
      onDone(at)
    }
    const section = doc.struct('Sect', { title: voucher.shown })
    drawVoucher({ doc, fonts, locale, section }, sheet, job, voucher, cell)
    // What is ended is written to the file and kept no longer.
    section.end()
    root.add(section)
  }
  doc.end()
  const pdf = await bytes
  onDone(vouchers.length)
  return { pdf, missing: fonts.missing }
}
