import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { createGzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { create } from 'tar'
import type { Sqlite } from '@/db/client'
import { keyFileOf } from '@/db/generation'
import { databaseSchema, rowCounts } from '@/db/schema-version'
import { fail } from '@/server/kernel/fail'
import { loadKey, secretsOf } from '@/server/kernel/secrets'
import { headOf } from '@/server/manager/changelog/head'
import { keyIdOf, wrapKey } from './key-wrap'
import { archiveFormat, isStoredFile, type Manifest, macOf } from './manifest'
import { type Place, storedFiles } from './prove'

export type PackOptions = {
  /** The manager's name, for people. */
  name: string
  now: number
  history: boolean
  automatic: boolean
  passphrase?: string
}

const pagesAStep = 200

/** Copies the database a step at a time on the one writing connection, so that writing goes on between the steps. */
async function copyDatabase(sqlite: Sqlite, file: string): Promise<void> {
  await sqlite.backup(file, { progress: () => pagesAStep })
  const copy = new Database(file)
  // One file without a -wal beside it.
  copy.pragma('journal_mode = DELETE')
  copy.close()
}

/** VACUUM INTO reads one consistent state while the history's writer goes on; in a thread, because it blocks its own. `beside`: a path from which packages are found. */
function copyHistory(from: string, to: string, beside: string): Promise<void> {
  const code = `
    const { workerData } = require('node:worker_threads')
    const load = require('node:module').createRequire(workerData.beside)
    const sqlite = new (load('better-sqlite3'))(workerData.from, { readonly: true })
    sqlite.prepare('VACUUM INTO ?').run(workerData.to)
    sqlite.close()`
  return new Promise((done, failed) => {
    const worker = new Worker(code, { eval: true, workerData: { from, to, beside } })
    worker.once('error', failed)
    worker.once('exit', status =>
      status === 0 ? done() : failed(new Error(`copying the history ended with ${status}`)),
    )
  })
}

/** SHA-256 of a file, hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(/* turbopackIgnore: true */ file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What people gave, as the copied database says; linked beside it. What is not as it was written shows when it is verified. */
function takeStoredFiles(place: Place, folder: string): Manifest['files'] {
  mkdirSync(/* turbopackIgnore: true */ `${folder}/files`, { mode: 0o700 })
  const stored = storedFiles(`${folder}/lanward.sqlite`)
  for (const path of Object.keys(stored)) {
    const from = `${place.generation}/${path}`
    if (!existsSync(/* turbopackIgnore: true */ from)) fail('backupDamaged', { entry: path })
    linkSync(/* turbopackIgnore: true */ from, /* turbopackIgnore: true */ `${folder}/${path}`)
  }
  return stored
}

async function describe(place: Place, folder: string, databases: string[], options: PackOptions): Promise<Manifest> {
  const sqlite = new Database(`${folder}/lanward.sqlite`, { readonly: true })
  const [schema, rows, changelogHead] = [databaseSchema(sqlite), rowCounts(sqlite), headOf(sqlite)]
  sqlite.close()
  const key = loadKey(keyFileOf(place.data, place.generation))
  const files = takeStoredFiles(place, folder)
  for (const name of databases)
    files[name] = {
      sha256: await hashFile(`${folder}/${name}`),
      bytes: statSync(/* turbopackIgnore: true */ `${folder}/${name}`).size,
    }
  const secrets = secretsOf(key)
  const manifest: Manifest = {
    product: 'lanward',
    format: archiveFormat,
    version: place.version,
    schema,
    name: options.name,
    createdAt: options.now,
    automatic: options.automatic,
    keyId: keyIdOf(secrets),
    ...(options.passphrase && { key: await wrapKey(key, options.passphrase) }),
    ...(changelogHead && { changelogHead }),
    rows,
    files,
  }
  return { ...manifest, mac: macOf(secrets, manifest) }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(/* turbopackIgnore: true */ file, 'r')
  await handle.sync()
  await handle.close()
}

/**
 * Writes a backup of a running manager (`sqlite` is its writing connection) to `target`, complete or not at all.
 * `folder` is scratch on the same disk; none of the files that people gave may go meanwhile. Throws what the disk says
 * (ENOSPC, EROFS, SQLITE_FULL).
 */
export async function packArchive(
  place: Place,
  sqlite: Sqlite,
  folder: string,
  target: string,
  options: PackOptions,
): Promise<Manifest> {
  await copyDatabase(sqlite, `${folder}/lanward.sqlite`)
  const history = `${place.generation}/history.sqlite`
  const withHistory = options.history && existsSync(/* turbopackIgnore: true */ history)
  if (withHistory) await copyHistory(history, `${folder}/history.sqlite`, `${place.migrations}/beside.js`)
  const databases = ['lanward.sqlite', ...(withHistory ? ['history.sqlite'] : [])]
  const manifest = await describe(place, folder, databases, options)
  writeFileSync(/* turbopackIgnore: true */ `${folder}/manifest.json`, JSON.stringify(manifest, null, 2), {
    mode: 0o600,
  })
  const partial = `${target}.partial`
  try {
    await pipeline(
      create({ cwd: folder, portable: true }, [
        'manifest.json',
        ...databases,
        ...Object.keys(manifest.files).filter(isStoredFile),
      ]),
      // Node's works in threads of its own; the package's would keep this one busy for minutes where the history is long.
      createGzip(),
      createWriteStream(/* turbopackIgnore: true */ partial, { mode: 0o600 }),
    )
    await syncFile(partial)
    renameSync(/* turbopackIgnore: true */ partial, /* turbopackIgnore: true */ target)
  } finally {
    rmSync(/* turbopackIgnore: true */ partial, { force: true })
  }
  return manifest
}
