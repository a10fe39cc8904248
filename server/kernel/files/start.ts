import { readdirSync, rmSync } from 'node:fs'
import { eq, inArray } from 'drizzle-orm'
import { files } from '@/db/schema'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { folderOf, pathOf, writing } from './folder'
import { pathIfWhole } from './store'

/** `times`: how often it is held; what goes meanwhile waits in `gone`. */
const held = part('filesHeld', () => ({ times: 0, gone: new Set<string>() }))

function remove(runtime: Runtime, id: string): void {
  try {
    rmSync(/* turbopackIgnore: true */ pathOf(runtime, id), { force: true })
  } catch (error) {
    // The next start sweeps it.
    console.error('files: one that is deleted could not be removed:', error)
  }
}

/** Removes what lost its row; a transaction that did not come through left it its row. */
function clear(runtime: Runtime): void {
  const { times, gone } = held.of(runtime)
  // Nobody serves it any more, and the next start removes what the end of the process left.
  if (times > 0 || !runtime.sqlite.open) return
  for (const id of gone)
    if (!runtime.db.select({ id: files.id }).from(files).where(eq(files.id, id)).get()) remove(runtime, id)
  gone.clear()
}

/** While `work` runs every file stays that had a row when it began, or gets one: a copy of the database and of its files fit. */
export async function holdFiles<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const hold = held.of(runtime)
  hold.times++
  try {
    return await work()
  } finally {
    hold.times--
    clear(runtime)
  }
}

/** What a killed process left: files without a row, and rows without a whole file, which some hand or a broken disk made. */
export function sweepFiles(runtime: Runtime): void {
  const { db } = runtime
  const folder = folderOf(runtime)
  const rows = db.select().from(files).all()
  const known = new Set([...rows.map(row => row.id), ...[...writing.of(runtime)].map(id => `${id}.partial`)])
  const astray = readdirSync(/* turbopackIgnore: true */ folder).filter(name => !known.has(name))
  for (const name of astray) rmSync(/* turbopackIgnore: true */ `${folder}/${name}`, { recursive: true, force: true })
  if (astray.length > 0) console.error(`files: ${astray.length} without an owner are removed`)
  const lost = rows.filter(row => !pathIfWhole(runtime, row))
  for (const { id, kind, owner, name } of lost)
    console.error(`files: ${JSON.stringify(name)} of ${kind} ${owner} is not there as it was written (${id})`)
  if (lost.length === 0) return
  const ids = lost.map(row => row.id)
  db.delete(files).where(inArray(files.id, ids)).run()
  for (const id of ids) remove(runtime, id)
}

const watched = `
CREATE TEMP TRIGGER file_dropped AFTER DELETE ON main.files BEGIN SELECT file_dropped(old.id); END;`

/** However a row goes (with its network, its company, by hand), its bytes follow. */
function watchRows(runtime: Runtime): void {
  const { sqlite } = runtime
  sqlite.function('file_dropped', id => {
    held.of(runtime).gone.add(String(id))
    // A transaction runs in one piece, so this comes after it.
    queueMicrotask(() => clear(runtime))
    return null
  })
  sqlite.exec(watched)
}

export function startFiles(runtime: Runtime): void {
  sweepFiles(runtime)
  watchRows(runtime)
}
