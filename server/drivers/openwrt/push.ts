import {
  DeviceError,
  type NativeBlock,
  type NativeConfig,
  type Pending,
  type PushEvents,
  type Warning,
} from '../driver'
import { quote } from '../shell'
import { marked, unmarked } from '../unix/secret'
import { leavesNothing, type UndoPlan } from '../unix/undo'
import { undoable } from '../unix/undoable'
import type { ImportedItem } from '../unmanaged'
import { firewall, network } from './lan/lan-packages'
import { sectionMeaning } from './options/meaning'
import { packages } from './packages'
import { followMirror } from './ports/mirror'
import { awaitNetworks } from './uci/await-networks'
import { fileChanges, isFile, readFiles, splitFiles, verifyFiles, withoutFiles } from './uci/files'
import { followHours, sectionsWithHours, withoutHours } from './uci/hours'
import { readImported } from './uci/imported'
import { wordsIn } from './uci/lists'
import { isImported, type Package, prefix, sectionOf } from './uci/package'
import { isSecret } from './uci/package-secrets'
import { placeSections } from './uci/places'
import { quotedWords, sectionsOf, valuesOf } from './uci/sections'
import type { OpenwrtSession } from './uci/session'
import { wireless } from './wifi/wifi-package'

const script = (session: OpenwrtSession, text: string, timeoutMs = 60_000) =>
  session.ssh.exec('sh -s', { input: text, timeoutMs })

/**
 * A change of the address by which the manager came in leaves the channel without an answer: what is left of the window
 * is needed for the proof over the new one.
 */
const applyMs = 20_000

function packageOf(block: NativeBlock): Package {
  const { name } = sectionOf(block)
  const found = packages.find(one => one.name === name)
  if (!found) throw new DeviceError('internal', `${block.id} is not ours to write`)
  return found
}

// Files here run once at the next boot, before the network starts, and are removed when they succeed.
const bootHook = '/etc/uci-defaults/zz-lanward-undo'
const disarm = `rm -f ${bootHook}`

// A background job survives the end of the channel when none of its files is the channel's; setsid keeps it from signals
// to the channel's processes too. One that outlives its window finds another change's name in the folder, or none, and
// does nothing.
const arm = (id: string, confirmSeconds: number) => `
mkdir -p /etc/uci-defaults
printf '%s\\n' ${quote(`sh /etc/lanward/undo/restore ${id} boot`)} >${bootHook} || return 1
away=setsid; command -v setsid >/dev/null || away=
$away sh -c ${quote(`sleep ${Math.ceil(confirmSeconds)}; exec sh /etc/lanward/undo/restore ${id} timer`)} </dev/null >/dev/null 2>&1 &`

/** There while the change is being made, `staged` while it is not committed yet. */
const unfinished = '/etc/lanward/undo/applying'
const staged = '/etc/lanward/undo/staged'

const forget = (names: readonly string[]) => names.map(name => `uci -q revert ${name}`).join('; ') || ':'

/**
 * Makes the services follow the files. Each is told, whatever became of the one before; none writes to the channel, which
 * may be gone by then and would end it in the middle.
 */
const settle = (names: readonly string[], reloads: readonly string[]) => `[ "$mode" = boot ] && return 0
# Whoever was cut off before the commit left work that the next commit would take along.
[ ! -e ${staged} ] || { ${forget(names)}; }
umask 022
bad=0 said=/tmp/lanward-said
: >$said
${reloads.map(reload => `{ ${reload}\n} </dev/null >>$said 2>&1 || bad=1`).join('\n')}
rm -f ${unfinished}
[ $bad = 0 ] || { tail -n 3 $said >&2; return 1; }`

const change = (
  names: readonly string[],
  drop: string,
  commands: string,
) => `: >${unfinished} && : >${staged} || return 1
${names.map(name => `[ -e /etc/config/${name} ] || : >/etc/config/${name} || return 1`).join('\n')}
${drop}
${placeSections(names, commands)}
said=$(uci batch <$D/new/0 2>&1 >/dev/null)
[ -z "$said" ] || { echo "$said" >&2; return 1; }
${names.map(name => `uci commit ${name} || return 1`).join('\n')}
rm -f ${staged}
sync`

/** A line of `uci show` as commands for `uci batch`, whose quoting is the same. */
function commandsOf(line: string, { name, lists }: Package): string[] {
  const [, key = '', option = '', value = ''] = /^([^.=]+\.[^.=]+\.([^.=]+))=(.*)$/s.exec(line) ?? []
  const words = quotedWords(value)
  // Several words in one value are an option; one word may be a list of one.
  const isList = lists.includes(option) && wordsIn(name, option, valuesOf(value)).length < 2
  if (!isList && words.length < 2) return [`set ${line}\n`]
  return words.map(word => `add_list ${key}=${word}\n`)
}

const batch = (blocks: NativeBlock[]): string =>
  blocks
    .flatMap(block =>
      unmarked(block.text)
        .split('\n')
        .flatMap(line => commandsOf(line, packageOf(block))),
    )
    .join('')

/** Sections of ours that were just written, to the front of their file in their order. */
function leading({ name, first = [] }: Package, written: readonly NativeBlock[]): string {
  const isFirst = (block: NativeBlock) => first.some(type => block.text.startsWith(`${sectionKey(block)}=${type}\n`))
  return written
    .filter(isFirst)
    .map((block, at) => `reorder ${name}.${sectionOf(block).section}=${at}\n`)
    .join('')
}
const sectionKey = (block: NativeBlock) => block.id.replace(/^uci:/, '')

const optionLines = (block: NativeBlock) =>
  new Map(
    unmarked(block.text)
      .split('\n')
      .flatMap(line => {
        const key = /^[^.=]+\.[^.=]+\.[^.=]+(?==)/.exec(line)?.[0]
        return key ? [[key, line] as const] : []
      }),
  )

/** Commands for the options of an imported section that differ; what else it holds is not touched, nor is the section itself. */
function importedCommands(block: NativeBlock, before: NativeConfig): string[] {
  const old = before.blocks.find(one => one.id === block.id)
  if (!old) throw new DeviceError('commandFailed', `${block.id} is not on the device any more`)
  const [was, wanted] = [optionLines(old), optionLines(block)]
  return [...new Set([...was.keys(), ...wanted.keys()])].flatMap(key => {
    const [from, to] = [was.get(key), wanted.get(key)]
    if (from === to) return []
    const made = to === undefined ? [] : commandsOf(to, packageOf(block))
    // A list is written anew; a plain value is set over the former one.
    const drop = from !== undefined && !made.some(line => line.startsWith('set '))
    return [...(drop ? [`delete ${key}\n`] : []), ...made]
  })
}

/** The blocks of one package to drop and to write, none where it stays as it is. */
function difference(one: Package, before: NativeConfig, next: NativeConfig) {
  const own = (config: NativeConfig) => config.blocks.filter(block => packageOf(block) === one && !isImported(block))
  const [old, wanted] = [own(before), own(next)]
  const text = new Map(old.map(block => [block.id, block.text]))
  const changed = wanted.filter(block => text.get(block.id) !== block.text)
  const gone = old.filter(block => !wanted.some(other => other.id === block.id))
  const order = (blocks: NativeBlock[]) => blocks.map(block => block.id).join()
  if (one.ordered && order(old) !== order(wanted)) return { drop: old, write: wanted }
  if (changed.length === 0 && gone.length === 0) return { drop: [], write: [] }
  return one.ordered ? { drop: old, write: wanted } : { drop: [...gone, ...changed], write: changed }
}

/** The difference as sections to drop and sections to write. `uci batch` ends with 0 whatever happens: what it says is the failure. */
export function planPush(id: string, from: NativeConfig, to: NativeConfig, confirmSeconds: number): UndoPlan {
  const files = fileChanges(from, to)
  const [before, next] = [withoutFiles(from), withoutFiles(to)]
  for (const block of [...before.blocks, ...next.blocks]) packageOf(block)
  const parts = packages
    .map(one => {
      const theirs = next.blocks.filter(block => packageOf(block) === one && isImported(block))
      const touched = theirs.filter(block => importedCommands(block, before).length > 0)
      const imported = touched.flatMap(block => importedCommands(block, before))
      return { one, ...difference(one, before, next), touched, imported }
    })
    .filter(
      ({ one, drop, write, imported }) =>
        drop.length + write.length + imported.length > 0 || (one === wireless && files.hours),
    )
  const names = parts.map(({ one }) => one.name)
  const drop = [
    ...parts.flatMap(part => part.drop.map(block => `uci -q delete ${part.one.name}.${sectionOf(block).section}`)),
    ...files.freed.map(section => `uci -q delete wireless.${section}.disabled`),
  ].join('\n')
  const commands = parts
    .map(part => batch(part.write) + leading(part.one, part.write) + part.imported.join(''))
    .join('')
  const rules = files.unload === '' ? [] : [firewall.reload, files.unload]
  const cron = files.cron === '' ? [] : [files.cron]
  const hasHours =
    parts.some(({ one }) => one === wireless) && [from, to].some(one => sectionsWithHours(one).length > 0)
  const hours = hasHours ? [followHours] : []
  const up = awaitNetworks(parts.flatMap(({ write, touched }) => [...write, ...touched]))
  const follow = parts.flatMap(({ one }) => (one === network ? [one.reload, up] : [one.reload]))
  const mirror = files.mirror ? [followMirror] : []
  const gate = files.gate === '' ? [] : [files.gate]
  const reloads = [...new Set([...hours, ...follow, ...rules, ...cron, ...mirror, ...gate])].filter(text => text !== '')
  return {
    id,
    confirmSeconds,
    leaves: leavesNothing(to),
    // Another administrator's uncommitted work would be committed with ours.
    check: names
      .map(name => `[ -z "$(uci -q changes ${name})" ] || { echo 'uncommitted changes to ${name}' >&2; return 1; }`)
      .join('\n'),
    files: [...names.map(name => `/etc/config/${name}`), ...files.files],
    writes: [{ text: commands, mode: '600' }, ...files.writes],
    apply: `${files.place(1)}${change(names, drop, commands)}`,
    settle: settle(names, reloads),
    arm: arm(id, confirmSeconds),
    disarm,
  }
}

const undo = undoable<OpenwrtSession>({ driver: 'openwrt', script, disarm, applyMs })
export const { confirm, revert, state } = undo

export const push = (
  session: OpenwrtSession,
  before: NativeConfig,
  next: NativeConfig,
  confirmSeconds: number,
  events: PushEvents,
): Promise<Pending> => undo.push(session, confirmSeconds, (id, window) => planPush(id, before, next, window), events)

const shownLine = new RegExp(`^([a-z0-9]+)\\.(${prefix}[A-Za-z0-9_]+)(?:[.=])`)

/** Sections of ours in the output of `uci show`, with the secrets marked as the renderer marks them. */
export function parseShow(text: string): NativeConfig {
  const sections = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [, name = '', section] = shownLine.exec(line) ?? []
    if (!section || !packages.some(one => one.name === name)) continue
    const [, start, option = '', value] = /^(\w+\.\w+\.(\w+)=')(.*)'$/.exec(line) ?? []
    const shown = isSecret(name, option) ? `${start}${marked(value ?? '')}'` : line
    const id = `uci:${name}.${section}`
    sections.set(id, [...(sections.get(id) ?? []), shown])
  }
  return { blocks: [...sections].map(([id, lines]) => ({ id, text: lines.join('\n') })) }
}

/** A system without radios, for one, has no such file. */
const readOwn = [...packages.map(one => `uci -q show ${one.name}`), readFiles].join('; ')

export async function read(session: OpenwrtSession, imported: readonly ImportedItem[] = []): Promise<NativeConfig> {
  const { shown, files } = splitFiles((await session.ssh.exec(readOwn)).stdout)
  const found = [...parseShow(shown).blocks, ...readImported(sectionsOf(shown), imported).blocks, ...files]
  return withoutHours({ blocks: found })
}

/** What does not work of the rendered state, package by package; nothing is proven while the change is still being made. */
export async function verify(session: OpenwrtSession, next: NativeConfig): Promise<Warning[]> {
  const { code } = await session.ssh.exec(`[ ! -e ${unfinished} ]`)
  if (code !== 0) return [{ code: 'applyUnfinished' }]
  const problems = await verifyFiles(session, next)
  for (const one of packages) {
    const blocks = withoutFiles(next).blocks.filter(block => packageOf(block) === one)
    if (one.verify && blocks.length > 0) problems.push(...(await one.verify(session, blocks)))
  }
  return problems
}

/** What a section says counts, not its words: the system's own pages write others, and in another order. */
export const equal = (planned: NativeBlock, seen: NativeBlock): boolean =>
  isFile(planned) ? planned.text === seen.text : sectionMeaning(planned.text) === sectionMeaning(seen.text)
