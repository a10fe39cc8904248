import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'

/** The folder of the open generation that files lie in. */
export function folderOf({ generation }: Runtime): string {
  const folder = `${generation}/files`
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  return folder
}

export const pathOf = ({ generation }: Runtime, id: string): string => `${generation}/files/${id}`

/** A new name outlives a power cut only when its folder is on the disk, too. */
export function syncFolder(runtime: Runtime): void {
  const handle = openSync(/* turbopackIgnore: true */ folderOf(runtime), 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Ids of what is being written: a sweep leaves it. */
export const writing = part('filesWriting', () => new Set<string>())
