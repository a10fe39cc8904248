import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFileSafely } from '@/db/generation'
import { fail } from '@/server/kernel/fail'
import type { Secrets } from '@/server/kernel/secrets'
import { keyIdOf } from './key-wrap'
import { type Manifest, macOf, type Origin } from './manifest'
import { peekManifest } from './unpack'

/** An archive's file name: made here or named after its own manifest when it came by upload. */
const namePattern = /^lanward-[a-z0-9-]{1,40}-\d{8}-\d{6}(-\d+)?\.tar\.gz$/

export type BackupRow = {
  name: string
  /** Bytes. */
  size: number
  /** Unix ms. */
  createdAt: number
  version: string
  manager: string
  automatic: boolean
  history: boolean
  passphrase: boolean
  /** When it was last shown to be restorable, unix ms; absent: not yet, or it failed. */
  provenAt?: number
  /** By its manifest alone: whether that is of this manager's making. */
  origin: Origin
}

/** File name of a backup: the manager's name and the time in UTC. */
export function archiveName(manager: string, at: number): string {
  const slug = manager
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  const time = new Date(at).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  return `lanward-${slug || 'manager'}-${time}.tar.gz`
}

/** A name not taken yet in the folder. */
export function freeName(folder: string, manager: string, at: number): string {
  const wanted = archiveName(manager, at)
  const numbered = (n: number) => (n === 0 ? wanted : wanted.replace('.tar.gz', `-${n}.tar.gz`))
  let n = 0
  while (existsSync(/* turbopackIgnore: true */ `${folder}/${numbered(n)}`)) n++
  return numbered(n)
}

export function archiveFolder(folder: string): string {
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Full path of an archive by its name; refuses names that are none (so no path gets in) and files that are not there. */
export function archivePath(folder: string, name: string): string {
  const file = `${folder}/${name}`
  if (!namePattern.test(name) || !existsSync(/* turbopackIgnore: true */ file)) fail('backupNotFound', { name })
  return file
}

const provenFile = 'proven.json'

/** Archive name → when it was proven, unix ms. */
export function readProven(folder: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(/* turbopackIgnore: true */ `${folder}/${provenFile}`, 'utf8')) as Record<
      string,
      number
    >
  } catch {
    return {}
  }
}

/** Notes that an archive was proven (`at`) or shown not to be restorable (undefined). */
export function noteProven(folder: string, name: string, at: number | undefined): void {
  const { [name]: _before, ...others } = readProven(folder)
  const present = Object.entries(others).filter(([one]) => existsSync(/* turbopackIgnore: true */ `${folder}/${one}`))
  writeFileSafely(
    folder,
    provenFile,
    JSON.stringify({ ...Object.fromEntries(present), ...(at !== undefined && { [name]: at }) }),
  )
}

const peeked = new Map<string, Manifest | undefined>()

function originOf(manifest: Manifest, secrets: Secrets | undefined): Origin {
  if (!secrets || manifest.mac === undefined) return 'unknown'
  if (manifest.keyId !== keyIdOf(secrets)) return 'elsewhere'
  return macOf(secrets, manifest) === manifest.mac ? 'here' : 'unknown'
}

async function rowOf(
  folder: string,
  name: string,
  proven: Record<string, number>,
  secrets?: Secrets,
): Promise<BackupRow | undefined> {
  const { size, mtimeMs } = statSync(/* turbopackIgnore: true */ `${folder}/${name}`)
  const key = `${folder}/${name} ${size} ${mtimeMs}`
  if (!peeked.has(key)) peeked.set(key, await peekManifest(`${folder}/${name}`))
  const manifest = peeked.get(key)
  if (!manifest) return undefined
  return {
    name,
    size,
    createdAt: manifest.createdAt,
    version: manifest.version,
    manager: manifest.name,
    automatic: manifest.automatic,
    history: manifest.files['history.sqlite'] !== undefined,
    passphrase: manifest.key !== undefined,
    origin: originOf(manifest, secrets),
    ...(proven[name] !== undefined && { provenAt: proven[name] }),
  }
}

/** The archives of a folder, newest first; where each comes from is told with the secrets alone. */
export async function listArchives(folder: string, secrets?: Secrets): Promise<BackupRow[]> {
  const proven = readProven(folder)
  const names = readdirSync(/* turbopackIgnore: true */ folder).filter(name => namePattern.test(name))
  const rows = await Promise.all(names.map(name => rowOf(folder, name, proven, secrets)))
  return rows.filter(row => row !== undefined).sort((a, b) => b.createdAt - a.createdAt || b.name.localeCompare(a.name))
}

/**
 * Removes the oldest archives until all are within the limit. The newest one stays whatever its size, and so does the
 * newest proven one: there is always something to go back to.
 */
export async function holdLimit(folder: string, limitBytes: number): Promise<string[]> {
  const rows = await listArchives(folder)
  const keep = new Set([rows[0]?.name, rows.find(row => row.provenAt)?.name])
  let total = rows.reduce((sum, row) => sum + row.size, 0)
  const removed: string[] = []
  for (const row of [...rows].reverse()) {
    if (total <= limitBytes) break
    if (keep.has(row.name)) continue
    rmSync(/* turbopackIgnore: true */ `${folder}/${row.name}`, { force: true })
    total -= row.size
    removed.push(row.name)
  }
  return removed
}
