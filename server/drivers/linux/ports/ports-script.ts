import { scriptUnit } from '../base/oneshot'

// The one script that makes ports as the files in `portsFolder` say, and puts back what is in no file any more. What a
// port was before it was first set is kept on the device, so that a value left out, or a file gone, gives it back.

export const portsFolder = '/etc/lanward/ports'
export const portsPath = '/etc/lanward/ports.sh'
export const portsName = 'lanward-ports'
/** What ports were before; not of the files that a push puts back, since it is what they are put back from. */
export const portsKept = '/var/lib/lanward/ports'

const prelude = `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
LC_ALL=C; export LC_ALL
wanted=${portsFolder}
kept=${portsKept}
none=/dev/null
has() { command -v "$1" >/dev/null 2>&1; }
value() { sed -n "s/^$2=//p" "$1" | head -n 1; }
vsctl() { ovs-vsctl --timeout=30 "$@"; }
sys() { cat "/sys/class/net/$1/$2" 2>/dev/null; }
confs() { for f in "$wanted"/*.conf; do [ ! -e "$f" ] || { f=\${f##*/}; echo "\${f%.conf}"; }; done; }
conf_of() { if [ -e "$wanted/$1.conf" ]; then echo "$wanted/$1.conf"; else echo "$none"; fi; }
# A value of the port's file, else what it was before.
either() { v=$(value "$conf" "$1"); if [ -n "$v" ]; then echo "$v"; else value "$old" "$1"; fi; }
`

const before = String.raw`
# kind and bridge of a port; both empty where it is in none. A bridge of the kernel is a port of itself.
bridge_of() {
  kind= bridge=
  # The bridge's own port is none that ovs-vsctl finds by its name.
  if has ovs-vsctl && ovs-vsctl --timeout=10 br-exists "$1" 2>/dev/null; then kind=ovs bridge=$1
  elif has ovs-vsctl && bridge=$(ovs-vsctl --timeout=10 iface-to-br "$1" 2>/dev/null); then kind=ovs
  elif [ -e "/sys/class/net/$1/bridge" ]; then kind=self bridge=$1
  elif [ -e "/sys/class/net/$1/brport" ]; then
    kind=kernel bridge=$(readlink "/sys/class/net/$1/master"); bridge=${'$'}{bridge##*/}
  fi
}
# At boot interfaces and Open vSwitch take their time.
await() {
  left=300
  until [ -e "/sys/class/net/$1" ] && { [ "$(value "$kept/$1" kind 2>/dev/null)" != ovs ] || { bridge_of "$1"; [ "$kind" = ovs ]; }; }; do
    [ $left -gt 0 ] || { echo "$1 is not there" >&2; return 1; }
    sleep 0.2; left=$((left - 1))
  done
}
# Without its database Open vSwitch says of no port that it has it, and what a port was before would be given up.
reached() { ! grep -qs '^kind=ovs$' "$kept"/* || ovs-vsctl --retry --timeout=60 show >/dev/null; }
link_of() { if [ $(($(sys "$1" flags) & 1)) = 1 ]; then echo up; else echo down; fi; }
speed_of() {
  ethtool "$1" 2>/dev/null | awk -F': ' '/Speed:/ { s = $2 + 0 } /Duplex:/ { d = tolower($2) } /Auto-negotiation:/ { a = $2 }
    END { if (a == "on") print "auto"; else if (s > 0 && (d == "full" || d == "half")) print s d }'
}
vlans_of() { bridge vlan show dev "$1" 2>/dev/null | awk 'NR > 1 { v = $1 == p ? $2 : $1; if (v ~ /^[0-9]+$/) print v (/PVID/ ? " pvid" : "") (/Untagged/ ? " untagged" : "") }' p="$1"; }
keep() {
  [ ! -e "$kept/$1" ] || return 0
  bridge_of "$1"
  {
    printf 'kind=%s\nbridge=%s\nlink=%s\nspeed=%s\ndescription=%s\n' "$kind" "$bridge" "$(link_of "$1")" "$(speed_of "$1")" "$(sys "$1" ifalias)"
    case $kind in
      ovs)
        for c in tag trunks vlan_mode protected; do v=$(vsctl get Port "$1" $c) || return 1; echo "$c=$(echo "$v" | tr -d ' ')"; done
        echo "ofport_request=$(vsctl get Interface "$1" ofport)" ;;
      kernel)
        echo "isolated=$(sys "$1" brport/isolated)"
        vlans_of "$1" | sed 's/^/vlan=/' ;;
      self) vlans_of "$1" | sed 's/^/vlan=/' ;;
    esac
  } >"$kept/.new" && mv "$kept/.new" "$kept/$1"
}
`

const bonds = String.raw`
# Ports of ours that hold several interfaces; their names are in their own record.
ours() { if has ovs-vsctl; then ovs-vsctl --timeout=30 --bare --columns=name find Port external_ids:lanward=ports 2>/dev/null; fi; }
members() { vsctl get Port "$1" external_ids:lanward-members | tr -d '"' | tr + ' '; }
wanted_members() { for n in $(confs); do [ "lag$(value "$wanted/$n.conf" lag)" != "$1" ] || printf '%s ' "$n"; done; }
loosen() {
  for lag in $(ours); do
    [ "$(members "$lag") " != "$(wanted_members "$lag")" ] || continue
    home=$(vsctl port-to-br "$lag")
    # Two links side by side would be a loop: what was off before goes off first.
    for n in $(members "$lag"); do
      conf=$(conf_of "$n") old=$kept/$n
      [ "$(either link)" = up ] || ip link set dev "$n" down
    done
    set -- del-port "$lag"
    for n in $(members "$lag"); do
      set -- "$@" -- add-port "$home" "$n" -- set Interface "$n" "ofport_request=$(value "$kept/$n" ofport_request)"
    done
    vsctl "$@" || return 1
  done
}
bind() {
  for lag in $(for n in $(confs); do v=$(value "$wanted/$n.conf" lag); [ -z "$v" ] || echo "lag$v"; done | sort -u); do
    list=$(wanted_members "$lag")
    first=${'$'}{list%% *}
    bridge_of "$first"
    time=$(value "$wanted/$first.conf" lacp)
    if ! ours | grep -qx "$lag"; then
      set --
      for n in $list; do set -- "$@" --if-exists del-port "$bridge" "$n" --; done
      # shellcheck disable=SC2086
      vsctl "$@" add-bond "$bridge" "$lag" $list -- set Port "$lag" external_ids:lanward=ports \
        "external_ids:lanward-members=$(echo $list | tr ' ' +)" || return 1
    fi
    # Until the other end speaks LACP, one link alone is used: no loop, and nobody is cut off.
    vsctl set Port "$lag" lacp=active bond_mode=balance-tcp "other_config:lacp-time=${'$'}{time:-slow}" \
      other_config:lacp-fallback-ab=true || return 1
  done
}
`

const storms = String.raw`
storm_ovs() {
  number=$(vsctl get Interface "$1" ofport) || return 1
  meter=$((19456 + number))
  if [ -e "$kept/.storm-$1" ]; then
    ovs-ofctl -O OpenFlow13 del-flows "$bridge" "cookie=0x4c57/-1,in_port=$number"
    ovs-ofctl -O OpenFlow13 del-meter "$bridge" "meter=$meter"
    rm -f "$kept/.storm-$1"
  fi
  [ -n "$2" ] || return 0
  : >"$kept/.storm-$1"
  ovs-ofctl -O OpenFlow13 add-meter "$bridge" "meter=$meter,kbps,burst,bands=type=drop,rate=$2,burst_size=$2" &&
    ovs-ofctl -O OpenFlow13 add-flow "$bridge" "cookie=0x4c57,priority=40000,in_port=$number,dl_dst=01:00:00:00:00:00/01:00:00:00:00:00,actions=meter:$meter,normal"
}
storms_kernel() {
  has nft || return 0
  nft delete table netdev lanward_ports 2>/dev/null
  at=0 text=
  for n in $(confs); do
    rate=$(value "$wanted/$n.conf" storm)
    [ -n "$rate" ] && [ "$(value "$kept/$n" kind)" = kernel ] || continue
    at=$((at + 1))
    text="$text chain port$at { type filter hook ingress device \"$n\" priority -400; meta pkttype { broadcast, multicast } limit rate over $((rate * 125)) bytes/second burst $((rate * 125)) bytes drop
}
"
  done
  [ -z "$text" ] || printf 'table netdev lanward_ports {\n%s}\n' "$text" | nft -f -
}
`

// Copies leave by the observation port beside its own traffic. A kernel whose switch chip copies by itself takes
// `matchall`; others may lack it. What somebody else has set on the port stays.
const mirrors = `
copy() {
  tc filter add dev "$1" "$2" pref 19543 matchall action mirred egress mirror dev "$3" 2>/dev/null ||
    tc filter add dev "$1" "$2" pref 19543 protocol all u32 match u32 0 0 action mirred egress mirror dev "$3"
}
mirror() {
  mark=$kept/.mirror-$1
  if [ -e "$mark" ]; then
    for way in ingress egress; do tc filter del dev "$1" "$way" pref 19543 2>/dev/null; done
    [ "$(cat "$mark")" != ours ] || tc qdisc del dev "$1" clsact 2>/dev/null
    rm -f "$mark"
  fi
  [ -n "$2" ] || return 0
  await "$2" || return 1
  whose=theirs
  tc qdisc show dev "$1" | grep -q '^qdisc clsact' || { tc qdisc add dev "$1" clsact && whose=ours; } || return 1
  echo "$whose" >"$mark"
  [ "$3" = out ] || copy "$1" ingress "$2" || return 1
  [ "$3" = in ] || copy "$1" egress "$2"
}
`

const apply = String.raw`
apply_ovs() {
  port=$1 target=$1 native=$(value "$conf" native) tagged=$(value "$conf" tagged) number=$(value "$conf" lag)
  [ -z "$number" ] || target=lag$number
  case $(value "$conf" isolated) in on) shut=true ;; off) shut=false ;; *) shut=$(value "$old" protected) ;; esac
  if [ -n "$native" ]; then
    # Without a tag of its own the bridge is in what Open vSwitch calls VLAN 0.
    # It may have got one here: then what it had before counts.
    plain=$(value "$kept/$bridge" tag 2>/dev/null); [ -n "$plain" ] || plain=$(vsctl get Port "$bridge" tag)
    [ "$native" != 1 ] || [ "$plain" != '[]' ] || native=0
    if [ -n "$tagged" ]; then set -- vlan_mode=native-untagged "tag=$native" "trunks=$native,$tagged"
    else set -- vlan_mode=access "tag=$native" 'trunks=[]'; fi
  else set -- "vlan_mode=$(value "$old" vlan_mode)" "tag=$(value "$old" tag)" "trunks=$(value "$old" trunks)"; fi
  vsctl set Port "$target" "$@" "protected=$shut" && storm_ovs "$port" "$(value "$conf" storm)"
}
apply_kernel() {
  port=$1 native=$(value "$conf" native) tagged=$(value "$conf" tagged)
  case $(value "$conf" isolated) in on) shut=on ;; off) shut=off ;; *) shut=off; [ "$(value "$old" isolated)" != 1 ] || shut=on ;; esac
  bridge link set dev "$port" isolated $shut || return 1
  if [ -n "$native" ]; then list=$(echo "$native pvid untagged"; echo "$tagged" | tr , '\n')
  else list=$(sed -n 's/^vlan=//p' "$old"); fi
  [ -n "$list" ] || return 0
  echo "$list" | while read -r vlan flags; do
    [ -n "$vlan" ] || continue
    # shellcheck disable=SC2086
    bridge vlan add dev "$port" vid "$vlan" $flags || exit 1
    [ -z "$native" ] || [ "$vlan" = 1 ] || vlans_of "$bridge" | grep -q "^$vlan\( \|$\)" ||
      bridge vlan add dev "$bridge" vid "$vlan" self || exit 1
  done || return 1
  vlans_of "$port" | while read -r vlan _; do
    echo "$list" | grep -q "^$vlan\( \|$\)" || bridge vlan del dev "$port" vid "$vlan"
  done
}
# The bridge's own address: untagged in one VLAN. VLANs that it has for its ports' sake are tagged there, and stay.
apply_self() {
  native=$(value "$conf" native)
  if [ -n "$native" ]; then list="$native pvid untagged"; else list=$(sed -n 's/^vlan=//p' "$old"); fi
  [ -n "$list" ] || return 0
  echo "$list" | while read -r vlan flags; do
    # shellcheck disable=SC2086
    bridge vlan add dev "$1" vid "$vlan" $flags self || exit 1
  done || return 1
  vlans_of "$1" | while read -r vlan flags; do
    case $flags in *untagged*) echo "$list" | grep -q "^$vlan\( \|$\)" || bridge vlan del dev "$1" vid "$vlan" self ;; esac
  done
}
# A bridge begins to tell VLANs apart with the first port that has some, and ends with the last.
filters() {
  for b in $(for n in $(confs); do [ -z "$(value "$wanted/$n.conf" native)" ] || [ "$(value "$kept/$n" kind)" = ovs ] || value "$kept/$n" bridge; done | sort -u); do
    [ -e "$kept/.bridge-$b" ] || sys "$b" bridge/vlan_filtering >"$kept/.bridge-$b"
    [ "$(sys "$b" bridge/vlan_filtering)" = 1 ] || ip link set dev "$b" type bridge vlan_filtering 1 || return 1
    : >"$kept/.still-$b"
  done
  for f in "$kept"/.bridge-*; do
    [ -e "$f" ] || continue
    b=${'$'}{f##*/.bridge-}
    if [ -e "$kept/.still-$b" ]; then rm -f "$kept/.still-$b"
    else ip link set dev "$b" type bridge vlan_filtering "$(cat "$f")" && rm -f "$f"; fi
  done
}
set_speed() {
  [ -n "$2" ] && [ "$2" != "$(sys_speed "$1")" ] || return 0
  case $2 in
    auto) ethtool -s "$1" autoneg on ;;
    10half | 100half) ethtool -s "$1" speed "${'$'}{2%half}" duplex half autoneg off ;;
    10full | 100full) ethtool -s "$1" speed "${'$'}{2%full}" duplex full autoneg off ;;
    # From 1 Gbit/s on a link has to be negotiated: only this speed is offered.
    *) ethtool -s "$1" speed "${'$'}{2%full}" duplex full autoneg on ;;
  esac && mkdir -p /run/lanward && echo "$2" >"/run/lanward/speed-$1"
}
# What was set here since the device booted says more than what ethtool tells.
sys_speed() { cat "/run/lanward/speed-$1" 2>/dev/null || speed_of "$1"; }
apply() {
  conf=$(conf_of "$1") old=$kept/$1
  bridge_of "$1"
  case $kind in ovs) apply_ovs "$1" ;; kernel) apply_kernel "$1" ;; self) apply_self "$1" ;; esac || return 1
  set_speed "$1" "$(either speed)" || return 1
  ip link set dev "$1" alias "$(either description)" || return 1
  mirror "$1" "$(value "$conf" mirror)" "$(value "$conf" mirrored)" || return 1
  state=$(either link)
  [ "$(link_of "$1")" = "$state" ] || ip link set dev "$1" "$state"
}
`

const main = `
mkdir -p "$kept" && chmod 700 "$kept" || exit 1
code=0
for n in $(confs); do { await "$n" && keep "$n"; } || code=1; done
reached || exit 1
loosen && bind || code=1
# A bridge before its ports: what these add to it is not taken for its own.
order() { for k in self other; do for f in "$kept"/*; do
  [ "$(value "$f" kind)" != self ] || [ $k = self ] || continue
  [ "$(value "$f" kind)" = self ] || [ $k = other ] || continue
  echo "$f"
done; done; }
for f in $(order 2>"$none"); do
  n=\${f##*/}
  [ -e "$f" ] || continue
  if [ -e "/sys/class/net/$n" ]; then apply "$n" || { code=1; continue; }; fi
  [ -e "$wanted/$n.conf" ] || rm -f "$f"
done
storms_kernel && filters || code=1
exit $code
`

export const portsScript: string = [prelude, before, bonds, storms, mirrors, apply, main].join('')

export const portsUnitText = scriptUnit({
  file: portsPath,
  description: 'Ports of the switch, as set in Lanward',
  after: 'networking.service systemd-networkd.service lanward-vlans.service',
  partOf: 'openvswitch-switch.service',
})
