import { isIPv4 } from 'node:net'
import { quote } from '../shell'
import { mac } from './text'

// A lease of dnsmasq's is taken out of its file while it does not run: it reads the file at its start alone, and writes it
// from memory. `dhcp_release` would do without a stop, and is on few devices.

/** What a server has leased to whom. */
export type LeasedAddress = { mac: string; address: string }

/** What a device's shell says where no file has the lease. */
export const noLease = 'no such lease'

/**
 * A shell text that ends the lease in each of the files: `files` are shell words, `stop` and `start` shell lines in which
 * `$f` is the file. Status 4: no file has it; 3: its server is none that could be stopped.
 */
export function releaseScript(
  lease: LeasedAddress,
  { files, stop, start }: Record<'files' | 'stop' | 'start', string>,
) {
  const whose = mac(lease.mac)
  if (whose === undefined || !isIPv4(lease.address)) throw new TypeError('no lease')
  const is = `tolower($2) == m && $3 == a`
  const awk = (program: string) => `awk -v m=${quote(whose)} -v a=${quote(lease.address)} ${quote(program)} "$f"`
  return `found=
for f in ${files}; do
[ -f "$f" ] && ${awk(`${is} { found = 1 } END { exit !found }`)} || continue
found=1
${stop} || exit 3
rest=$(${awk(`!(${is})`)}) && { [ -z "$rest" ] || printf '%s\\n' "$rest"; } >"$f"
code=$?
${start} || exit 1
[ $code = 0 ] || exit 1
done
[ -n "$found" ] || { echo ${quote(noLease)} >&2; exit 4; }`
}
