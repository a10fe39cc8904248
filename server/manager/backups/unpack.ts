import { createHash } from 'node:crypto'
import { closeSync, createReadStream, mkdirSync, openSync, readFileSync, statfsSync, writeSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { programSchema } from '@/db/schema-version'
import { limits } from '@/model/limits'
import { fail, isRefusal } from '@/server/kernel/fail'
import { archiveFormat, archivePattern, isStoredFile, type Manifest, manifestShape } from './manifest'

const megabyte = 1024 * 1024
/** Larger than any manager's data; and what gzip makes of a database is a tenth of it, not a thousandth. */
const maxExpanded = 16 * 1024 * megabyte
const maxManifest = megabyte
/** Of databases; what people gave may be anything, and is bounded by what a manager keeps of it. */
const maxRatio = 200
const ratioFrom = 64 * megabyte

type Taken = { sha256: string; bytes: number }
/** What came of an archive until now. `stored`: files that people gave, as its heads say. */
type Seen = { entries: number; stored: { files: number; bytes: number } }

const isAllowed = (path: string) => path === 'manifest.json' || archivePattern.test(path)

/** Refuses whatever is not a plain file of a known name, once: no folders, links, devices or paths can get in. */
function checkEntry(entry: ReadEntry, taken: Map<string, Taken>, { entries, stored }: Seen): void {
  if (entries === 0 && entry.path !== 'manifest.json')
    fail(isAllowed(entry.path) ? 'backupInvalid' : 'backupForeign', { entry: entry.path.slice(0, 200) })
  if (entry.type !== 'File' && entry.type !== 'OldFile')
    fail('backupUnsafe', { entry: entry.path.slice(0, 200), type: entry.type })
  if (!isAllowed(entry.path) || taken.has(entry.path)) fail('backupUnsafe', { entry: entry.path.slice(0, 200) })
  if (entry.size > (entry.path === 'manifest.json' ? maxManifest : maxExpanded))
    fail('backupTooLarge', { entry: entry.path })
  if (!isStoredFile(entry.path)) return
  stored.files += 1
  stored.bytes += entry.size
  if (stored.files > limits.files || stored.bytes > limits.filesBytes) fail('backupTooLarge', { entry: entry.path })
}

/** Writes one entry as it arrives, hashing it. */
function take(entry: ReadEntry, folder: string, taken: Map<string, Taken>): void {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = openSync(/* turbopackIgnore: true */ `${folder}/${entry.path}`, 'wx', 0o600)
  entry.on('data', (chunk: Buffer) => {
    writeSync(handle, chunk)
    hash.update(chunk)
    bytes += chunk.length
  })
  entry.on('end', () => {
    closeSync(handle)
    taken.set(entry.path, { sha256: hash.digest('hex'), bytes })
  })
}

/** Reads the archive piece by piece into the folder; refuses before anything that is wrong is written. */
async function extract(file: string, folder: string): Promise<Map<string, Taken>> {
  const taken = new Map<string, Taken>()
  const seen: Seen = { entries: 0, stored: { files: 0, bytes: 0 } }
  mkdirSync(/* turbopackIgnore: true */ `${folder}/files`, { mode: 0o700 })
  let problem: unknown
  const parser = new Parser({
    strict: true,
    brotli: false,
    zstd: false,
    onReadEntry(entry) {
      try {
        if (problem) throw problem
        checkEntry(entry, taken, seen)
        seen.entries += 1
        take(entry, folder, taken)
      } catch (error) {
        problem ??= error
        entry.resume()
      }
    },
  })
  parser.on('error', error => {
    problem ??= error
  })
  const source = createReadStream(/* turbopackIgnore: true */ file)
  const unzipped = source.on('error', error => unzipped.destroy(error)).pipe(createGunzip())
  let expanded = 0
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    // The parser would unpack a second layer by itself, past the counting here.
    if (expanded === 0 && chunk[0] === 0x1f && chunk[1] === 0x8b) fail('backupForeign', { reason: 'nested' })
    expanded += chunk.length
    const ratio = (expanded - seen.stored.bytes) / source.bytesRead
    if (expanded > maxExpanded || (expanded > ratioFrom && ratio > maxRatio))
      fail('backupTooLarge', { reason: 'ratio' })
    parser.write(chunk)
    if (problem) break
  }
  source.destroy()
  if (!problem) parser.end()
  if (problem) throw problem
  return taken
}

/** zlib's and tar's words as our codes: cut short and flipped bits are damage, anything else is no backup at all. */
function asRefusal(error: unknown): never {
  if (isRefusal(error)) throw error
  const { code, tarCode } = error as { code?: string; tarCode?: string }
  if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR') {
    const noGzip = /incorrect header check/.test(String(error))
    fail(noGzip ? 'backupForeign' : 'backupDamaged', { reason: noGzip ? 'notGzip' : 'truncated' })
  }
  if (tarCode?.startsWith('TAR_'))
    fail(/truncated/i.test(String(error)) ? 'backupDamaged' : 'backupForeign', { reason: 'notTar' })
  throw error
}

function readManifest(folder: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(/* turbopackIgnore: true */ `${folder}/manifest.json`, 'utf8'))
  } catch {
    fail('backupForeign', { reason: 'manifest' })
  }
  const loose = json as { product?: unknown; format?: unknown; version?: unknown } | null
  if (loose?.product !== 'lanward') fail('backupForeign', { reason: 'product' })
  if (typeof loose.format === 'number' && loose.format > archiveFormat)
    fail('backupNewer', { version: String(loose.version) })
  const parsed = manifestShape.safeParse(json)
  if (!parsed.success) fail('backupInvalid', { reason: parsed.error.issues[0]?.path.join('.') })
  return parsed.data
}

/**
 * Unpacks a backup into an empty folder and proves that it is whole: known files alone, each with the hash its
 * manifest gives. Refuses with backupForeign, backupDamaged, backupUnsafe, backupTooLarge, backupNewer, backupInvalid.
 */
export async function unpackArchive(file: string, folder: string, migrations: string): Promise<Manifest> {
  const taken = await extract(file, folder).catch(asRefusal)
  if (!taken.has('manifest.json')) fail('backupForeign', { reason: 'manifest' })
  const manifest = readManifest(folder)
  if (manifest.schema > programSchema(migrations)) fail('backupNewer', { version: manifest.version })
  if (!manifest.files['lanward.sqlite']) fail('backupInvalid', { reason: 'files' })
  for (const name of new Set([...Object.keys(manifest.files), ...taken.keys()])) {
    if (name === 'manifest.json') continue
    const [said, got] = [manifest.files[name], taken.get(name)]
    if (said?.sha256 !== got?.sha256 || said?.bytes !== got?.bytes) fail('backupDamaged', { entry: name })
  }
  return manifest
}

/** Only the manifest of an archive, for lists: undefined when the file is none of ours. Reads its first kilobytes. */
export async function peekManifest(file: string): Promise<Manifest | undefined> {
  const parts: Buffer[] = []
  let done = false
  const parser = new Parser({
    onReadEntry(entry) {
      if (entry.path !== 'manifest.json' || entry.size > maxManifest) done = true
      else entry.on('data', (chunk: Buffer) => parts.push(chunk))
      entry.on('end', () => {
        done = true
      })
      entry.resume()
    },
  })
  const source = createReadStream(/* turbopackIgnore: true */ file)
  try {
    for await (const chunk of source.pipe(createGunzip()) as AsyncIterable<Buffer>) {
      parser.write(chunk)
      if (done) break
    }
    return manifestShape.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
  } catch {
    return undefined
  } finally {
    source.destroy()
  }
}

/** Bytes free for this user on the disk of a folder. */
export function freeBytes(folder: string): number {
  const disk = statfsSync(/* turbopackIgnore: true */ folder)
  return disk.bavail * disk.bsize
}
