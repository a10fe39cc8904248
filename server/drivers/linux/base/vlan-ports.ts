import { quote } from '../../shell'
import { scriptUnit } from './oneshot'

export const vlansPath = '/etc/lanward/vlans.sh'
export const vlansName = 'lanward-vlans'

/** An interface of the gateway in a VLAN of its LAN port. */
export const vlanInterface = (vlan: number): string => `lan${vlan}`

/** `openvswitch`: the port is a bridge of Open vSwitch, whose VLANs are its own internal ports. */
export type LanPort = { name: string; openvswitch: boolean }

/** Removes interfaces that were made here and are wanted no more; they carry our mark. */
export const removeVlans = (wanted: readonly string[]): string => `
wanted=${quote(` ${wanted.join(' ')} `)}
if command -v ovs-vsctl >/dev/null 2>&1; then
  for old in $(ovs-vsctl --timeout=10 --bare --columns=name find Port external_ids:lanward=lan 2>/dev/null); do
    case $wanted in *" $old "*) ;; *) ovs-vsctl --timeout=10 --if-exists del-port "$old" ;; esac
  done
fi
for link in /sys/class/net/lan[0-9]*; do
  [ "$(cat "$link/ifalias" 2>/dev/null)" = lanward ] || continue
  case $wanted in *" \${link##*/} "*) ;; *) ip link del "\${link##*/}" ;; esac
done`

const onOpenVswitch = `add() {
  ovs-vsctl --timeout=30 --may-exist add-port "$port" "$1" -- set Port "$1" tag="$2" external_ids:lanward=lan \\
    -- set Interface "$1" type=internal || return 1
  # Left alone it has another address after each boot, which clients find out late. It keeps the bridge's, as a kernel's
  # VLAN has its port's; who knows another one by now is told.
  if [ "$(ovs-vsctl --timeout=30 get Interface "$1" mac)" = '[]' ]; then
    echo 1 >"/proc/sys/net/ipv4/conf/$1/arp_notify"
    ovs-vsctl --timeout=30 set Interface "$1" "mac=\\"$(cat "/sys/class/net/$port/address")\\"" || return 1
  fi
  # The datapath in user space fills in no checksums.
  case $(ovs-vsctl --timeout=30 get Bridge "$port" datapath_type) in *netdev*) ethtool -K "$1" tx off >/dev/null 2>&1 ;; esac
  ip link set "$1" up
}`

const onKernel = `add() {
  # One that was made on another port is made anew.
  [ "$(cat "/sys/class/net/$1/iflink" 2>/dev/null)" = "$(cat "/sys/class/net/$port/ifindex")" ] || ip link del "$1" 2>/dev/null
  [ -e "/sys/class/net/$1" ] || ip link add link "$port" name "$1" type vlan id "$2" || return 1
  ip link set "$1" alias lanward up
}`

/** Makes the VLANs' interfaces and removes others of ours; may run again at any time. */
export const vlansScript = (port: LanPort, vlans: readonly number[]): string => `#!/bin/sh
# Written by Lanward. Changes made here are replaced.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
port=${quote(port.name)}
left=300
until [ -e "/sys/class/net/$port" ] || [ $left -eq 0 ]; do sleep 0.1; left=$((left - 1)); done
${port.openvswitch ? 'ovs-vsctl --retry --timeout=60 br-exists "$port" || exit 1' : '[ -e "/sys/class/net/$port" ] || exit 1'}
${removeVlans(vlans.map(vlanInterface))}
${port.openvswitch ? onOpenVswitch : onKernel}
${vlans.map(vlan => `add ${vlanInterface(vlan)} ${vlan} || exit 1`).join('\n')}
`

export const vlansUnitText = scriptUnit({
  file: vlansPath,
  description: 'VLANs of the LAN, as set in Lanward',
  after: 'networking.service',
})
