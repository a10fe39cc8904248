import {
  DeviceError,
  type NativeBlock,
  type NativeConfig,
  type Pending,
  type PushEvents,
  type Warning,
} from '../driver'
import { quote } from '../shell'
import { newMark, parseParts } from '../unix/parts'
import { marked, unmarked } from '../unix/secret'
import { leavesNothing, type UndoPlan } from '../unix/undo'
import { undoable } from '../unix/undoable'
import type { ImportedItem } from '../unmanaged'
import { type Area, blockPath, fileBlock, type OwnFiles, verifyAll } from './area/area'
import { checkFiles, type KnownFile, readFiles } from './area/files'
import { checkImported, editedFiles, importedBlocks, importedPath, reloadImported } from './area/imported'
import { areas } from './areas'
import { type LinuxSession, script } from './observe/observe'

/** The area that may write the file; nothing else is ever touched. */
function ownerOf(path: string): { area: Area; files: OwnFiles } {
  for (const area of areas) {
    const files = area.files.find(one => one.path.test(path))
    if (files) return { area, files }
  }
  throw new DeviceError('internal', `${path} is not ours to write`)
}

function pathOf(block: NativeBlock): string {
  const path = blockPath(block)
  ownerOf(path)
  return path
}

const bootUnit = '/etc/systemd/system/lanward-undo-boot.service'
const bootHook = '/etc/systemd/system/sysinit.target.d/lanward-undo.conf'

/** Runs before anything reads the configuration; the device may have lost power in the middle of a window. */
const bootService = (id: string) => `[Unit]
Description=Put back what was never confirmed in Lanward
DefaultDependencies=no
After=local-fs.target
Before=sysinit.target network-pre.target systemd-networkd.service
ConditionPathExists=/etc/lanward/undo/restore

[Service]
Type=oneshot
ExecStart=/bin/sh /etc/lanward/undo/restore ${id} boot
`

const arm = ({ id, confirmSeconds }: { id: string; confirmSeconds: number }) => `
mkdir -p /etc/systemd/system/sysinit.target.d &&
printf '%s' ${quote(bootService(id))} >${bootUnit} &&
printf '%s' ${quote('[Unit]\nWants=lanward-undo-boot.service\n')} >${bootHook} &&
chmod 644 ${bootUnit} ${bootHook} &&
systemctl daemon-reload &&
systemd-run --quiet --collect --unit=lanward-undo-${id} --on-active=${Math.ceil(confirmSeconds)}s \\
  --timer-property=AccuracySec=100ms /bin/sh /etc/lanward/undo/restore ${id} timer`

const disarm = `
rm -f ${bootHook} ${bootUnit}
rmdir /etc/systemd/system/sysinit.target.d 2>/dev/null
systemctl stop 'lanward-undo-*.timer' 2>/dev/null
systemctl daemon-reload
:`

/** Makes the services follow the files. While the device boots, systemd must not be waited for: it waits for us. */
function settle(changed: readonly string[], all: readonly string[], imported: readonly NativeBlock[]): string {
  const concerned = new Set(changed.map(path => ownerOf(path).area))
  const lines = areas
    .filter(area => concerned.has(area))
    .flatMap(area => {
      const mine = (path: string) => ownerOf(path).area === area
      return area.settle(changed.filter(mine), all.filter(mine))
    })
  return `
serve() { if [ "$mode" = boot ]; then systemctl --no-block "$@"; else systemctl "$@"; fi; }
systemctl daemon-reload
${[...reloadImported(imported), ...lines].join('\n')}`
}

const byId = (config: NativeConfig) => new Map(config.blocks.map(block => [block.id, block]))

const changedIn = (before: NativeConfig, next: NativeConfig): NativeBlock[] => {
  const old = byId(before)
  return next.blocks.filter(block => old.get(block.id)?.text !== block.text)
}
/** What is ours alone, without the lines of somebody else's files that were imported. */
const oursIn = ({ blocks }: NativeConfig): NativeConfig => ({
  blocks: blocks.filter(block => block.item === undefined),
})
const importedIn = (blocks: readonly NativeBlock[]) => blocks.filter(block => block.item !== undefined)

/**
 * The difference of two configurations as files to lay, files to remove and services to restart. `theirs`: somebody
 * else's files that hold blocks which change.
 */
export function planPush(
  id: string,
  before: NativeConfig,
  next: NativeConfig,
  confirmSeconds: number,
  theirs: readonly KnownFile[] = [],
): UndoPlan {
  const wanted = byId(next)
  const removed = oursIn(before)
    .blocks.filter(block => !wanted.has(block.id))
    .map(pathOf)
  const own = changedIn(oursIn(before), oursIn(next)).map(block => {
    const path = pathOf(block)
    return { path, text: unmarked(block.text), mode: ownerOf(path).files.mode as string }
  })
  const imported = importedIn(changedIn(before, next))
  const edited = editedFiles(imported, theirs).map(file => ({
    ...file,
    mode: theirs.find(one => one.path === file.path)?.mode ?? '644',
  }))
  const writes = [...edited, ...own]
  const changed = [...own.map(one => one.path), ...removed]
  const files = [...edited.map(one => one.path), ...changed]
  const all = [...new Set([...changed, ...oursIn(next).blocks.map(pathOf)])]
  const lay = writes.map(({ path }, at) => {
    const folder = quote(path.slice(0, path.lastIndexOf('/')))
    return `{ [ -d ${folder} ] || { mkdir -p ${folder} && chmod 755 ${folder}; }; } && mv -f $D/new/${at} ${quote(path)} || return 1`
  })
  const apply = [...lay, ...removed.map(path => `rm -f ${quote(path)} || return 1`), 'sync'].join('\n')
  return {
    id,
    confirmSeconds,
    leaves: leavesNothing(next),
    ...(edited.length > 0 && { check: checkFiles(theirs) }),
    files,
    writes,
    apply,
    settle: settle(changed, all, imported),
    arm: arm({ id, confirmSeconds }),
    disarm,
  }
}

const undo = undoable<LinuxSession>({ driver: 'linux', script: (session, text) => script(session, text), disarm })

export const { confirm, revert, state } = undo

export async function push(
  session: LinuxSession,
  before: NativeConfig,
  next: NativeConfig,
  confirmSeconds: number,
  events: PushEvents,
): Promise<Pending> {
  const theirs = await readFiles(session, importedIn(changedIn(before, next)).map(importedPath))
  return undo.push(session, confirmSeconds, (id, window) => planPush(id, before, next, window, theirs), events)
}

const globs = areas.flatMap(area => area.files.map(one => one.glob))

const readOwn = `mark=$1
for f in ${globs.join(' ')}; do
  [ -f "$f" ] || continue
  printf '\\n%s %s\\n' "$mark" "$f"; head -c 65536 "$f"
done
printf '\\n%s end\\n' "$mark"`

const withMarks = (text: string, secret: RegExp | undefined): string =>
  secret ? text.replace(secret, (_all, before: string, value: string) => `${before}${marked(value)}`) : text

/** The files of ours on the device, with their secrets marked as a renderer marks them, and what was imported. */
export async function read(session: LinuxSession, imported: readonly ImportedItem[] = []): Promise<NativeConfig> {
  const mark = newMark()
  const parts = parseParts(await script(session, readOwn, [mark]), mark)
  const paths = parts.names('/').map(rest => `/${rest}`)
  // A pattern of the shell may find more than what is ours.
  const own = paths.filter(path => areas.some(area => area.files.some(one => one.path.test(path))))
  const theirs = await readFiles(session, imported.map(importedPath))
  return {
    blocks: [
      ...own.map(path => fileBlock(path, withMarks(parts.text(path) ?? '', ownerOf(path).area.secret))),
      ...importedBlocks(imported, theirs),
    ],
  }
}

const waitMs = 30_000

/** What does not work of the rendered state, area by area. */
export async function verify(session: LinuxSession, next: NativeConfig): Promise<Warning[]> {
  const problems: Warning[] = []
  for (const area of areas) {
    const blocks = oursIn(next).blocks.filter(block => ownerOf(pathOf(block)).area === area)
    if (area.verify && blocks.length > 0) problems.push(...(await area.verify(session, blocks)))
  }
  return [...problems, ...(await verifyAll(session, importedIn(next.blocks).flatMap(checkImported), waitMs))]
}
