// A PDF as its reader sees it: the text and what is read aloud by pdf.js, the QR codes by a camera that looks at what is drawn.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { inflateSync } from 'node:zlib'
import jsQR from 'jsqr'

const script = `
const { getDocument } = await import('unpdf/pdfjs')
const { readFileSync } = await import('node:fs')
const doc = await getDocument({ data: new Uint8Array(readFileSync(process.argv[1])) }).promise
const pages = []
for (let at = 1; at <= doc.numPages; at++) {
  const page = await doc.getPage(at)
  const { items } = await page.getTextContent()
  const said = items.filter(one => one.str)
  const places = said.map(({ str, width, transform }) => ({ text: str, x: transform[4], y: transform[5], width }))
  const marked = new Map()
  const open = []
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items)
    if (item.type === 'endMarkedContent') open.pop()
    else if (item.type) open.push(item.id)
    else marked.set(open.at(-1), (marked.get(open.at(-1)) ?? '') + item.str)
  const part = ({ role, alt, lang, bbox, children }) => ({
    ...{ role, alt, lang, bbox, parts: children.filter(one => one.role).map(part) },
    text: children.map(one => marked.get(one.id) ?? '').join(''),
  })
  const tree = await page.getStructTree()
  pages.push({ size: page.view.slice(2), text: said.map(one => one.str), places, tree: tree ? part(tree) : null })
}
const { info, metadata } = await doc.getMetadata()
const about = { title: info.Title, language: info.Language, version: info.PDFFormatVersion }
const shown = { xmp: metadata?.getRaw() ?? '', tagged: (await doc.getMarkInfo())?.Marked ?? false }
const titled = (await doc.getViewerPreferences())?.DisplayDocTitle ?? false
console.log(JSON.stringify({ ...about, ...shown, titled, pages }))`

/** `y`: of the base line, from the page's lower edge; pt. */
type Placed = { text: string; x: number; y: number; width: number }
/** What is read aloud. `alt`: in place of what is drawn; `text`: what is drawn, in the order it is drawn. */
export type Part = { role: string; alt?: string; lang?: string; bbox?: number[]; parts: Part[]; text: string }
type Page = { size: number[]; text: string[]; places: Placed[]; tree: Part | null }
/** `xmp`: about the file, XML; `titled`: its window bears its title. */
export type ReadPdf = {
  title: string
  language: string | null
  version: string
  xmp: string
  tagged: boolean
  titled: boolean
  pages: Page[]
}

let made = 0
export function textOf(pdf: Buffer): ReadPdf {
  made += 1
  const file = `${tmpdir()}/lanward-print-${process.pid}-${made}.pdf`
  writeFileSync(file, pdf)
  const args = ['--input-type=module', '-e', script, file]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}

/** What pages draw, unpacked, in their order. */
function drawings(pdf: Buffer): string[] {
  const found: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.subarray(at - 3, at).toString() === 'end') continue
    try {
      found.push(inflateSync(pdf.subarray(at + 'stream\n'.length)).toString('latin1'))
    } catch {
      // A font, or another thing that is packed otherwise.
    }
  }
  return found.filter(text => / re\n/.test(text) || / Tf/.test(text))
}

/** What is painted outside of all that has a meaning or is marked as decoration: operators, page by page. */
export const unmarkedIn = (pdf: Buffer): string[] =>
  drawings(pdf).flatMap(text => {
    let open = 0
    return text.split('\n').filter(row => {
      const [operator = ''] = /\S+$/.exec(row) ?? []
      if (operator === 'BDC' || operator === 'BMC') open += 1
      if (operator === 'EMC') open -= 1
      return open === 0 && /^(f\*?|F|B\*?|b\*?|S|s|Tj|TJ|Do|sh)$/.test(operator)
    })
  })

type Square = { x: number; y: number; width: number; height: number }
const rect = /(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re\n/g

/** A QR code is filled in one go: what stands between two fillings, as black squares on white. */
const codesIn = (text: string): Square[][] =>
  text
    .split(/\nf\n/)
    .map(part =>
      [...part.matchAll(rect)].map(([, x, y, width, height]) => ({
        ...{ x: Number(x), y: Number(y), width: Number(width), height: Number(height) },
      })),
    )
    .map(squares => squares.filter(one => one.height < 20))
    .filter(squares => squares.length > 50)

const dots = 6
function look(squares: Square[]): string | null {
  const [left, top] = [Math.min(...squares.map(one => one.x)), Math.min(...squares.map(one => one.y))]
  const unit = Math.min(...squares.map(one => one.height))
  const right = Math.max(...squares.map(one => one.x + one.width))
  const count = Math.round((right - left) / unit) + 8
  const edge = count * dots
  const pixels = new Uint8ClampedArray(edge * edge * 4).fill(255)
  for (const one of squares) {
    const [x, y, wide] = [(one.x - left) / unit + 4, (one.y - top) / unit + 4, one.width / unit].map(value =>
      Math.round(value * dots),
    ) as [number, number, number]
    for (let row = y; row < y + dots; row++)
      for (let column = x; column < x + wide; column++)
        pixels.fill(0, (row * edge + column) * 4, (row * edge + column) * 4 + 3)
  }
  return jsQR(pixels, edge, edge)?.data ?? null
}

/** What a phone reads from each QR code, page by page. */
export const codesOf = (pdf: Buffer): (string | null)[] => drawings(pdf).flatMap(codesIn).map(look)

/** Where each QR code stands, from the page's upper left corner; pt. */
export const squaresOf = (pdf: Buffer): Square[] =>
  drawings(pdf)
    .flatMap(codesIn)
    .map(squares => {
      const [x, y] = [Math.min(...squares.map(one => one.x)), Math.min(...squares.map(one => one.y))]
      const right = Math.max(...squares.map(one => one.x + one.width))
      return { x, y, width: right - x, height: Math.max(...squares.map(one => one.y + one.height)) - y }
    })
