import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db } from '@/db/client'
import type { FieldError } from '@/model/field-errors'
import { type BackupSchedule, backupSchedule } from '@/model/manager/backup-schedule'
import { fail, isRefusal } from '@/server/kernel/fail'
import { readOwnOrDefaults } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import type { Secrets } from '@/server/kernel/secrets'
import { archiveFolder, type BackupRow, listArchives } from './store'

/** When and where backups are made; the passphrase is read with the secrets alone. */
export const readSchedule = (db: Db, owner: { secrets?: Secrets } = {}): BackupSchedule =>
  readOwnOrDefaults(db, backupSchedule, owner)

/** In a folder that was chosen: an empty mount point without its disk has none, and must not be written to instead. */
const mark = '.lanward-backups'

/** The folder of the archives; refuses with backupStorageGone when a chosen one is not there. */
export function backupFolder({ config, db }: Runtime): string {
  const { path } = readSchedule(db)
  if (!path) return archiveFolder(`${config.data}/backups`)
  if (!existsSync(/* turbopackIgnore: true */ `${path}/${mark}`)) fail('backupStorageGone', { path })
  return path
}

/** As archives and uploads are called while they are written. */
const half = /^(lanward-.+\.tar\.gz|upload-[\da-f-]{36})\.partial$/
/** In a chosen folder another manager may be writing right now. */
const idleMs = 600_000

/** What a killed process left of archives. Throws what the disk says. */
export function removeHalfArchives(runtime: Runtime): void {
  const { path } = readSchedule(runtime.db)
  const folder = path || `${runtime.config.data}/backups`
  if (!existsSync(/* turbopackIgnore: true */ folder)) return
  for (const name of readdirSync(/* turbopackIgnore: true */ folder).filter(one => half.test(one))) {
    const file = `${folder}/${name}`
    const written = statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!path || Date.now() - written > idleMs) rmSync(/* turbopackIgnore: true */ file, { force: true })
  }
}

/** The archives that can be reached, and whether the chosen folder is not there. */
export async function reachableArchives(runtime: Runtime): Promise<{ rows: BackupRow[]; gone: boolean }> {
  try {
    return { rows: await listArchives(backupFolder(runtime), runtime.secrets), gone: false }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { rows: [], gone: true }
  }
}

/** When the newest backup that was verified was verified, unix ms; undefined: none was, or they cannot be reached. */
export async function newestVerified(runtime: Runtime): Promise<number | undefined> {
  const { rows } = await reachableArchives(runtime)
  const times = rows.flatMap(row => row.provenAt ?? [])
  return times.length > 0 ? Math.max(...times) : undefined
}

/** Rule P11. Makes the folder ready, its parent has to exist; answers the problem's message key, or undefined. */
export function takeStorage(data: string, path: string): FieldError | undefined {
  if (path === '') return undefined
  if (!/^\/[^\0]*$/.test(path)) return 'storagePath'
  try {
    const there = existsSync(/* turbopackIgnore: true */ path)
    // Judged before it is made: what is refused leaves nothing behind.
    const [own, wanted] = [data, there ? path : dirname(path)].map(
      folder => `${realpathSync(/* turbopackIgnore: true */ folder)}/`,
    )
    if (wanted?.startsWith(own ?? '')) return 'storageInData'
    if (!there) mkdirSync(/* turbopackIgnore: true */ path, { mode: 0o700 })
    writeFileSync(/* turbopackIgnore: true */ `${path}/${mark}`, '')
    return undefined
  } catch {
    return 'storageUnwritable'
  }
}
