import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openDatabase } from '@/db/client'
import { keyFileOf } from '@/db/generation'
import { databaseSchema, expectedShape, integrityProblems, rowCounts, schemaShape } from '@/db/schema-version'
import { fail } from '@/server/kernel/fail'
import { loadKey, type Secrets, secretsOf } from '@/server/kernel/secrets'
import { keyIdOf, unwrapKey } from './key-wrap'
import { isStoredFile, type Manifest, macOf, type Origin } from './manifest'

/** Where a manager keeps what it has, for work on backups with and without a running one. */
export type Place = {
  data: string
  /** Folder of the generation in use; its key opens what was made here. */
  generation: string
  migrations: string
  /** This program's version. */
  version: string
}

/**
 * Opens the database of an unpacked backup, refuses one whose schema is not its version's own (backupSchema) or whose
 * pages, references or row counts are wrong (backupDamaged), and brings it to this program's schema.
 */
function proveDatabaseOf(folder: string, manifest: Manifest, migrations: string): void {
  const file = `${folder}/lanward.sqlite`
  const before = new Database(file)
  try {
    if (databaseSchema(before) !== manifest.schema) fail('backupSchema', { reason: 'version' })
    const expected = expectedShape(migrations, manifest.schema)
    if (!expected) fail('backupSchema', { reason: 'unknown' })
    const shape = schemaShape(before)
    const odd = shape.find(line => !expected.includes(line)) ?? expected.find(line => !shape.includes(line))
    if (odd) fail('backupSchema', { reason: odd.split(' ').slice(0, 2).join(' ') })
    const problems = integrityProblems(before)
    if (problems.length > 0) fail('backupDamaged', { reason: problems[0] })
    const rows = rowCounts(before)
    const wrong = Object.keys({ ...rows, ...manifest.rows }).find(table => rows[table] !== manifest.rows[table])
    if (wrong) fail('backupDamaged', { reason: `rows of ${wrong}` })
  } finally {
    before.close()
  }
  const { sqlite } = openDatabase(file, migrations)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

/** What people gave, as a database says: path in the generation and in an archive → what it is. */
export function storedFiles(database: string): Manifest['files'] {
  const sqlite = new Database(database, { readonly: true })
  try {
    const rows = sqlite.prepare('SELECT id, bytes, sha256 FROM files').all() as {
      id: string
      bytes: number
      sha256: string
    }[]
    return Object.fromEntries(rows.map(({ id, ...said }) => [`files/${id}`, said]))
  } finally {
    sqlite.close()
  }
}

/** Refuses an archive whose files are not those that its database tells of (backupDamaged). */
function proveStoredFiles(folder: string, { files }: Manifest): void {
  const stored = storedFiles(`${folder}/lanward.sqlite`)
  for (const entry of new Set([...Object.keys(stored), ...Object.keys(files).filter(isStoredFile)])) {
    const [said, got] = [stored[entry], files[entry]]
    if (said?.sha256 !== got?.sha256 || said?.bytes !== got?.bytes) fail('backupDamaged', { entry })
  }
}

/** SQLite's refusals of a file it cannot read are damage, whatever step meets them. */
function prove(folder: string, manifest: Manifest, migrations: string): void {
  try {
    proveDatabaseOf(folder, manifest, migrations)
    proveStoredFiles(folder, manifest)
  } catch (error) {
    if (/SQLITE_(NOTADB|CORRUPT|ERROR)/.test(String((error as { code?: string }).code)))
      fail('backupDamaged', { reason: 'database' })
    throw error
  }
}

/** The key of the secrets inside: this manager's own, or the wrapped one. Refuses with backupPassphrase or backupForeign. */
async function keyOf(place: Place, manifest: Manifest, passphrase: string | undefined): Promise<Buffer> {
  const own = loadKey(keyFileOf(place.data, place.generation))
  if (keyIdOf(secretsOf(own)) === manifest.keyId) return own
  if (!manifest.key) fail('backupForeign', { reason: 'key' })
  if (!passphrase) fail('backupPassphrase', { reason: 'needed' })
  const key = await unwrapKey(manifest.key, passphrase)
  if (!key || keyIdOf(secretsOf(key)) !== manifest.keyId) fail('backupPassphrase', { reason: 'wrong' })
  return key
}

/** Where sealed values lie: rows of {sealed, place}, the first is tried. */
const sealedValues = [
  "SELECT secret AS sealed, 'credentials:' || id || ':secret' AS place FROM credentials LIMIT 1",
  "SELECT json_extract(data, '$.key') AS sealed, 'documents:' || id || ':key' AS place FROM documents WHERE kind = 'ssid' AND json_extract(data, '$.key') IS NOT NULL LIMIT 1",
]

/** Opens one sealed value of the backup, where it holds any; refuses with backupDamaged when it does not open. */
function openOneSecret(folder: string, secrets: Secrets): boolean {
  const sqlite = new Database(`${folder}/lanward.sqlite`, { readonly: true })
  try {
    const rows = sealedValues.map(sql => sqlite.prepare(sql).get() as { sealed: string; place: string } | undefined)
    const found = rows.find(row => row !== undefined)
    if (found) secrets.open(found.sealed, found.place)
    return found !== undefined
  } catch {
    return fail('backupDamaged', { reason: 'secret' })
  } finally {
    sqlite.close()
  }
}

export type Proof = {
  rows: Record<string, number>
  secretOpened: boolean
  key: Buffer
  ownKey: boolean
  origin: Origin
}

/** Refuses one whose proof is not of what it says (backupDamaged): a byte was turned, and the hashes made anew. */
function originOf(manifest: Manifest, key: Buffer, ownKey: boolean): Origin {
  if (manifest.mac === undefined) return 'unknown'
  const right = Buffer.from(macOf(secretsOf(key), manifest))
  if (!timingSafeEqual(right, Buffer.from(manifest.mac))) fail('backupDamaged', { reason: 'origin' })
  return ownKey ? 'here' : 'elsewhere'
}

/** Everything a restore relies on, tried on an unpacked copy, which is at this program's schema afterwards. */
export async function proveUnpacked(
  place: Place,
  folder: string,
  manifest: Manifest,
  passphrase?: string,
): Promise<Proof> {
  const key = await keyOf(place, manifest, passphrase)
  const ownKey = key.equals(readFileSync(/* turbopackIgnore: true */ keyFileOf(place.data, place.generation)))
  const origin = originOf(manifest, key, ownKey)
  prove(folder, manifest, place.migrations)
  const secretOpened = openOneSecret(folder, secretsOf(key))
  return { rows: manifest.rows, secretOpened, key, ownKey, origin }
}
