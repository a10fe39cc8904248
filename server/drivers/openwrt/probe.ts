import { lines } from '../unix/text'
import type { Reader } from './ubus'

/** What the system can, as files and tools tell it; undefined where the shell did not answer. */
export type Probe = {
  /** Names in /etc/init.d. */
  services: ReadonlySet<string>
  tools: ReadonlySet<string>
  /** What hostapd was built with; absent where there is none. */
  hostapd?: ReadonlySet<string>
  /** The kernel has 802.1Q; nftables can filter in a bridge; connections are taken past the rules. */
  kernel: ReadonlySet<string>
}

const features = ['eap', 'sae', 'owe', 'wep']

// OpenWrt's hostapd answers `-vNAME` by its exit status, but not for 802.11v (WNM): of that only the options it knows tell.
// Whether the kernel has the bridge family is known by trying it.
const script = `for one in /etc/init.d/*; do echo "service \${one##*/}"; done
for one in fw4 nft tc; do command -v $one >/dev/null && echo "tool $one"; done
[ -e /proc/net/vlan ] && echo 'kernel vlan'
case $(uci -q get 'firewall.@defaults[0].flow_offloading') in 1|on|true|yes|enabled) echo 'kernel offload' ;; esac
echo 'add table bridge lanward_probe; add chain bridge lanward_probe c { type filter hook forward priority 0; }' |
  nft -c -f - >/dev/null 2>&1 && echo 'kernel bridge'
command -v hostapd >/dev/null && {
  echo 'tool hostapd'
  for one in ${features.join(' ')}; do hostapd -v$one >/dev/null 2>&1 && echo "hostapd $one"; done
  file=$(command -v hostapd)
  { ! head -n 1 "$file" | grep -q ELF || grep -q bss_transition "$file"; } && echo 'hostapd wnm'
}
# An access point alone needs no wpa_supplicant; a mesh does, built for it, and a radio that can.
command -v wpa_supplicant >/dev/null && wpa_supplicant -vmesh >/dev/null 2>&1 &&
  { ! command -v iw >/dev/null || iw phy 2>/dev/null | grep -q '^[[:space:]]*\\* mesh point$'; } && echo 'tool mesh'
echo end`

export async function readProbe(reader: Reader): Promise<Probe | undefined> {
  const told = lines(await reader.run('sh', '-c', script)).slice(0, 1_000)
  if (told.at(-1) !== 'end') return undefined
  const of = (word: string) =>
    new Set(told.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1)))
  const tools = of('tool')
  return {
    services: of('service'),
    tools,
    kernel: of('kernel'),
    ...(tools.has('hostapd') && { hostapd: of('hostapd') }),
  }
}
