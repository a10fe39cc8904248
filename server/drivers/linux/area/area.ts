import type { NativeBlock, Warning } from '../../driver'
import { quote } from '../../shell'
import { type LinuxSession, script } from '../observe/observe'

/** Files of one purpose: which paths they have, and the shell pattern that finds them on the device. */
export type OwnFiles = { path: RegExp; glob: string; mode: '600' | '644' | '755' }

/** What one part of the settings owns on a device, and what has to happen when it changes. */
export type Area = {
  files: readonly OwnFiles[]
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

const escaped = (path: string) => path.replace(/[.@]/g, '\\$&')

/** One file. */
export const exactly = (path: string, mode: OwnFiles['mode'] = '644'): OwnFiles => ({
  path: new RegExp(`^${escaped(path)}$`),
  glob: path,
  mode,
})
/** Files that differ by a name, which stands for the star. */
export const named = (path: string, mode: OwnFiles['mode'] = '644'): OwnFiles => ({
  path: new RegExp(`^${escaped(path).replace('*', '[A-Za-z0-9._@+-]+')}$`),
  glob: path,
  mode,
})
/** The name in a path of `named` files; none for another path. */
export function nameIn(files: OwnFiles, path: string): string[] {
  const [before = '', after = ''] = files.glob.split('*')
  return files.path.test(path) ? [path.slice(before.length, path.length - after.length)] : []
}

/** networkd takes its files anew; while the device boots it has not begun. */
export const reloadNetworks = `if [ "$mode" != boot ]; then
systemctl start systemd-networkd && networkctl reload
fi`

/** A shell line that has to succeed, and what is wrong when it does not. */
export type Check = { line: string; warning: Warning }

/** Tries each until it holds, all of them for `waitMs` together; gives what is still wrong then. */
export async function verifyAll(session: LinuxSession, checks: readonly Check[], waitMs: number): Promise<Warning[]> {
  const until = Date.now() + waitMs
  const problems: Warning[] = []
  for (const { line, warning } of checks) {
    while ((await script(session, line, [], 10_000)).code !== 0) {
      if (Date.now() > until) {
        problems.push(warning)
        break
      }
      await new Promise(wake => setTimeout(wake, 500))
    }
  }
  return problems
}

/** Every block with checks of its own has to pass them, all of them within `waitMs`. */
export const checked =
  (
    checkOf: (block: NativeBlock) => Check | readonly Check[] | undefined,
    waitMs: number,
  ): NonNullable<Area['verify']> =>
  (session, blocks) =>
    verifyAll(
      session,
      blocks.flatMap(block => checkOf(block) ?? []),
      waitMs,
    )
