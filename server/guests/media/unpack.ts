import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { mediaNameCharacters } from '@/model/guests/media'

// The page that a house made itself: a tar.gz with index.html. Nothing of it becomes a file here: each entry is a row under
// its path, so that there is no folder to get out of.

export type PageFile = { path: string; type: string; data: Buffer }
export type PageProblem = 'mediaArchive' | 'pageUnsafe' | 'pageType' | 'pageIndex' | 'pageLarge' | 'pageMany'

const mostFiles = 200
/** Of 5 MB packed. */
const mostBytes = 20 * 1024 * 1024

export const index = 'index.html'
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  mp4: 'video/mp4',
}
const typeOf = (path: string): string | undefined => types[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '']

/** Letters, digits and a few marks between slashes: what stands in an address as it is, and leads nowhere up. */
const isSafe = (path: string): boolean =>
  path.length <= mediaNameCharacters &&
  /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path) &&
  !path.split('/').some(part => part.includes('..'))
/** What some programs add beside the files. */
const isBeside = (path: string) => /(^|\/)(\._|\.DS_Store|__MACOSX\/|PaxHeader)/.test(path)

/** No other packing: of gzip, zstd. A name begins with a character of its own. */
const isTar = (head: Buffer) => !['1f8b', '28b5'].includes(head.subarray(0, 2).toString('hex'))

class Unfit extends Error {
  constructor(readonly problem: PageProblem) {
    super(problem)
  }
}

function take(entry: ReadEntry, files: Map<string, PageFile>, size: { bytes: number }): void {
  const path = entry.path.replace(/^(\.\/)+/, '')
  if (entry.type === 'Directory' || isBeside(path)) {
    entry.resume()
    return
  }
  if (entry.type !== 'File' && entry.type !== 'OldFile') throw new Unfit('pageUnsafe')
  if (!isSafe(path) || files.has(path)) throw new Unfit('pageUnsafe')
  const type = typeOf(path)
  if (!type) throw new Unfit('pageType')
  if (files.size >= mostFiles) throw new Unfit('pageMany')
  size.bytes += entry.size
  if (size.bytes > mostBytes) throw new Unfit('pageLarge')
  const parts: Buffer[] = []
  const file = { path, type, data: Buffer.alloc(0) }
  files.set(path, file)
  entry.on('data', (part: Buffer) => parts.push(Buffer.from(part)))
  entry.on('end', () => {
    file.data = Buffer.concat(parts)
  })
}

/** All in one folder is as good as without it. */
function withoutFolder(files: readonly PageFile[]): PageFile[] {
  const [folder = ''] = files[0]?.path.split('/') ?? []
  const inOne = folder !== '' && files.every(one => one.path.startsWith(`${folder}/`))
  return inOne ? files.map(one => ({ ...one, path: one.path.slice(folder.length + 1) })) : [...files]
}

/** The files of a page, by their paths, with `index.html` among them; or what is wrong with the archive. */
export async function unpackPage(archive: Buffer): Promise<PageFile[] | { problem: PageProblem }> {
  const files = new Map<string, PageFile>()
  const size = { bytes: 0 }
  let unpacked = 0
  try {
    await new Promise<void>((done, failed) => {
      const gunzip = createGunzip()
      const parser = new Parser({
        ...{ strict: true, brotli: false, zstd: false },
        onReadEntry(entry) {
          try {
            take(entry, files, size)
          } catch (error) {
            gunzip.destroy()
            failed(error)
          }
        },
      })
      parser.on('error', () => failed(new Unfit('mediaArchive')))
      parser.on('end', done)
      // What stands behind the end is nobody's: the parser would go on through it, block by block.
      parser.on('eof', () => {
        gunzip.destroy()
        done()
      })
      gunzip.on('error', () => failed(new Unfit('mediaArchive')))
      gunzip.on('data', (part: Buffer) => {
        // What is packed twice would be unpacked by the parser, without a bound.
        if (unpacked === 0 && !isTar(part)) return failed(new Unfit('mediaArchive'))
        unpacked += part.length
        // Padding and headers count, too: a bomb need not have large files.
        if (unpacked > mostBytes + mostFiles * 2048) {
          gunzip.destroy()
          return failed(new Unfit('pageLarge'))
        }
        parser.write(part)
      })
      gunzip.on('end', () => parser.end())
      gunzip.end(archive)
    })
  } catch (error) {
    return { problem: error instanceof Unfit ? error.problem : 'mediaArchive' }
  }
  const found = withoutFolder([...files.values()])
  return found.some(one => one.path === index) ? found : { problem: 'pageIndex' }
}
