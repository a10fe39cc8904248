import type { NativeBlock, Warning } from '../driver'
import type { Area } from './area'
import { rulesPath, service } from './firewall'
import { type LinuxSession, script } from './observe'
import { unitPath, wantsPath } from './oneshot'

/** The table in the kernel: files that lie there and were never loaded protect nobody. */
async function verify(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  if (blocks.length === 0) return []
  const { code, stderr } = await script(session, 'nft list table inet lanward >/dev/null', [], 20_000)
  return code === 0 ? [] : [{ code: 'firewallDown', kind: 'wiredRule', values: { error: stderr.trim().slice(0, 200) } }]
}

const exactly = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.')}$`)
const file = (path: string, mode: '600' | '644') => ({ path: exactly(path), glob: path, mode })

/** The rules, the service that loads them, and what starts it. */
export const firewallArea: Area = {
  files: [file(rulesPath, '600'), file(unitPath(service.name), '644'), file(wantsPath(service.name), '644')],
  settle: () => [
    // A rule set that the device's own nftables refuses is a push that failed, before anything is loaded.
    `[ ! -e ${rulesPath} ] || nft -c -f ${rulesPath} || return 1`,
    // A unit whose file is gone has forgotten how it is stopped.
    `if [ -e ${rulesPath} ]; then serve restart ${service.name}.service || return 1
else serve stop ${service.name}.service 2>/dev/null; nft delete table inet lanward 2>/dev/null; fi`,
  ],
  verify,
}
