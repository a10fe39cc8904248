import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, statSync } from 'node:fs'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { files } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'
import { folderOf, pathOf, syncFolder, writing } from './folder'
import { BodyTooLarge, writeBody } from './write'

// Files that people give to the manager. Each lies under its id in the folder of the generation and has a row that says whose
// it is: the row comes last and goes first, so what has a row is whole, and what has none is swept.

export type StoredFile = typeof files.$inferSelect

/** Files that one sort of owner has. */
export type FileKind = {
  name: string
  /** The most that one of them has. */
  bytes: number
  /** The most that one owner has of them, and all owners together. */
  each: number
  all: number
  /** A new one takes the place of those that its owner had. */
  replaces?: true
}

export type NewFile = Pick<StoredFile, 'owner' | 'name' | 'type'> &
  Partial<Pick<StoredFile, 'organization' | 'network'>>

/** `fileTooMany`: of this kind; `filesFull`: of all that the manager keeps. */
export type FileProblem = 'fileTooLarge' | 'fileTooMany' | 'filesFull'

const count = sql<number>`count(*)`
const sum = sql<number>`coalesce(sum(${files.bytes}), 0)`
/** Of all files together. */
export const filesBytes = (db: Db): number => db.select({ sum }).from(files).get()?.sum ?? 0

function problemOf(db: Db, kind: FileKind, owner: string, bytes: number): FileProblem | undefined {
  const all = db.select({ count }).from(files).get()
  const ofKind = db.select({ count }).from(files).where(eq(files.kind, kind.name)).get()
  const own = db.select({ count }).from(files).where(isImported(kind, owner)).get()
  if ((own?.count ?? 0) >= kind.each || (ofKind?.count ?? 0) >= kind.all) return 'fileTooMany'
  const full = (all?.count ?? 0) >= limits.files || filesBytes(db) + bytes > limits.filesBytes
  return full ? 'filesFull' : undefined
}

const isImported = (kind: FileKind, owner: string) => and(eq(files.kind, kind.name), eq(files.owner, owner))

/** Rolls a transaction back. */
class Refused extends Error {
  constructor(readonly problem: FileProblem) {
    super(problem)
  }
}

/** In one piece for whoever else runs: nobody meets a file between its name and its row. */
function keep(runtime: Runtime, kind: FileKind, file: StoredFile, also: (tx: Db, file: StoredFile) => void): void {
  const path = pathOf(runtime, file.id)
  try {
    runtime.db.transaction(tx => {
      if (kind.replaces) dropFiles(tx, kind, file.owner)
      const problem = problemOf(tx, kind, file.owner, file.bytes)
      if (problem) throw new Refused(problem)
      renameSync(/* turbopackIgnore: true */ `${path}.partial`, /* turbopackIgnore: true */ path)
      syncFolder(runtime)
      tx.insert(files).values(file).run()
      also(tx, file)
    })
  } catch (error) {
    rmSync(/* turbopackIgnore: true */ path, { force: true })
    throw error
  }
}

/**
 * Keeps a body as a file, whole or not at all; `also` writes in the same transaction as the file's row. Rejects with what
 * the body or the disk says (ENOSPC, SQLITE_FULL).
 */
export async function putFile(
  runtime: Runtime,
  kind: FileKind,
  { organization = null, network = null, ...file }: NewFile,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  also: (tx: Db, file: StoredFile) => void = () => undefined,
): Promise<StoredFile | { problem: FileProblem }> {
  const id = randomUUID()
  const partial = `${pathOf(runtime, id)}.partial`
  const under = writing.of(runtime)
  folderOf(runtime)
  under.add(id)
  try {
    const written = await writeBody(partial, body, kind.bytes)
    const row = { ...file, ...written, id, kind: kind.name, organization, network, createdAt: Date.now() }
    keep(runtime, kind, row, also)
    return row
  } catch (error) {
    if (error instanceof BodyTooLarge) return { problem: 'fileTooLarge' }
    if (error instanceof Refused) return { problem: error.problem }
    throw error
  } finally {
    rmSync(/* turbopackIgnore: true */ partial, { force: true })
    under.delete(id)
  }
}

/** All files of an owner, the newest first. */
export const filesOf = (db: Db, kind: FileKind, owner: string): StoredFile[] =>
  db.select().from(files).where(isImported(kind, owner)).orderBy(sql`${files.createdAt} desc`, files.id).all()

/** Another owner has the file from now on. */
export const giveFile = (db: Db, id: string, kind: FileKind, owner: string): void =>
  void db.update(files).set({ kind: kind.name, owner }).where(eq(files.id, id)).run()

/** The bytes go by themselves, once the transaction is through. */
export const dropFiles = (db: Db, kind: FileKind, owner: string): void =>
  void db.delete(files).where(isImported(kind, owner)).run()

/** Those that are older than this (unix ms). */
export const dropFilesBefore = (db: Db, kind: FileKind, before: number): void =>
  void db
    .delete(files)
    .where(and(eq(files.kind, kind.name), lt(files.createdAt, before)))
    .run()

/** Where a file lies; undefined for one that is not there as it was written. */
export function pathIfWhole(runtime: Runtime, { id, bytes }: Pick<StoredFile, 'id' | 'bytes'>): string | undefined {
  const path = pathOf(runtime, id)
  return statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false })?.size === bytes ? path : undefined
}
