// What a house puts on its portal's page: judged by what is in a file, never by its name. Rule G18.

const megabyte = 1024 * 1024

export const mediaSorts = {
  logo: { pictures: true, bytes: megabyte },
  background: { pictures: true, bytes: 3 * megabyte },
  adImage: { pictures: true, bytes: 3 * megabyte },
  adVideo: { pictures: false, bytes: 5 * megabyte },
  page: { pictures: false, bytes: 5 * megabyte },
} as const satisfies Record<string, { pictures: boolean; bytes: number }>
export type MediaSort = keyof typeof mediaSorts
export const mediaSortNames = Object.keys(mediaSorts) as [MediaSort, ...MediaSort[]]
/** What a browser offers to choose from. */
export const mediaAccept: Record<MediaSort, string> = {
  logo: 'image/png,image/jpeg,image/bmp',
  background: 'image/png,image/jpeg,image/bmp',
  adImage: 'image/png,image/jpeg,image/bmp',
  adVideo: 'video/mp4',
  page: '.tar.gz,.tgz,application/gzip',
}
/** Rule G18. */
export const mediaNameCharacters = 128

export type MediaProblem =
  | 'mediaEmpty'
  | 'mediaTooLarge'
  | 'mediaPicture'
  | 'mediaPixels'
  | 'mediaVideo'
  | 'mediaArchive'
type Size = { width: number; height: number }
/** More than a phone wants to unfold: a small file may hold a huge picture. */
const mostPixels = 40_000_000

const startsWith = (bytes: Uint8Array, head: readonly number[], at = 0) => head.every((one, i) => bytes[at + i] === one)
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
function pngSize(bytes: Uint8Array): Size | undefined {
  if (!startsWith(bytes, pngHead) || bytes.length < 33 || textAt(bytes, 12, 4) !== 'IHDR') return undefined
  return { width: viewOf(bytes).getUint32(16), height: viewOf(bytes).getUint32(20) }
}

function bmpSize(bytes: Uint8Array): Size | undefined {
  if (!startsWith(bytes, [0x42, 0x4d]) || bytes.length < 54 || viewOf(bytes).getUint32(14, true) < 40) return undefined
  return { width: viewOf(bytes).getInt32(18, true), height: Math.abs(viewOf(bytes).getInt32(22, true)) }
}

/** Of a frame: SOF0 to SOF15 but those that are tables (C4, C8, CC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
function jpegSize(bytes: Uint8Array): Size | undefined {
  if (!startsWith(bytes, [0xff, 0xd8, 0xff])) return undefined
  const view = viewOf(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Fill bytes.
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}

const pictures = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/bmp': bmpSize } as const

function pictureType(bytes: Uint8Array): { type: string } | { problem: MediaProblem } {
  for (const [type, sizeOf] of Object.entries(pictures)) {
    const size = sizeOf(bytes)
    if (!size) continue
    if (size.width < 1 || size.height < 1) break
    return size.width * size.height > mostPixels ? { problem: 'mediaPixels' } : { type }
  }
  return { problem: 'mediaPicture' }
}

type Box = { type: string; from: number; to: number }
/** The boxes of ISO/IEC 14496-12 between two places; none where lengths do not fit. */
function boxes(bytes: Uint8Array, from: number, to: number): Box[] {
  const found: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const short = viewOf(bytes).getUint32(at)
    const long = short === 1 && at + 16 <= to
    const size = long ? Number(viewOf(bytes).getBigUint64(at + 8)) : short === 0 ? to - at : short
    if (size < 8 || at + size > to) return []
    found.push({ type: textAt(bytes, at + 4, 4), from: at + (long ? 16 : 8), to: at + size })
    at += size
  }
  return found
}

/** The first box at the end of a way of box types. */
function within(bytes: Uint8Array, box: Box, way: readonly string[]): Box | undefined {
  const [first, ...rest] = way
  if (first === undefined) return box
  const next = boxes(bytes, box.from, box.to).find(one => one.type === first)
  return next && within(bytes, next, rest)
}

/** How the first sample of a track is coded: `avc1`. */
function codingOf(bytes: Uint8Array, track: Box): { handler: string; coding: string } | undefined {
  const handler = within(bytes, track, ['mdia', 'hdlr'])
  const samples = within(bytes, track, ['mdia', 'minf', 'stbl', 'stsd'])
  if (!handler || !samples) return undefined
  return { handler: textAt(bytes, handler.from + 8, 4), coding: textAt(bytes, samples.from + 12, 4) }
}

/** MP4 whose pictures are H.264 (`avc1`, `avc3`): what every phone plays. */
function isH264(bytes: Uint8Array): boolean {
  const all = boxes(bytes, 0, bytes.length)
  if (all[0]?.type !== 'ftyp') return false
  const movie = all.find(one => one.type === 'moov')
  const tracks = movie ? boxes(bytes, movie.from, movie.to).filter(one => one.type === 'trak') : []
  const videos = tracks.flatMap(one => codingOf(bytes, one) ?? []).filter(one => one.handler === 'vide')
  return videos.length > 0 && videos.every(one => one.coding === 'avc1' || one.coding === 'avc3')
}

/** The type of a file's content, or what is wrong with it. A page's archive is looked at further where it is unpacked. */
export function judgeMedia(sort: MediaSort, bytes: Uint8Array): { type: string } | { problem: MediaProblem } {
  const { bytes: most, pictures: isPicture } = mediaSorts[sort]
  if (bytes.length === 0) return { problem: 'mediaEmpty' }
  if (bytes.length > most) return { problem: 'mediaTooLarge' }
  if (isPicture) return pictureType(bytes)
  if (sort === 'adVideo') return isH264(bytes) ? { type: 'video/mp4' } : { problem: 'mediaVideo' }
  return startsWith(bytes, [0x1f, 0x8b, 8]) ? { type: 'application/gzip' } : { problem: 'mediaArchive' }
}
