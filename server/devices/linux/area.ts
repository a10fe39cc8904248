import type { NativeBlock, Warning } from '../driver'
import { quote } from '../shell'
import type { LinuxSession } from './observe'

/** Files of one purpose: which paths they have, and the shell pattern that finds them on the device. */
export type OwnedFiles = { path: RegExp; glob: string; mode: '600' | '644' | '755' }

/** What one part of the settings owns on a device, and what has to happen when it changes. */
export type Area = {
  files: readonly OwnedFiles[]
  /**
   * Shell lines that make the services follow; they run after a change and after putting back, so they look at what is
   * there. `serve VERB UNIT` is systemctl, and does not wait while the device boots; `$mode` is now, timer or boot.
   * `changed`: paths written or removed; `all`: those and every other path of the plan. Called when `changed` holds one
   * of the area's files.
   */
  settle(changed: readonly string[], all: readonly string[]): string[]
  /** Secrets in the files as read: the second group of each match is marked. */
  secret?: RegExp
  /** What does not work though the files are there; `blocks`: those of the area. Empty when fine. */
  verify?(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]>
}

export const fileBlock = (path: string, text: string, more: Partial<NativeBlock> = {}): NativeBlock => ({
  id: `file:${path}`,
  text,
  ...more,
})
export const blockPath = (block: NativeBlock): string => block.id.replace(/^file:/, '')

/** A service that runs while its file is there, and takes it anew. */
export const follow = (path: string, unit: string): string =>
  `if [ -e ${quote(path)} ]; then serve restart ${quote(unit)}; else serve stop ${quote(unit)}; fi`
