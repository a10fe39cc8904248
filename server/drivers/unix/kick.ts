import { DeviceError } from '../driver'
import { quote } from '../shell'
import { clean, mac } from './text'

// A station is put off the air by hostapd: it has to join anew, and may do so at once.

type Ran = { code: number | null; stdout: string; stderr: string }

const header = (macs: readonly string[]) => {
  const whom = macs.map(one => {
    const own = mac(one)
    if (own === undefined) throw new TypeError('no MAC address')
    return own
  })
  return `macs=${quote(whom.join(' '))}
refused=
`
}
const end = `[ -z "$refused" ] || { printf '%s\\n' "$refused" >&2; exit 1; }`

/** By hostapd's own sockets, as Debian's packages make them. Prints whom it put out; 3: no hostapd_cli. */
export const hostapdCliKick = (macs: readonly string[]): string => `${header(macs)}
command -v hostapd_cli >/dev/null || exit 3
for dir in /run/hostapd /var/run/hostapd; do
  [ -d "$dir" ] || continue
  for socket in "$dir"/*; do
    bss=\${socket##*/}
    [ -S "$socket" ] && [ "$bss" != global ] || continue
    for mac in $macs; do
      hostapd_cli -p "$dir" -i "$bss" sta "$mac" </dev/null 2>/dev/null | grep -qix "$mac" || continue
      said=$(hostapd_cli -p "$dir" -i "$bss" deauthenticate "$mac" </dev/null 2>&1)
      if [ "$said" = OK ]; then echo "$mac"; else refused="$bss: $said"; fi
    done
  done
  break
done
${end}`

/** By hostapd's objects on OpenWrt's bus. Reason 5 of IEEE 802.11 is what its own pages give. */
export const ubusKick = (macs: readonly string[]): string => `${header(macs)}
command -v ubus >/dev/null || exit 3
for bss in $(ubus list 2>/dev/null | grep '^hostapd\\..'); do
  clients=$(ubus call "$bss" get_clients 2>/dev/null) || continue
  for mac in $macs; do
    printf '%s\\n' "$clients" | grep -qi "\\"$mac\\"" || continue
    if said=$(ubus call "$bss" del_client "{\\"addr\\":\\"$mac\\",\\"reason\\":5,\\"deauth\\":true,\\"ban_time\\":0}" 2>&1)
    then echo "$mac"; else refused="$bss: $said"; fi
  done
done
${end}`

/** Whom a device put out, by what its script said; an error where it refused. */
export function kicked({ code, stdout, stderr }: Ran): string[] {
  if (code === 3) throw new DeviceError('unsupported', 'no hostapd')
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
  return [...new Set(stdout.split('\n').flatMap(line => mac(line.trim()) ?? []))]
}
