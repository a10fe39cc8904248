import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import Database from 'better-sqlite3'
import { openDatabase } from './client'
import { databaseSchema, integrityProblems, oldestSchema, programSchema } from './schema-version'

/*
 * The data folder:
 *   current               name of the generation in use; replaced by rename, so it is always whole
 *   gen-N/                lanward.sqlite, history.sqlite, files/ (what people gave), logs/ (what devices logged), origin.json (why it was made), secret.key (only when restored with its own)
 *   gen-N.partial/        being made; whatever is found of it at a start is thrown away
 *   secret.key  setup-code  lock  lanward.sock  tls/  backups/
 */

/** Old generations that stay beside the one in use. */
const kept = 2
const pattern = /^gen-(\d+)$/

/** The folder cannot be used as it is. `reason` tells why; the message is for the person who starts the manager. */
export class DataFolderError extends Error {
  readonly reason: 'inUse' | 'newer' | 'older' | 'pointer' | 'damaged'
  constructor(reason: DataFolderError['reason'], message: string) {
    super(message)
    this.name = 'DataFolderError'
    this.reason = reason
  }
}

export type Origin = { from: string | null; why: 'first' | 'upgrade' | 'restore' | 'back'; schema?: number; at: number }

function syncPath(path: string): void {
  const handle = openSync(/* turbopackIgnore: true */ path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Writes a small file so that a power cut leaves the old or the new one, never half of it. */
export function writeFileSafely(folder: string, name: string, content: string | Buffer): void {
  const fresh = `${folder}/${name}.new`
  const handle = openSync(/* turbopackIgnore: true */ fresh, 'w', 0o600)
  writeSync(handle, content as string)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(/* turbopackIgnore: true */ fresh, /* turbopackIgnore: true */ `${folder}/${name}`)
  syncPath(folder)
}

/**
 * Takes the folder for this process until `release()` or the process's end, however it ends: the system drops the
 * lock of a killed process. Waits for at most `waitMs`, blocking: a command on the same folder ends soon.
 * Throws DataFolderError 'inUse' when another process keeps it.
 */
export function lockFolder(data: string, waitMs = 0): { release(): void } {
  mkdirSync(/* turbopackIgnore: true */ data, { recursive: true, mode: 0o700 })
  const lock = new Database(`${data}/lock`, { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!/SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: string }).code))) throw error
    throw new DataFolderError('inUse', `The data folder ${data} is used by another running manager.`)
  }
  return { release: () => void lock.close() }
}

/** Names of whole generations, oldest first. */
export function generations(data: string): string[] {
  const number = (name: string) => Number(pattern.exec(name)?.[1])
  return readdirSync(/* turbopackIgnore: true */ data)
    .filter(name => pattern.test(name))
    .sort((a, b) => number(a) - number(b))
}

/** Name of the generation in use, undefined in a new folder. Throws DataFolderError 'pointer' when it leads nowhere. */
export function currentGeneration(data: string): string | undefined {
  if (!existsSync(/* turbopackIgnore: true */ `${data}/current`)) {
    // A first start that was cut off between making the generation and pointing to it.
    if (generations(data).length < 2) return generations(data)[0]
    throw new DataFolderError(
      'pointer',
      `${data}/current is missing. Write the name of the generation to use into it: ${generations(data).join(', ')}`,
    )
  }
  const name = readFileSync(/* turbopackIgnore: true */ `${data}/current`, 'utf8').trim()
  if (pattern.test(name) && existsSync(/* turbopackIgnore: true */ `${data}/${name}`)) return name
  throw new DataFolderError(
    'pointer',
    `${data}/current names "${name}", which does not exist. Generations: ${generations(data).join(', ')}`,
  )
}

export function originOf(data: string, name: string): Origin | undefined {
  const file = `${data}/${name}/origin.json`
  return existsSync(/* turbopackIgnore: true */ file)
    ? (JSON.parse(readFileSync(/* turbopackIgnore: true */ file, 'utf8')) as Origin)
    : undefined
}

function removePartials(data: string): void {
  for (const name of readdirSync(/* turbopackIgnore: true */ data))
    if (/^gen-\d+\.partial$/.test(name))
      rmSync(/* turbopackIgnore: true */ `${data}/${name}`, { recursive: true, force: true })
}

function prune(data: string, current: string): void {
  const old = generations(data).filter(name => name !== current)
  for (const name of old.slice(0, Math.max(0, old.length - kept)))
    rmSync(/* turbopackIgnore: true */ `${data}/${name}`, { recursive: true, force: true })
}

/**
 * Makes a generation: `fill` writes it into an empty folder and throws when it is not good (then nothing has changed).
 * It becomes a whole one by one rename, and the one in use by `pointTo`. Returns its name.
 */
export function makeGeneration(data: string, origin: Origin, fill: (folder: string) => void): string {
  removePartials(data)
  const last = generations(data).at(-1)
  const name = `gen-${Number(pattern.exec(last ?? '')?.[1] ?? 0) + 1}`
  const partial = `${data}/${name}.partial`
  mkdirSync(/* turbopackIgnore: true */ partial, { mode: 0o700 })
  try {
    fill(partial)
    writeFileSafely(partial, 'origin.json', JSON.stringify(origin))
    for (const file of readdirSync(/* turbopackIgnore: true */ partial, { encoding: 'utf8', recursive: true }))
      syncPath(`${partial}/${file}`)
    renameSync(/* turbopackIgnore: true */ partial, /* turbopackIgnore: true */ `${data}/${name}`)
    syncPath(data)
  } catch (error) {
    rmSync(/* turbopackIgnore: true */ partial, { recursive: true, force: true })
    throw error
  }
  return name
}

/** Points the folder to a generation: from here on a start opens this one. Of the others the newest two stay. */
export function pointTo(data: string, name: string): void {
  writeFileSafely(data, 'current', `${name}\n`)
  prune(data, name)
}

/**
 * Back to the generation the one in use was made from; returns its name, undefined when there is none. With
 * `upgradeAfter` (unix ms) only when an upgrade made it, and since then: a version that failed before it touched the
 * data must not undo an older step. Needs the lock.
 */
export function goBack(data: string, upgradeAfter?: number): string | undefined {
  const current = currentGeneration(data)
  const origin = current ? originOf(data, current) : undefined
  if (!origin?.from || !existsSync(/* turbopackIgnore: true */ `${data}/${origin.from}`)) return undefined
  if (upgradeAfter !== undefined && !(origin.why === 'upgrade' && origin.at >= upgradeAfter)) return undefined
  writeFileSafely(data, 'current', `${origin.from}\n`)
  return origin.from
}

/** Throws DataFolderError 'damaged' unless the file opens, migrates to this program's schema and is sound. */
export function proveDatabase(file: string, migrations: string): void {
  const { sqlite } = openDatabase(file, migrations)
  try {
    const problems = integrityProblems(sqlite)
    if (problems.length > 0) throw new DataFolderError('damaged', problems.join('; '))
    // The copy is to be moved as one file.
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.close()
  }
}

/** Which files of a folder are finished: nobody writes to them again. */
const finished: Record<'files' | 'logs', (name: string, names: readonly string[]) => boolean> = {
  files: name => !name.endsWith('.partial'),
  // Beside records of traffic it stands how far they were sent; that is replaced, never written again.
  logs: (name, names) => name === 'sent.json' || (name.endsWith('.sqlite') && !names.includes(`${name}-wal`)),
}

/**
 * Gives a generation what lies in a folder of the former one, and in folders within, without a copy. What a killed process
 * left unfinished stays there.
 */
function linkFiles(from: string, to: string, isFinished: (name: string, names: readonly string[]) => boolean): void {
  if (!existsSync(/* turbopackIgnore: true */ from)) return
  mkdirSync(/* turbopackIgnore: true */ to, { mode: 0o700 })
  const entries = readdirSync(/* turbopackIgnore: true */ from, { withFileTypes: true })
  const names = entries.map(one => one.name)
  for (const entry of entries) {
    const [source, copy] = [`${from}/${entry.name}`, `${to}/${entry.name}`]
    if (entry.isDirectory()) linkFiles(source, copy, isFinished)
    else if (isFinished(entry.name, names))
      linkSync(/* turbopackIgnore: true */ source, /* turbopackIgnore: true */ copy)
  }
}

function upgrade(data: string, name: string, schema: number, migrations: string): string {
  const next = makeGeneration(data, { from: name, why: 'upgrade', schema, at: Date.now() }, folder => {
    const before = new Database(`${data}/${name}/lanward.sqlite`)
    try {
      before.prepare('VACUUM INTO ?').run(`${folder}/lanward.sqlite`)
    } finally {
      before.close()
    }
    proveDatabase(`${folder}/lanward.sqlite`, migrations)
    for (const file of ['history.sqlite', 'history.sqlite-wal', 'secret.key'])
      if (existsSync(/* turbopackIgnore: true */ `${data}/${name}/${file}`))
        copyFileSync(
          /* turbopackIgnore: true */ `${data}/${name}/${file}`,
          /* turbopackIgnore: true */ `${folder}/${file}`,
        )
    for (const one of ['files', 'logs'] as const) linkFiles(`${data}/${name}/${one}`, `${folder}/${one}`, finished[one])
  })
  pointTo(data, next)
  return next
}

/**
 * The generation to open, made or migrated first where needed: an older schema is migrated as a copy, which is proven
 * and then used; the former generation stays. Needs the lock. Returns the generation's folder.
 * Throws DataFolderError 'newer' for data of a later version, 'older' for data before the first migration, 'damaged' when the migrated copy is not sound.
 */
export function prepareGeneration(data: string, migrations: string): string {
  const known = programSchema(migrations)
  const name = currentGeneration(data)
  if (!name) {
    const first = makeGeneration(data, { from: null, why: 'first', schema: known, at: Date.now() }, folder =>
      proveDatabase(`${folder}/lanward.sqlite`, migrations),
    )
    pointTo(data, first)
    return `${data}/${first}`
  }
  removePartials(data)
  if (!existsSync(/* turbopackIgnore: true */ `${data}/current`)) pointTo(data, name)
  const sqlite = new Database(`${data}/${name}/lanward.sqlite`)
  const found = databaseSchema(sqlite)
  sqlite.close()
  if (found > known)
    throw new DataFolderError(
      'newer',
      `The data in ${data} were written by a later version of Lanward. Start that version, or restore a backup of this one.`,
    )
  if (found > 0 && found < oldestSchema(migrations))
    throw new DataFolderError(
      'older',
      `The data in ${data} were written by an unreleased state of Lanward that is too old. Start a checkout of commit c8ebe06 on them once, then this version.`,
    )
  return `${data}/${found < known ? upgrade(data, name, found, migrations) : name}`
}

/** The key that seals this generation's secrets: its own where it was restored with one, else the folder's. */
export function keyFileOf(data: string, generation: string): string {
  return existsSync(/* turbopackIgnore: true */ `${generation}/secret.key`)
    ? `${generation}/secret.key`
    : `${data}/secret.key`
}
