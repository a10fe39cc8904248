import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { documents, portalFiles, portalPageFiles } from '@/db/schema'
import type { MediaSort } from '@/model/guests/media'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'
import type { PageFile } from './unpack'

// Pictures, videos and own pages of portals, in the database: backups have them, and nothing has a path.

export type PortalFile = typeof portalFiles.$inferSelect
export type FileFacts = Pick<PortalFile, 'id' | 'sort' | 'name' | 'type' | 'bytes'>
export type MediaFile = { type: string; data: Buffer }

const facts = {
  ...{ id: portalFiles.id, sort: portalFiles.sort, name: portalFiles.name },
  ...{ type: portalFiles.type, bytes: portalFiles.bytes },
}

/** A splash page names it. */
export const used = sql`exists (select 1 from ${documents} where ${documents.kind} = 'splash' and instr(${documents.data}, ${portalFiles.id}) > 0)`

/** Of a network's own, or one that a splash page of it names: a copied network has the pictures of its model. */
export const factsOf = ({ db }: Runtime, network: number, id: string): FileFacts | undefined => {
  const named = sql`exists (select 1 from ${documents} where ${documents.kind} = 'splash' and ${documents.scopeId} = ${network} and instr(${documents.data}, ${id}) > 0)`
  return db
    .select(facts)
    .from(portalFiles)
    .where(and(eq(portalFiles.id, id), or(eq(portalFiles.network, network), named)))
    .get()
}

export const fileOf = ({ db }: Runtime, id: string): MediaFile | undefined =>
  db.select({ type: portalFiles.type, data: portalFiles.data }).from(portalFiles).where(eq(portalFiles.id, id)).get()

export const pageFileOf = ({ db }: Runtime, page: string, path: string): MediaFile | undefined =>
  db
    .select({ type: portalPageFiles.type, data: portalPageFiles.data })
    .from(portalPageFiles)
    .where(and(eq(portalPageFiles.file, page), eq(portalPageFiles.path, path)))
    .get()

const usedBytes = ({ db }: Runtime, network: number): number =>
  db
    .select({ n: sql<number>`coalesce(sum(${portalFiles.bytes}), 0)` })
    .from(portalFiles)
    .where(eq(portalFiles.network, network))
    .get()?.n ?? 0

/** What no splash page names any more goes, what is unused longest first, until there is room; false where there is none. */
function makeRoom(runtime: Runtime, network: number, bytes: number): boolean {
  const { db } = runtime
  const idle = db
    .select({ id: portalFiles.id })
    .from(portalFiles)
    .where(and(eq(portalFiles.network, network), sql`not ${used}`))
    .orderBy(sql`coalesce(${portalFiles.unusedSince}, ${portalFiles.createdAt})`)
    .all()
  for (const { id } of idle) {
    if (usedBytes(runtime, network) + bytes <= limits.portalFilesBytes) return true
    db.delete(portalFiles).where(eq(portalFiles.id, id)).run()
  }
  return usedBytes(runtime, network) + bytes <= limits.portalFilesBytes
}

type New = { network: number; sort: MediaSort; name: string; type: string; data: Buffer; now: number }

/** Keeps a file, with what a page consists of; undefined where the network has no room for it. */
export function keepFile(
  runtime: Runtime,
  { network, sort, name, type, data, now }: New,
  files: readonly PageFile[] = [],
): FileFacts | undefined {
  const { db } = runtime
  const bytes = data.length + files.reduce((sum, one) => sum + one.data.length, 0)
  return db.transaction(() => {
    if (!makeRoom(runtime, network, bytes)) return undefined
    const row = { id: randomUUID(), network, sort, name, type, bytes, data, createdAt: now, unusedSince: now }
    db.insert(portalFiles).values(row).run()
    for (const { path, type: own, data: content } of files)
      db.insert(portalPageFiles).values({ file: row.id, path, type: own, data: content }).run()
    return { id: row.id, sort, name, type, bytes: data.length }
  })
}

const idleMs = 30 * 86_400_000

/** What is unused for so long goes: nobody takes a change back that is older. */
export function trimFiles({ db }: Runtime, now: number): void {
  db.transaction(tx => {
    tx.update(portalFiles)
      .set({ unusedSince: null })
      .where(and(isNotNull(portalFiles.unusedSince), used))
      .run()
    tx.update(portalFiles)
      .set({ unusedSince: now })
      .where(and(isNull(portalFiles.unusedSince), sql`not ${used}`))
      .run()
    tx.delete(portalFiles)
      .where(lt(portalFiles.unusedSince, now - idleMs))
      .run()
  })
}
