import { DeviceError, type NativeBlock, type NativeConfig, type Warning } from '../../driver'
import { quote } from '../../shell'
import { endClasses, endLeftSets } from '../../unix/gate-lines'
import { gateTable } from '../../unix/gate-rules'
import { natLogTable } from '../../unix/traffic-logs'
import { wirelessTable } from '../../unix/wireless-rules'
import { hoursPath, sectionsWithHours } from './hours'
import { prefix } from './package'
import { reloadService } from './reload-service'
import type { OpenwrtSession } from './session'
import { uciBlock } from './uci'

// Files of nftables tables of ours. fw4 loads them together with its own rules, by an `include` section, and leaves one
// out that is not there.

export type RulesFile = {
  /** Of its include section. */
  name: string
  path: string
  /** Every table that the file may hold, `inet lanward_blocked`. */
  tables: readonly string[]
}

export const blockedFile: RulesFile = {
  name: 'blocked',
  path: '/etc/lanward/blocked.nft',
  tables: ['inet lanward_blocked', 'bridge lanward_blocked'],
}
export const limitsFile: RulesFile = {
  name: 'limits',
  path: '/etc/lanward/limits.nft',
  tables: ['inet lanward_shaping'],
}
export const wirelessFile: RulesFile = { name: 'wireless', path: '/etc/lanward/wireless.nft', tables: [wirelessTable] }
export const ssidsFile: RulesFile = {
  name: 'ssids',
  path: '/etc/lanward/ssids.nft',
  tables: ['bridge lanward_ssids'],
}
export const trafficFile: RulesFile = { name: 'traffic', path: '/etc/lanward/traffic.nft', tables: [natLogTable] }
export const gateFile: RulesFile = { name: 'gate', path: '/etc/lanward/gate.nft', tables: [gateTable] }
/** What the gate needs beside its table: its networks, the answer to who is not in, and what outlives a restart. */
export const gateFiles = {
  lans: { name: 'gate-lans', path: '/etc/lanward/gate.lans', tables: [] },
  answer: { name: 'gate-answer', path: '/etc/lanward/portal/answer.sh', tables: [] },
  restore: { name: 'gate-restore', path: '/etc/lanward/gate.sh', tables: [] },
  iface: { name: 'gate-iface', path: '/etc/hotplug.d/iface/92-lanward-gate', tables: [] },
  ntp: { name: 'gate-ntp', path: '/etc/hotplug.d/ntp/92-lanward-gate', tables: [] },
} as const satisfies Record<string, RulesFile>
/** Who is in: state, and in no plan. */
export const awayFolder = '/etc/lanward/away'
export const keptGuests = `${awayFolder}/guests`
const formerGuests = '/etc/lanward/guests'
/** What the clock runs: rules that are read again, hours of networks, and what else brings these about. */
const clockFiles = {
  clock: { name: 'clock', path: '/etc/lanward/clock.sh', tables: [] },
  hours: { name: 'hours', path: hoursPath, tables: [] },
  iface: { name: 'hours-iface', path: '/etc/hotplug.d/iface/90-lanward', tables: [] },
  ntp: { name: 'hours-ntp', path: '/etc/hotplug.d/ntp/90-lanward', tables: [] },
} as const satisfies Record<string, RulesFile>
export const mirrorPath = '/etc/lanward/mirror.sh'
/** Copies of ports, and what sets them again. */
const mirrorFiles = {
  mirror: { name: 'mirror', path: mirrorPath, tables: [] },
  hook: { name: 'mirror-iface', path: '/etc/hotplug.d/iface/91-lanward-mirror', tables: [] },
} as const satisfies Record<string, RulesFile>
/** Lines of cron's in a file that is the system's: ours end so. */
const cronMark = ' # lanward'
const cronLines = { path: '/etc/crontabs/root', tables: [] as readonly string[] }
const isOurs = `${cronMark}$`

/** Says to an upgrade of the system that it keeps the file, and itself. */
const keptOf = ({ name }: RulesFile) => ({
  path: `/lib/upgrade/keep.d/lanward-${name}`,
  tables: [] as readonly string[],
})

const rules: RulesFile[] = [
  blockedFile,
  limitsFile,
  wirelessFile,
  ssidsFile,
  trafficFile,
  gateFile,
  ...Object.values(gateFiles),
  ...Object.values(clockFiles),
  ...Object.values(mirrorFiles),
]
const files = [...rules, ...rules.map(keptOf), cronLines]
const idOf = ({ path }: { path: string }) => `file:${path}`

export const isFile = (block: NativeBlock): boolean => block.id.startsWith('file:')
export const withoutFiles = (config: NativeConfig): NativeConfig => ({
  blocks: config.blocks.filter(block => !isFile(block)),
})

export const plainFileBlocks = (file: RulesFile, text: string, about: Partial<NativeBlock>): NativeBlock[] => [
  { id: idOf(file), text, ...about },
  { id: idOf(keptOf(file)), text: `${file.path}\n${keptOf(file).path}\n` },
]

/** `when`: in cron's own words. */
export type Timed = { when: string; file: 'clock' | 'hours'; text: string }

/** Scripts that cron runs, and hooks of the system beside them; an upgrade keeps cron's list by itself. */
export function clockBlocks(timed: readonly Timed[], hooks: { iface?: string; ntp?: string }): NativeBlock[] {
  if (timed.length === 0) return []
  const lines = timed.map(({ when, file }) => `${when} sh ${clockFiles[file].path}${cronMark}\n`)
  return [
    ...timed.flatMap(({ file, text }) => plainFileBlocks(clockFiles[file], text, {})),
    ...(['iface', 'ntp'] as const).flatMap(one => (hooks[one] ? plainFileBlocks(clockFiles[one], hooks[one], {}) : [])),
    { id: idOf(cronLines), text: lines.join('') },
  ]
}

export const mirrorFileBlocks = (text: string, hook: string, about: Partial<NativeBlock>): NativeBlock[] => [
  ...plainFileBlocks(mirrorFiles.mirror, text, about),
  ...plainFileBlocks(mirrorFiles.hook, hook, about),
]

/** The file, what loads it, and what keeps it. */
export const rulesBlocks = (file: RulesFile, text: string, about: Partial<NativeBlock>): NativeBlock[] => [
  ...plainFileBlocks(file, text, about),
  uciBlock(
    `firewall.${prefix}nft_${file.name}`,
    'include',
    [
      ['type', 'nftables'],
      ['path', file.path],
      ['position', 'ruleset-post'],
    ],
    about,
  ),
]

export type FileChanges = {
  files: string[]
  writes: { text: string; mode: string }[]
  /** Shell that puts them in their places; the first of the new files has the number `first`. */
  place(first: number): string
  /** Shell that takes tables out of the kernel that are in no file any more: fw4 drops its own only. */
  unload: string
  /** Shell that tells cron of its lines. */
  cron: string
  /** Whether networks get other hours. */
  hours: boolean
  /** Whether ports are copied otherwise. */
  mirror: boolean
  /** Shell that ends what is left of guests that the gate has no more. */
  gate: string
  /** Sections that have none any more. */
  freed: string[]
}

/** Our lines in the place of those that were there; a list that has no others goes with them. */
const placeCron = (from: string | undefined): string => {
  const { path } = cronLines
  const kept = `grep -v ${quote(isOurs)} ${path} 2>/dev/null`
  const made = from === undefined ? kept : `${kept}; cat ${from}`
  return `mkdir -p /etc/crontabs; { ${made}; } >${path}.new
chmod 600 ${path}.new && mv -f ${path}.new ${path} || return 1
[ -s ${path} ] || rm -f ${path}
`
}

/** What a push does to the files. */
export function fileChanges(before: NativeConfig, next: NativeConfig): FileChanges {
  for (const block of [...before.blocks, ...next.blocks].filter(isFile))
    if (!files.some(file => idOf(file) === block.id))
      throw new DeviceError('internal', `${block.id} is not ours to write`)
  const text = (config: NativeConfig, file: { path: string }) =>
    config.blocks.find(block => block.id === idOf(file))?.text
  const changed = files.filter(file => text(before, file) !== text(next, file))
  const written = changed.filter(file => text(next, file) !== undefined)
  const drop = (path: string, table: string) =>
    `grep -q ${quote(`^table ${table} {`)} ${path} 2>/dev/null || nft delete table ${table} 2>/dev/null`
  const drops = changed.flatMap(file => file.tables.map(table => `${drop(file.path, table)}\n`)).join('')
  return {
    files: changed.map(file => file.path),
    writes: written.map(file => ({ text: text(next, file) ?? '', mode: '600' })),
    place: first =>
      changed
        .map(({ path }) => {
          const at = written.findIndex(file => file.path === path)
          if (path === cronLines.path) return placeCron(at < 0 ? undefined : `$D/new/${first + at}`)
          if (at < 0) return `rm -f ${path} || return 1\n`
          return `mkdir -p ${path.replace(/\/[^/]*$/, '')} && cp -p $D/new/${first + at} ${path} || return 1\n`
        })
        .join(''),
    unload: drops && `${drops}:`,
    cron: changed.includes(cronLines) ? reloadService('cron', 'restart') : '',
    hours: changed.includes(clockFiles.hours),
    mirror: changed.includes(mirrorFiles.mirror),
    gate: changed.includes(gateFile) || changed.includes(gateFiles.answer) ? endGate : '',
    freed: sectionsWithHours(before).filter(name => !sectionsWithHours(next).includes(name)),
  }
}

const endGate = `if [ -e ${gateFile.path} ]; then
${endLeftSets(gateFile.path)}
mkdir -p ${awayFolder} && chmod 700 ${awayFolder}
[ ! -e ${formerGuests} ] || mv -f ${formerGuests} ${keptGuests}
(umask 077; touch ${keptGuests} ${awayFolder}/used ${awayFolder}/lock)
else
rm -rf ${awayFolder} ${formerGuests}
rmdir ${gateFiles.answer.path.replace(/\/[^/]*$/, '')} 2>/dev/null
${endClasses}
fi`

const mark = '== lanward file '
/** Shell that prints those that are there. */
export const readFiles = files
  .map(({ path }) =>
    path === cronLines.path
      ? `! grep -qs ${quote(isOurs)} ${path} || { echo '${mark}${path}'; grep ${quote(isOurs)} ${path}; }`
      : `[ ! -e ${path} ] || { echo '${mark}${path}'; cat ${path}; }`,
  )
  .join('; ')

/** What came before them, and the files as blocks. */
export function splitFiles(text: string): { shown: string; files: NativeBlock[] } {
  const [shown = '', ...parts] = text.split(new RegExp(`^${mark}`, 'm'))
  const found = parts.flatMap(part => {
    const end = part.indexOf('\n')
    const id = `file:${part.slice(0, end)}`
    return files.some(file => idOf(file) === id) ? [{ id, text: part.slice(end + 1) }] : []
  })
  return { shown, files: found }
}

/** Tables that should be in the kernel and are not. */
export async function verifyFiles(session: OpenwrtSession, next: NativeConfig): Promise<Warning[]> {
  const wanted = files.flatMap(file => {
    const block = next.blocks.find(one => one.id === idOf(file))
    return file.tables.filter(table => block?.text.includes(`\ntable ${table} {`)).map(table => ({ table, block }))
  })
  const problems: Warning[] = []
  for (const { table, block } of wanted) {
    const { code, stderr } = await session.ssh.exec(`nft list table ${table} >/dev/null`)
    if (code !== 0)
      problems.push({ code: 'firewallDown', kind: block?.kind, values: { error: stderr.trim().slice(0, 200) } })
  }
  return problems
}
