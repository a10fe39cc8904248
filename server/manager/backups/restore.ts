import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { type Db, openDatabase } from '@/db/client'
import { makeGeneration, pointTo, writeFileSafely } from '@/db/generation'
import { appendLog } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { secretsOf } from '@/server/kernel/secrets'
import { allBelongings } from '@/server/manager/belongings/all'
import type { Manifest } from './manifest'
import { type Place, type Proof, proveUnpacked } from './prove'
import { withScratch } from './scratch'
import { freeBytes, unpackArchive } from './unpack'

export type By = { account: string; address: string; organization: number | null }

/** What this manager has now in a column, as JSON; nothing where it is a new one. */
function knownNow({ generation }: Place, table: string, column: string): string {
  const file = `${generation}/lanward.sqlite`
  if (!existsSync(/* turbopackIgnore: true */ file)) return '[]'
  const sqlite = new Database(file, { readonly: true })
  try {
    const there = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
    return JSON.stringify(there ? sqlite.prepare(`SELECT ${column} FROM ${table}`).pluck().all() : [])
  } finally {
    sqlite.close()
  }
}

/** What opened doors in the past opens none now, as each area says of what it has. */
function shutDoors(db: Db, place: Place, now: number): void {
  for (const { restored } of allBelongings) restored?.(db, (table, column) => knownNow(place, table, column), now)
}

/** Takes nothing from the past that would let somebody in, and writes to the changelog what happened. */
function finish(folder: string, place: Place, manifest: Manifest, proof: Proof, by: By, now: number): void {
  const { db, sqlite } = openDatabase(`${folder}/lanward.sqlite`, place.migrations)
  try {
    db.transaction(() => {
      shutDoors(db, place, now)
      appendLog(db, secretsOf(proof.key), {
        organization: by.organization,
        network: null,
        at: now,
        account: by.account,
        address: by.address,
        action: 'restore',
        object: 'backup',
        name: manifest.name,
        fields: { createdAt: [null, manifest.createdAt], version: [null, manifest.version] },
      })
    })
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    sqlite.close()
  }
}

/** Unpacks and proves; nothing but a scratch folder is written. Refuses as unpackArchive and proveUnpacked do. */
export async function verifyArchive(
  place: Place,
  file: string,
  passphrase?: string,
): Promise<{ manifest: Manifest; proof: Proof }> {
  return withScratch(place.data, async folder => {
    const manifest = await unpackArchive(file, folder, place.migrations)
    return { manifest, proof: await proveUnpacked(place, folder, manifest, passphrase) }
  })
}

/**
 * Makes the next generation of a backup and points the data folder to it: the manager's next start opens it. The
 * former one stays. Whatever is wrong with the archive is refused before the folder is touched.
 */
export async function restoreArchive(
  place: Place,
  file: string,
  by: By,
  now: number,
  passphrase?: string,
): Promise<Manifest> {
  return withScratch(place.data, async folder => {
    const manifest = await unpackArchive(file, folder, place.migrations)
    const bytes = Object.values(manifest.files).reduce((sum, one) => sum + one.bytes, 0)
    if (freeBytes(place.data) < bytes) fail('storageFull', { needed: bytes })
    const proof = await proveUnpacked(place, folder, manifest, passphrase)
    const origin = { from: basename(place.generation), why: 'restore' as const, schema: manifest.schema, at: now }
    const name = makeGeneration(place.data, origin, next => {
      mkdirSync(/* turbopackIgnore: true */ `${next}/files`, { mode: 0o700 })
      for (const one of Object.keys(manifest.files))
        renameSync(/* turbopackIgnore: true */ `${folder}/${one}`, /* turbopackIgnore: true */ `${next}/${one}`)
      // The folder's own key stays where it is: the former generation needs it.
      writeFileSafely(next, 'secret.key', proof.key)
      finish(next, place, manifest, proof, by, now)
    })
    pointTo(place.data, name)
    return manifest
  })
}
