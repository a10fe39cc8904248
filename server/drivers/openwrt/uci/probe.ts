import { clean, lines, present } from '../../unix/text'
import type { Reader } from './ubus'

/** What the system can, as files and tools tell it; undefined where the shell did not answer. */
export type Probe = {
  /** Names in /etc/init.d. */
  services: ReadonlySet<string>
  tools: ReadonlySet<string>
  /** What hostapd was built with; absent where there is none. */
  hostapd?: ReadonlySet<string>
  /**
   * The kernel has 802.1Q; nftables can filter in a bridge; tc copies packets (mirror), holds rates (htb); connections are
   * taken past the rules.
   */
  kernel: ReadonlySet<string>
  /** Its Wi-Fi scripts are those in ucode (`ucode`), which know WEP (`wep`). */
  wifi: ReadonlySet<string>
  /** Of the name server: `nftset`. */
  names: ReadonlySet<string>
  /** Gates of others that run: program, and the interface that it holds where it is told. */
  portals: { program: string; interface?: string }[]
}

const features = ['eap', 'sae', 'owe', 'wep']

// OpenWrt's hostapd answers `-vNAME` by its exit status, but not for 802.11v (WNM): of that only the options it knows tell.
// Whether the kernel has the bridge family is known by trying it.
// openNDS and nodogsplash hold one bridge, uspot those that it is told.
const portalsText = `for one in opennds nodogsplash; do
  pgrep -x $one >/dev/null && echo "portal $one $(uci -q get "$one.@$one[0].gatewayinterface" || echo br-lan)"
done
[ -x /etc/init.d/uspot ] && /etc/init.d/uspot running 2>/dev/null &&
  for one in $(uci -q show uspot | sed -n "s/^uspot\\.[^.]*\\.interface='\\(.*\\)'$/\\1/p"); do echo "portal uspot $one"; done`

const script = `for one in /etc/init.d/*; do echo "service \${one##*/}"; done
for one in fw4 nft tc; do command -v $one >/dev/null && echo "tool $one"; done
[ -e /proc/net/vlan ] && echo 'kernel vlan'
{ [ -d /sys/module/act_mirred ] || ls /lib/modules/*/act_mirred.ko >/dev/null 2>&1; } && echo 'kernel mirror'
command -v tc >/dev/null && { [ -d /sys/module/sch_htb ] || ls /lib/modules/*/sch_htb.ko >/dev/null 2>&1; } && echo 'kernel htb'
dnsmasq --version 2>/dev/null | tr ' ' '\\n' | grep -qx nftset && echo 'names nftset'
${portalsText}
case $(uci -q get 'firewall.@defaults[0].flow_offloading') in 1|on|true|yes|enabled) echo 'kernel offload' ;; esac
echo 'add table bridge lanward_probe; add chain bridge lanward_probe c { type filter hook forward priority 0; }' |
  nft -c -f - >/dev/null 2>&1 && echo 'kernel bridge'
command -v hostapd >/dev/null && {
  echo 'tool hostapd'
  for one in ${features.join(' ')}; do hostapd -v$one >/dev/null 2>&1 && echo "hostapd $one"; done
  file=$(command -v hostapd)
  { ! head -n 1 "$file" | grep -q ELF || grep -q bss_transition "$file"; } && echo 'hostapd wnm'
}
scripts=/usr/share/ucode/wifi/ap.uc
[ -e $scripts ] && { echo 'wifi ucode'; grep -q wep_key $scripts && echo 'wifi wep'; }
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
    wifi: of('wifi'),
    names: of('names'),
    portals: [...of('portal')].slice(0, 32).flatMap(line => {
      const [program, name] = line.split(' ').map(word => clean(word, 64))
      return program ? [present({ program, interface: name })] : []
    }),
    ...(tools.has('hostapd') && { hostapd: of('hostapd') }),
  }
}
