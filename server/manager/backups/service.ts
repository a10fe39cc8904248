import { readFileSync, rmSync, statSync } from 'node:fs'
import { fail, isRefusal } from '@/server/kernel/fail'
import { holdFiles } from '@/server/kernel/files/start'
import { filesBytes } from '@/server/kernel/files/store'
import { readGeneral } from '@/server/kernel/general'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { raiseAlert, recoverOwn } from '@/server/notify/alerts/raise'
import { packArchive } from './pack'
import type { Place } from './prove'
import { type By, restoreArchive, verifyArchive } from './restore'
import { withScratch } from './scratch'
import { backupState } from './state'
import { backupFolder, readSchedule } from './storage'
import { freeName, holdLimit, noteProven } from './store'
import { freeBytes } from './unpack'

const megabyte = 1024 * 1024

export function versionOf(root: string): string {
  return (JSON.parse(readFileSync(/* turbopackIgnore: true */ `${root}/package.json`, 'utf8')) as { version: string })
    .version
}

export const placeOf = (runtime: Runtime): Place => ({
  data: runtime.config.data,
  generation: runtime.generation,
  migrations: `${runtime.config.root}/db/migrations`,
  version: versionOf(runtime.config.root),
})

const backupWork = part('backupWork', () => ({ taken: false }))

/** One piece of work on backups at a time; refuses a second with backupRunning. */
export async function exclusively<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const turn = backupWork.of(runtime)
  if (turn.taken) fail('backupRunning')
  turn.taken = true
  try {
    return await work()
  } finally {
    turn.taken = false
  }
}

export const isRunning = (runtime: Runtime): boolean => backupWork.of(runtime).taken

/** The passphrase of scheduled backups; undefined when none is set. */
export const storedPassphrase = (runtime: Runtime): string | undefined => readSchedule(runtime.db, runtime).passphrase

/** As earlier versions kept it; '' for none. */
export const formerPassphrase = ({ secrets }: Runtime, sealed: string): string =>
  sealed && secrets.open(sealed, 'settings:backups:passphrase')

/** Proves that an archive can be restored, with the given passphrase or the stored one. */
export const proveArchive = (runtime: Runtime, file: string, passphrase: string | undefined) =>
  verifyArchive(placeOf(runtime), file, passphrase ?? storedPassphrase(runtime))

/** Makes a generation of an archive, with the given passphrase or the stored one; the manager has to start again on it. */
export const restoreFrom = (runtime: Runtime, file: string, by: By, now: number, passphrase: string | undefined) =>
  restoreArchive(placeOf(runtime), file, by, now, passphrase ?? storedPassphrase(runtime))

/** Long enough for the page to arrive that waits for the restart. */
const restartMs = 3000
/** Lets the reply go out; then the manager starts again on what was restored. */
export function restartSoon(): void {
  setTimeout(() => process.emit('lanward:restart' as never), restartMs)
}

/** Why work on a backup failed, as a code's name or the system's own word; never a secret. */
export function reasonOf(error: unknown): string {
  if (isRefusal(error)) return error.code
  const { code } = error as { code?: string }
  return code ?? (error instanceof Error ? error.message : String(error))
}

export type NewBackup = { automatic: boolean; history: boolean; passphrase?: string }

async function packAndProve(runtime: Runtime, wanted: NewBackup): Promise<string> {
  const [place, folder, now] = [placeOf(runtime), backupFolder(runtime), Date.now()]
  const manager = readGeneral(runtime.db).name
  // The copy, the archive and its unpacked proof stand on the disk at the same time; what people gave is linked, not copied.
  const needed =
    3 * statSync(/* turbopackIgnore: true */ `${runtime.generation}/lanward.sqlite`).size + 2 * filesBytes(runtime.db)
  if (freeBytes(folder) < needed) fail('storageFull', { needed })
  const name = freeName(folder, manager, now)
  const pack = (scratch: string) =>
    packArchive(place, runtime.sqlite, scratch, `${folder}/${name}`, { ...wanted, name: manager, now })
  await holdFiles(runtime, () => withScratch(place.data, pack))
  try {
    const { manifest } = await verifyArchive(place, `${folder}/${name}`, wanted.passphrase)
    noteProven(folder, name, Date.now())
    const { documents = 0, devices = 0 } = manifest.rows
    backupState.change(runtime.db, {
      lastProven: { name, at: Date.now(), documents, devices, portable: manifest.key !== undefined },
      lastFailure: undefined,
    })
  } catch (error) {
    // Something that cannot be restored must not look like a backup.
    rmSync(/* turbopackIgnore: true */ `${folder}/${name}`, { force: true })
    throw error
  }
  await holdLimit(folder, readSchedule(runtime.db).storageLimitMb * megabyte)
  return name
}

/**
 * Makes a backup, proves that it can be restored, and lets old ones go by the storage limit. Returns its name.
 * A failure is kept for the page (`lastFailure`) and thrown.
 */
export function makeBackup(runtime: Runtime, wanted: NewBackup): Promise<string> {
  return exclusively(runtime, async () => {
    try {
      const backup = await packAndProve(runtime, wanted)
      recoverOwn(runtime, 'backupFailed', { values: { backup } })
      return backup
    } catch (error) {
      const reason = reasonOf(error)
      backupState.change(runtime.db, { lastFailure: { at: Date.now(), reason } })
      raiseAlert(runtime, { type: 'backupFailed', values: { reason } })
      throw error
    } finally {
      runtime.bus.emit({ topic: 'backups' })
    }
  })
}
