import type { NativeBlock } from '../../driver'
import { quote } from '../../shell'
import {
  type Area,
  blockPath,
  type Check,
  checked,
  exactly,
  follow,
  named,
  nameIn,
  type OwnFiles,
  reloadNetworks,
} from '../area/area'
import { dhcpPath, dhcpUnit, dhcpUnitPath } from '../base/dnsmasq'
import { onceUp, startPath, unitPath } from '../base/oneshot'
import { removeVlans, vlansName, vlansPath } from '../base/vlan-ports'
import { networkPath } from './lan'

const files = {
  networks: named(networkPath('*')),
  dhcp: named(dhcpPath('*')),
  dhcpStart: named(startPath('lanward-dhcp-*')),
}

/** networkd leaves what it had set on a link that it loses: a VLAN's goes with the link, the port itself stays. */
const settleNetwork = (name: string) =>
  `[ -e ${quote(networkPath(name))} ] || ip addr flush dev ${quote(name)} scope global 2>/dev/null || :`

const later = '/run/lanward-vlans-back.sh'

// The kernel forgets its VLANs with a boot, Open vSwitch does not. Where it is there and never started, it has none.
const removeLater = `PATH=/usr/sbin:/usr/bin:/sbin:/bin
ovs-vsctl --retry --timeout=300 show >/dev/null || exit 0
[ ! -e ${vlansPath} ] || exit 0
${removeVlans([])}
`

const settleVlans = `if [ -e ${vlansPath} ]; then serve restart ${vlansName}.service || return 1
elif [ "$mode" != boot ]; then systemctl stop ${vlansName}.service 2>/dev/null
${removeVlans([])}
elif command -v ovs-vsctl >/dev/null 2>&1; then
cat >${later} <<'LANWARD_VLANS'
${removeLater}LANWARD_VLANS
${onceUp(`${vlansName}-back`, later)}
fi`

const settleDhcp = (name: string) => {
  const path = dhcpPath(name)
  return `[ "$mode" = boot ] || [ ! -e ${path} ] || dnsmasq --test --conf-file=${path} >/dev/null || return 1
${follow(path, dhcpUnit(name))}`
}

function settle(changed: readonly string[], all: readonly string[]): string[] {
  const touched = (...paths: string[]) => paths.some(path => changed.includes(path))
  const served = changed.includes(dhcpUnitPath) ? all : changed
  const names = (pattern: OwnFiles, paths: readonly string[]) => [
    ...new Set(paths.flatMap(path => nameIn(pattern, path))),
  ]
  const addressed = names(files.networks, changed)
  return [
    ...(addressed.length > 0 ? [reloadNetworks, ...addressed.map(settleNetwork)] : []),
    ...(touched(vlansPath, unitPath(vlansName)) ? [settleVlans] : []),
    ...names(files.dhcp, served).map(settleDhcp),
  ]
}

const waitMs = 15_000

/** What an interface has to have: the address that its file says, or the service of its clients. */
function checksOf(block: NativeBlock): Check[] {
  const path = blockPath(block)
  const about = { kind: 'lan', document: block.document }
  const [address] = /^Address=(.*)$/m.exec(block.text)?.slice(1) ?? []
  const [network] = nameIn(files.networks, path)
  const [served] = nameIn(files.dhcp, path)
  if (network && address)
    return [
      {
        line: `ip -o -4 addr show dev ${quote(network)} | grep -qF ${quote(` ${address} `)}`,
        warning: { ...about, code: 'lanAddressMissing', values: { interface: network } },
      },
      // networkd's own configuration may switch it off for each link.
      {
        line: `grep -qx 1 ${quote(`/proc/sys/net/ipv4/conf/${network}/forwarding`)}`,
        warning: { ...about, code: 'forwardingOff' },
      },
    ]
  return served
    ? [
        {
          line: `systemctl -q is-active ${quote(dhcpUnit(served))}`,
          warning: { ...about, code: 'lanDhcpDown', values: { interface: served } },
        },
      ]
    : []
}

/** Addresses, VLANs and DHCP of the LAN's networks. */
export const lanArea: Area = {
  files: [
    files.networks,
    files.dhcp,
    files.dhcpStart,
    exactly(dhcpUnitPath),
    exactly(startPath('lanward-networkd')),
    exactly(vlansPath),
    exactly(unitPath(vlansName)),
    exactly(startPath(vlansName)),
  ],
  settle,
  verify: checked(checksOf, waitMs),
}
