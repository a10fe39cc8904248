import Database from 'better-sqlite3'
import { secretsOf } from '@/server/kernel/secrets'
import { type LogVerdict, verifyLog } from '@/server/manager/changelog/verify'
import { type Place, proveUnpacked } from './prove'
import { withScratch } from './scratch'
import { unpackArchive } from './unpack'

/**
 * Verifies the changelog inside a backup, which must hold the newest entry its manifest tells, and all of `heads`.
 * Refuses an archive that cannot be restored as unpackArchive and proveUnpacked do.
 */
export async function verifyArchivedLog(
  place: Place,
  file: string,
  heads: readonly string[],
  passphrase: string | undefined,
): Promise<LogVerdict> {
  return withScratch(place.data, async folder => {
    const manifest = await unpackArchive(file, folder, place.migrations)
    const { key } = await proveUnpacked(place, folder, manifest, passphrase)
    const sqlite = new Database(`${folder}/lanward.sqlite`, { readonly: true })
    try {
      const told = manifest.changelogHead ? [manifest.changelogHead] : []
      return await verifyLog(sqlite, secretsOf(key), [...heads, ...told])
    } finally {
      sqlite.close()
    }
  })
}
