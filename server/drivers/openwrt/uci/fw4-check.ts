import type { NativeBlock, Warning } from '../../driver'
import { sectionOf } from './package'
import type { OpenwrtSession } from './session'

/** A zone of the system's own is for one kind of addresses: then so is what is about it, and nothing is left out. */
const harmless = /^(\(.*\) )?inheriting \S+ restriction from (src|dest) /

/** Sections of ours that `fw4 check` says it leaves out: `[!] Section lw_rule_1_lan_wan (No web) option 'proto' …`. */
export const skipped = (text: string): { section: string; problem: string }[] =>
  text.split('\n').flatMap(line => {
    const [, section = '', problem = ''] = /\[!\] Section (lw_[A-Za-z0-9_]+)(.*)$/.exec(line) ?? []
    const said = problem.trim().slice(0, 200)
    return section === '' || harmless.test(said) ? [] : [{ section, problem: said }]
  })

/** fw4 leaves out what it does not understand, and reports success: only its check tells. fw3 has none. */
export async function verify(session: OpenwrtSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const ask = 'command -v fw4 >/dev/null || exit 0; fw4 check 2>&1'
  const { code, stdout } = await session.ssh.exec(ask, { timeoutMs: 20_000 })
  const told = skipped(stdout).map(({ section, problem }) => {
    const block = blocks.find(one => sectionOf(one).section === section)
    const about = { kind: block?.kind, document: block?.document }
    return { ...about, code: 'firewallDown' as const, values: { error: `${section} ${problem}` } }
  })
  if (code === 0 || told.length > 0) return told
  return [{ code: 'firewallDown', values: { error: stdout.trim().slice(-200) } }]
}
