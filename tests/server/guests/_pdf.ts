// A PDF as its reader sees it: the text by pdf.js, the QR codes by a camera that looks at what is drawn.
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
  pages.push({ size: page.view.slice(2), text: said.map(one => one.str), places })
}
console.log(JSON.stringify({ title: (await doc.getMetadata()).info.Title, pages }))`

/** `y`: of the base line, from the page's lower edge; pt. */
type Placed = { text: string; x: number; y: number; width: number }
export type ReadPdf = { title: string; pages: { size: number[]; text: string[]; places: Placed[] }[] }

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
