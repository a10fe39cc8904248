// A PDF as paper: drawn by poppler, another program than the one that reads its text in tests/server/guests/_pdf.ts.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

/** Grey, a byte a pixel, row by row. */
export type Picture = { width: number; height: number; pixels: Buffer }

function ofPgm(bytes: Buffer): Picture {
  const [head = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 40).toString('latin1')) ?? []
  return { width: Number(width), height: Number(height), pixels: bytes.subarray(head.length) }
}

/** The pages of a PDF. */
export function pagesOf(pdf: Buffer, dpi: number): Picture[] {
  const folder = mkdtempSync(join(tmpdir(), 'lanward-paper-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    execFileSync('pdftoppm', ['-gray', '-r', String(dpi), 'in.pdf', 'page'], { cwd: folder })
    const names = readdirSync(folder).filter(name => name.endsWith('.pgm'))
    return names.sort().map(name => ofPgm(readFileSync(join(folder, name))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A part of a picture; lengths in pixels. */
export function cut({ width, pixels }: Picture, x: number, y: number, wide: number, high: number): Picture {
  const rows = Array.from({ length: high }, (_, row) =>
    pixels.subarray((y + row) * width + x, (y + row) * width + x + wide),
  )
  return { width: wide, height: high, pixels: Buffer.concat(rows) }
}

// PNG of 8 bit grey, each row as it is: what this file writes is all it reads.
const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function crcOf(data: Buffer): number {
  let crc = -1
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

function chunk(type: string, body: Buffer): Buffer {
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  const data = Buffer.concat([Buffer.from(type, 'latin1'), body])
  length.writeUInt32BE(body.length)
  crc.writeUInt32BE(crcOf(data))
  return Buffer.concat([length, data, crc])
}

function toPng({ width, height, pixels }: Picture): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = Array.from({ length: height }, (_, row) => [
    Buffer.of(0),
    pixels.subarray(row * width, (row + 1) * width),
  ])
  const body = deflateSync(Buffer.concat(rows.flat()), { level: 9 })
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}

function ofPng(bytes: Buffer): Picture {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)))
  const own = (row: number) => rows.subarray(row * (width + 1) + 1, (row + 1) * (width + 1))
  return { width, height, pixels: Buffer.concat(Array.from({ length: height }, (_, row) => own(row))) }
}

/** Programs of other versions smooth edges otherwise: what counts is how dark a place of this many pixels is. */
const place = 4
const mostDifference = 40

const darkness = ({ width, pixels }: Picture, x: number, y: number): number => {
  let sum = 0
  for (let row = y; row < y + place; row++)
    for (let at = x; at < x + place; at++) sum += pixels[row * width + at] ?? 255
  return sum / place ** 2
}

/** How many places of two pictures differ; all of them where their sizes do. */
function differing(one: Picture, other: Picture): number {
  if (one.width !== other.width || one.height !== other.height) return Number.POSITIVE_INFINITY
  let count = 0
  for (let y = 0; y + place <= one.height; y += place)
    for (let x = 0; x + place <= one.width; x += place)
      if (Math.abs(darkness(one, x, y) - darkness(other, x, y)) > mostDifference) count += 1
  return count
}

/**
 * How many places of a picture are other than in `tests/browser/papers/<name>.png`. With LANWARD_PAPERS=write that is
 * written anew, to be looked at; what was drawn instead is put to LANWARD_PICTURES.
 */
export function unlike(picture: Picture, name: string): number {
  const file = `tests/browser/papers/${name}.png`
  if (process.env.LANWARD_PAPERS === 'write') writeFileSync(file, toPng(picture))
  const found = existsSync(file) ? differing(picture, ofPng(readFileSync(file))) : Number.POSITIVE_INFINITY
  if (found > 0 && process.env.LANWARD_PICTURES)
    writeFileSync(join(process.env.LANWARD_PICTURES, `paper-${name}.png`), toPng(picture))
  return found
}
