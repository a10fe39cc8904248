import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
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

/** The archives that can be reached, and whether the chosen folder is not there. */
export async function reachableArchives(runtime: Runtime): Promise<{ rows: BackupRow[]; gone: boolean }> {
  try {
    return { rows: await listArchives(backupFolder(runtime)), gone: false }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { rows: [], gone: true }
  }
}

/** Rule P11. Makes the folder ready, its parent has to exist; answers the problem's message key, or undefined. */
export function takeStorage(data: string, path: string): FieldError | undefined {
  if (path === '') return undefined
  if (!/^\/[^\0]*$/.test(path)) return 'storagePath'
  try {
    if (!existsSync(/* turbopackIgnore: true */ path)) mkdirSync(/* turbopackIgnore: true */ path, { mode: 0o700 })
    const [own, wanted] = [data, path].map(folder => `${realpathSync(/* turbopackIgnore: true */ folder)}/`)
    if (wanted?.startsWith(own ?? '')) return 'storageInData'
    writeFileSync(/* turbopackIgnore: true */ `${path}/${mark}`, '')
    return undefined
  } catch {
    return 'storageUnwritable'
  }
}
