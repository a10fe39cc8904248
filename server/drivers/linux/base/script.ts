import { filtersScript } from './filters'
import { kernelVlansScript } from './kernel-vlans'
import { ownersScript } from './owners'
import { zonesScript } from './zones'

// The one script that reads a Linux device, sent on standard input so that the account's login shell does not matter.
// POSIX sh and busybox ash; a tool that is missing leaves its part out. $1 is a random mark that no file can contain by
// chance or by intent, $2 the depth, $3 whether to sample the processors twice,
// $4 sshd's SSH_CONNECTION.

const prelude = String.raw`
exec 2>/dev/null
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin; export PATH
mark=$1 depth=$2 twice=$3 connection=$4
has() { command -v "$1" >/dev/null; }
# Some busybox systems have no timeout, older ones another syntax.
if timeout 5 true; then limit() { timeout 5 "$@"; }; else limit() { "$@"; }; fi
part() { printf '\n%s %s\n' "$mark" "$1"; }
done_() { printf '\n%s = %s\n' "$mark" "$1"; }
run() { part "$1"; shift; limit "$@"; done_ $?; }
# All of it, or by the switch of two links: one that forwards sends to another one alone.
forwards() {
  [ "$(cat /proc/sys/net/ipv4/ip_forward)" = 1 ] && return
  [ "$(grep -lx 1 /proc/sys/net/ipv4/conf/*/forwarding | grep -cvE '/(all|default|lo)/')" -ge 2 ]
}
file() { [ -r "$2" ] || return 0; part "$1"; head -c 1000000 "$2" || cat "$2"; done_ 0; }
`

const interfaces = String.raw`
interfaces() {
  for d in /sys/class/net/*; do
    [ -e "$d/ifindex" ] || continue
    printf 'name=%s\n' "${'$'}{d##*/}"
    for f in ifindex iflink type address mtu flags operstate carrier speed duplex tun_flags ifalias bridge/vlan_filtering; do
      v=; [ -r "$d/$f" ] && IFS= read -r v <"$d/$f"
      [ -n "$v" ] && printf '%s=%s\n' "$f" "$v"
    done
    v=0; [ -r "/proc/sys/net/ipv6/conf/${'$'}{d##*/}/accept_ra" ] && IFS= read -r v <"/proc/sys/net/ipv6/conf/${'$'}{d##*/}/accept_ra"
    [ "$v" -gt 0 ] && echo has=accept_ra
    for f in bridge bonding phy80211 device; do [ -e "$d/$f" ] && echo "has=$f"; done
    [ -e "/proc/net/vlan/${'$'}{d##*/}" ] && echo has=vlan
  done
}
part interfaces; interfaces; done_ 0
part masters; ls -ld /sys/class/net/*/master /sys/class/net/*/phy80211; done_ 0
file netdev /proc/net/dev
`

const health = `
file uptime /proc/uptime
[ -d /run/lanward-paths ] && { part ways; cat /run/lanward-paths/*; done_ 0; }
file init /proc/1/stat
file loadavg /proc/loadavg
file meminfo /proc/meminfo
run df df -kP /
part temperature; cat /sys/class/thermal/thermal_zone*/temp /sys/class/hwmon/hwmon*/temp1_input; done_ 0
file stat /proc/stat
`

const wifi = `
# hostapd notes every question for neighbors where none were switched on.
reports() {
  awk -F= -v name="$1" '/^(interface|bss)=/ { mine = $2 == name } mine && /^rrm_neighbor_report=1/ { is = 1 } END { exit !is }' \
    /etc/hostapd/lanward-*.conf
}
hostapd_sockets() {
  for d in /run/hostapd /var/run/hostapd; do
    [ -d "$d" ] || continue
    for s in "$d"/*; do [ -S "$s" ] && echo "$d ${'$'}{s##*/}"; done
    return
  done
}
if has hostapd_cli; then
  hostapd_sockets | while read -r dir name; do
    [ "$name" = global ] && continue
    part "hostapd/$name"; limit hostapd_cli -p "$dir" -i "$name" status; done_ $?
    part "stations/$name"; limit hostapd_cli -p "$dir" -i "$name" all_sta; done_ $?
    reports "$name" && part "neighbors/$name" && limit hostapd_cli -p "$dir" -i "$name" show_neighbor && done_ 0
  done
fi
if has iw && [ -d /sys/class/ieee80211 ]; then
  run iw-dev iw dev
  run iw-reg iw reg get
  run iw-phy iw phy
fi
part hostapd; has hostapd && echo installed; forwards && echo forwarding; done_ 0
part hostapd-conf
for f in /etc/hostapd/*.conf; do [ -r "$f" ] && grep -hE '^(interface|bridge|driver)=' "$f" && printf 'file=%s\n\n' "$f"; done
done_ 0
`

const system = String.raw`
run uid id -u
file os-release /etc/os-release
file hostname /proc/sys/kernel/hostname
run kernel uname -srm
part dmi
for f in sys_vendor product_name product_version product_sku product_serial board_vendor board_name bios_version; do
  v=; [ -r "/sys/class/dmi/id/$f" ] && IFS= read -r v <"/sys/class/dmi/id/$f"; [ -n "$v" ] && echo "$f=$v"
done
for f in model serial-number; do [ -r "/proc/device-tree/$f" ] && printf '%s=%s\n' "$f" "$(tr -d '\000' <"/proc/device-tree/$f")"; done
done_ 0
part tools
for t in systemctl systemd-run hostapd hostapd_cli iw nft iptables ovs-vsctl dnsmasq lldpcli brctl bridge ethtool inadyn opkg; do has "$t" && echo "$t"; done
# busybox has one, too, which knows neither its version nor the queues.
has tc && tc -V >/dev/null && echo tc
[ -d /run/systemd/system ] && echo systemd
# What hostapd was built without is in none of its answers: it knows the words of what it can do.
if h=$(command -v hostapd); then
  for w in sae_password '|vlanid=' owe_transition_ifname wep_key0 auth_server_addr; do grep -qa "$w" "$h" || echo "without-$w"; done
fi
has dnsmasq && dnsmasq --version | grep -q ' nftset' && echo nftset
has pppd && ls /usr/lib/pppd/*/rp-pppoe.so >/dev/null && echo pppoe
[ -x /lib/systemd/systemd-timesyncd ] && echo timesyncd
for f in /usr/lib/*/rsyslog/lmnsd_gtls.so /usr/lib*/rsyslog/lmnsd_gtls.so; do [ -e "$f" ] && echo rsyslog-gtls; done
for t in rsyslogd sshd snmpd; do has "$t" && echo "$t"; done
pidof dnsmasq >/dev/null && echo dnsmasq-running
pidof hostapd >/dev/null && echo hostapd-running
forwards && echo forwarding
if has nft && limit nft list ruleset | grep -qE 'masquerade|snat to'; then echo nat
elif has iptables && limit iptables -t nat -S | grep -qE 'MASQUERADE|SNAT'; then echo nat; fi
done_ 0
part leds; for d in /sys/class/leds/*; do [ -w "$d/trigger" ] && echo "${'$'}{d##*/}"; done; done_ 0
`

const hosts = String.raw`
ovs() { has ovs-vsctl && { [ -S /run/openvswitch/db.sock ] || [ -S /var/run/openvswitch/db.sock ]; }; }
# Whoever was not heard of for long is asked for, by the kernel and at its address alone: the next reading tells.
ask_stale() {
  ip neigh show | awk '$NF == "STALE" { a = $1; m = d = ""; for (i = 2; i < NF; i++) { if ($i == "lladdr") m = $(i + 1); if ($i == "dev") d = $(i + 1) }
    if (m != "" && d != "" && ++n <= 256) print "neigh change " a " lladdr " m " dev " d " nud probe" }' | ip -force -batch - >/dev/null
}
hosts() {
  has ip || file arp /proc/net/arp
  has ip && { part neighbours; limit ip -s neigh show || limit ip neigh show; done_ $?; }
  has bridge && run fdb bridge -j fdb show
  if has brctl && ! has bridge; then
    for d in /sys/class/net/*/bridge; do
      b=${'$'}{d%/bridge}; b=${'$'}{b##*/}; [ -d "$d" ] || continue
      part "brctl/$b"; for p in /sys/class/net/"$b"/brif/*; do printf '%s %s\n' "$(cat "$p/port_no")" "${'$'}{p##*/}"; done; brctl showmacs "$b"; done_ $?
    done
  fi
  part leases
  for f in /var/lib/misc/dnsmasq.leases /var/lib/misc/lanward-*.leases /var/lib/dnsmasq/*.leases /var/lib/NetworkManager/dnsmasq-*.leases /run/dnsmasq*.leases /tmp/dhcp.leases \
    $(cat /etc/dnsmasq.conf /etc/dnsmasq.d/* | sed -n 's/^dhcp-leasefile=//p; s/^dhcp-lease-file=//p'); do
    [ -r "$f" ] && head -c 1000000 "$f" && echo "file"
  done
  done_ 0
}
# Who is there is asked at each poll, but for tables that are large, and Open vSwitch's, which take longer.
if [ "$depth" = full ]; then hosts; has ip && ask_stale
elif ! ovs; then
  t=$(hosts)
  [ "${'$'}{#t}" -lt 200000 ] && printf '%s\n' "$t"
fi
`

const tables = `
run addresses ip -o addr show
has tc && run qdiscs tc qdisc show
has ip && { part routes; ip -o -4 route show default; ip -o -6 route show default; done_ 0; }
part account; printf '%s' "${'$'}{SUDO_USER:-$(id -un)}"; done_ 0
part connection; printf '%s' "$connection"; done_ 0
has ip && run route ip -o route get "${'$'}{connection%%[% ]*}"
has bridge && run vlans bridge -j vlan show
if ovs; then
  run ovs-bridges ovs-vsctl --timeout=4 --format=json --columns=name,ports list Bridge
  run ovs-ports ovs-vsctl --timeout=4 --format=json --columns=_uuid,name,tag,trunks,vlan_mode,interfaces list Port
  run ovs-interfaces ovs-vsctl --timeout=4 --format=json --columns=_uuid,name,ofport,type list Interface
  for b in $(limit ovs-vsctl --timeout=4 list-br); do run "ovs-fdb/$b" ovs-appctl -T 4 fdb/show "$b"; done
fi
# Option 43 in the newest lease of a client that the device has: networkd's, dhclient's.
part option43; cat /run/systemd/netif/leases/* /var/lib/dhcp/dhclient*.leases | awk '/^lease / { is = 0 }
  /^VENDOR_SPECIFIC=./ || /option vendor-encapsulated-options / { is = 1 } END { exit !is }'; done_ $?
part reservations; cat /etc/dnsmasq.conf /etc/dnsmasq.d/* /etc/lanward/dhcp-*.conf | grep -E '^dhcp-host='; done_ 0
has lldpcli && run lldp lldpcli -f json0 show neighbors
`

const cpuAgain = `
if [ "$twice" = 1 ]; then sleep 0.3 || sleep 1; file stat2 /proc/stat; fi
part end; done_ 0
`

export const readScript = `${prelude}${health}${interfaces}${wifi}${hosts}
if [ "$depth" = full ]; then${system}${kernelVlansScript}${zonesScript}${tables}${filtersScript}${ownersScript}fi${cpuAgain}`
