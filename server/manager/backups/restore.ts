import { existsSync, renameSync } from 'node:fs'
import { basename } from 'node:path'
import Database from 'better-sqlite3'
import { and, inArray, ne, sql } from 'drizzle-orm'
import { type Db, openDatabase } from '@/db/client'
import { makeGeneration, pointTo, writeFileSafely } from '@/db/generation'
import {
  accountTokens,
  apiKeys,
  mails,
  networkOffers,
  networks,
  noticeDeliveries,
  sessions,
  webhookDeliveries,
  webhooks,
} from '@/db/schema'
import { appendLog } from '@/server/kernel/changelog'
import { fail } from '@/server/kernel/fail'
import { secretsOf } from '@/server/kernel/secrets'
import { archiveFiles, type Manifest } from './manifest'
import { type Place, type Proof, proveUnpacked } from './prove'
import { withScratch } from './scratch'
import { freeBytes, unpackArchive } from './unpack'

export type By = { account: string; address: string; organization: number | null }

/** Who a share is to, and how far; a network by what no other one on another manager has, too. */
const shareKey = "network || ' ' || organization || ' ' || kind || ' ' || accepted"
const networkKey = "id || ' ' || created_at"
type Known = ['api_keys', 'digest'] | ['webhooks', 'secret'] | ['network_offers', string] | ['networks', string]

/** What this manager has now in a column, as JSON; nothing where it is a new one. */
function knownNow({ generation }: Place, ...[table, column]: Known): string {
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

/**
 * What opened doors in the past opens none now: sessions, links and codes that were used since, letters that were sent
 * since, and API keys that were deleted since, perhaps because somebody had stolen them: these have run out. Webhooks that
 * were deleted since, or got another secret, are off; what waited for one then was sent. Networks that are known here are
 * shared with those alone with whom they are now; on a new machine, as they were.
 */
function shutDoors(db: Db, place: Place, now: number): void {
  db.delete(sessions).run()
  db.delete(mails).run()
  // An invitation that was not followed then waits again.
  db.delete(accountTokens).where(ne(accountTokens.purpose, 'activation')).run()
  const keys = sql`SELECT value FROM json_each(${knownNow(place, 'api_keys', 'digest')})`
  db.update(apiKeys)
    .set({ expiresAt: sql`min(coalesce(${apiKeys.expiresAt}, ${now}), ${now})` })
    .where(sql`${apiKeys.digest} NOT IN (${keys})`)
    .run()
  db.delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.state, ['waiting', 'sending']))
    .run()
  db.delete(noticeDeliveries)
    .where(inArray(noticeDeliveries.state, ['waiting', 'sending']))
    .run()
  const told = sql`SELECT value FROM json_each(${knownNow(place, 'webhooks', 'secret')})`
  db.update(webhooks).set({ state: 'off' }).where(sql`${webhooks.secret} NOT IN (${told})`).run()
  const here = sql`SELECT value FROM json_each(${knownNow(place, 'networks', networkKey)})`
  const shared = sql`SELECT value FROM json_each(${knownNow(place, 'network_offers', shareKey)})`
  const known = db
    .select({ id: networks.id })
    .from(networks)
    .where(sql`${sql.raw(networkKey)} IN (${here})`)
  db.delete(networkOffers)
    .where(and(inArray(networkOffers.network, known), sql`${sql.raw(shareKey)} NOT IN (${shared})`))
    .run()
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
    const bytes = Object.values(manifest.files).reduce((sum, one) => sum + (one?.bytes ?? 0), 0)
    if (freeBytes(place.data) < bytes) fail('storageFull', { needed: bytes })
    const proof = await proveUnpacked(place, folder, manifest, passphrase)
    const origin = { from: basename(place.generation), why: 'restore' as const, schema: manifest.schema, at: now }
    const name = makeGeneration(place.data, origin, next => {
      for (const one of archiveFiles)
        if (existsSync(/* turbopackIgnore: true */ `${folder}/${one}`))
          renameSync(/* turbopackIgnore: true */ `${folder}/${one}`, /* turbopackIgnore: true */ `${next}/${one}`)
      // The folder's own key stays where it is: the former generation needs it.
      writeFileSafely(next, 'secret.key', proof.key)
      finish(next, place, manifest, proof, by, now)
    })
    pointTo(place.data, name)
    return manifest
  })
}
