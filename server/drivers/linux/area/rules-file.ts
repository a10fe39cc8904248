import type { NativeBlock, Warning } from '../../driver'
import { quote } from '../../shell'
import { scheduledBy } from '../../unix/schedules'
import { type Oneshot, unitPath, unitText, wantsPath, wantsText } from '../base/oneshot'
import { scheduleScript } from '../base/schedule-script'
import { type LinuxSession, script } from '../observe/observe'
import { type Area, blockPath, fileBlock, type OwnFiles } from './area'

/** A file of nftables tables of ours, with the service that loads it at boot and holds it while it is there. */
export type RulesFile = {
  /** Of the service and its files. */
  name: string
  path: string
  description: string
  /** Every table that the file may hold, `inet lanward`. */
  tables: readonly string[]
  /** What is run after it was loaded, by a path; it may fail. */
  after?: string
}

const service = ({ name, path, description, tables, after }: RulesFile, text: string): Oneshot => ({
  name,
  file: path,
  description,
  after: 'nftables.service\nWants=network-pre.target\nBefore=network-pre.target',
  start: [
    scheduledBy(text).length > 0 ? `/bin/sh ${scheduleScript} load ${path}` : `/usr/sbin/nft -f ${path}`,
    ...(after === undefined ? [] : [`-/bin/sh ${after}`]),
  ],
  stop: tables.map(table => `-/usr/sbin/nft delete table ${table}`),
})

/** The file's blocks; what starts it is a drop-in instead of "enable", so that files are the whole state. */
export const rulesBlocks = (file: RulesFile, text: string, more: Partial<NativeBlock>): NativeBlock[] => [
  fileBlock(file.path, text, more),
  fileBlock(unitPath(file.name), unitText(service(file, text)), more),
  fileBlock(wantsPath(file.name), wantsText(file.name), more),
]

/** Shell lines; a rule set that the device's own nftables refuses is a push that failed, before anything is loaded. */
function settle({ name, path, tables }: RulesFile): string[] {
  const drop = (table: string) => `nft delete table ${table} 2>/dev/null`
  return [
    // Loaded over what is there: at no moment is the device without rules. A table that the file has no more stays.
    `if [ -e ${path} ]; then
nft -c -f ${path} || return 1
serve reload-or-restart ${name}.service || return 1
${tables.map(table => `grep -q ${quote(`^table ${table} {`)} ${path} || ${drop(table)}`).join('\n')}
else
serve stop ${name}.service 2>/dev/null
# A unit whose file is gone has forgotten how it is stopped.
${tables.map(drop).join('\n')}
fi
:`,
  ]
}

/** The tables in the kernel: files that lie there and were never loaded protect nobody. */
async function verify(session: LinuxSession, file: RulesFile, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const block = blocks.find(one => blockPath(one) === file.path)
  const wanted = file.tables.filter(table => block?.text.includes(`\ntable ${table} {`))
  const ask = wanted.map(table => `nft list table ${table} >/dev/null || exit 1`).join('\n')
  const { code, stderr } = await script(session, ask, [], 20_000)
  if (code === 0) return []
  return [{ code: 'firewallDown', kind: block?.kind, values: { error: stderr.trim().slice(0, 200) } }]
}

/** One file by its very path. */
export const ownFile = (path: string, mode: OwnFiles['mode']): OwnFiles => ({
  path: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
  glob: path,
  mode,
})

export const rulesArea = (file: RulesFile): Area => ({
  files: [ownFile(file.path, '600'), ownFile(unitPath(file.name), '644'), ownFile(wantsPath(file.name), '644')],
  settle: () => settle(file),
  verify: (session, blocks) => verify(session, file, blocks),
})
