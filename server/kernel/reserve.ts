import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import type { Runtime } from './runtime'

// On a full disk nobody could sign in to see why, or delete anything to make room: a file that is kept for this is given
// up then, and what it leaves is for that alone.

const reserveBytes = 2 * 1024 * 1024
const lookMs = 60_000
const fileOf = ({ config }: Runtime) => `${config.data}/reserve`

const free = (folder: string): number => {
  const { bavail, bsize } = statfsSync(/* turbopackIgnore: true */ folder)
  return bavail * bsize
}

/**
 * What the system or SQLite says of a disk that takes nothing more. Judged by what it says, not by its class: the errors
 * of a native module are made by the `Error` of whoever loaded it first in this process.
 */
export const isStorageFull = (error: unknown): boolean => {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return /SQLITE_FULL|ENOSPC|SQLITE_READONLY|EROFS|SQLITE_IOERR/.test(`${code} ${message}`)
}

/** Writes the file where there is room for twice as much; random, or a file system would keep it in no space at all. */
function keepReserve(runtime: Runtime): void {
  const file = fileOf(runtime)
  if (existsSync(/* turbopackIgnore: true */ file) || free(runtime.config.data) < 2 * reserveBytes) return
  try {
    writeFileSync(/* turbopackIgnore: true */ `${file}.new`, randomBytes(reserveBytes), { mode: 0o600 })
    renameSync(/* turbopackIgnore: true */ `${file}.new`, /* turbopackIgnore: true */ file)
  } catch (error) {
    rmSync(/* turbopackIgnore: true */ `${file}.new`, { force: true })
    if (!isStorageFull(error)) throw error
  }
}

/** Whether the disk is full but for what was kept: from here on it is for `frees` alone. */
export const isReserveOpen = (runtime: Runtime): boolean =>
  !existsSync(/* turbopackIgnore: true */ fileOf(runtime)) && free(runtime.config.data) < 2 * reserveBytes

/** Gives the file up; false where there is none. */
export function openReserve(runtime: Runtime): boolean {
  const file = fileOf(runtime)
  if (!existsSync(/* turbopackIgnore: true */ file)) return false
  rmSync(/* turbopackIgnore: true */ file, { force: true })
  console.error('storage: the disk is full, the reserve was given up for sign-in and deletions')
  return true
}

/** Of who comes in, by whatever way and with whatever is asked of them first, and goes out. */
const signIn: ReadonlySet<string> = new Set(['login', 'logout', 'sso/redirect', 'sso/acs', 'mfa/setup', 'mfa/enable'])
const takeAway: ReadonlySet<string> = new Set([
  ...['delete', 'delete-all', 'end', 'end-others', 'remove', 'forget', 'clear', 'revoke', 'release', 'unblock', 'void'],
  ...['discard', 'cancel', 'stop'],
])

/** Calls that may use it: to come in and go out, and whatever takes something away or ends it. */
export const frees = (path: string): boolean =>
  signIn.has(path) || (path.includes('/') && takeAway.has(path.slice(path.lastIndexOf('/') + 1)))

export function startReserve(runtime: Runtime): void {
  keepReserve(runtime)
  runtime.jobs.start({ id: 'reserve', every: lookMs, run: keepReserve })
}
