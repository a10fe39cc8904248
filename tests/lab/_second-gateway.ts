// Another gateway of a house with guests: sw2, with c3 in VLAN 20 on a port of its own. Nothing joins that VLAN to the first
// gateway's; its way to the internet is VLAN 30 to that gateway, and both ways out it translates what guests send.
import { macs, type Station } from './_guests'
import { lab, until } from './_lab'
import { adoptGateway, guestVlan, type House, lanFields } from './_portal'

const ownMac = '02:00:5e:10:00:c3'
const vsctl = (...words: string[]) => lab.in('sw1', ['ovs-vsctl', ...words])

async function must(device: 'gw' | 'sw2' | Station, line: string): Promise<void> {
  const { code, stderr } = await lab.sh(device, line)
  if (code !== 0) throw new Error(`${device}: ${stderr}`)
}

async function wayOut(): Promise<void> {
  await must(
    'gw',
    `ovs-vsctl --may-exist add-port br-lan transit tag=30 -- set interface transit type=internal
    ethtool -K transit tx off >/dev/null; ip addr replace 192.168.30.1/24 dev transit && ip link set transit up &&
    nft insert rule inet filter input iifname transit accept && nft insert rule inet filter forward iifname transit accept`,
  )
  await vsctl('set', 'port', 'p6', 'vlan_mode=native-untagged', 'tag=1', 'trunks=30')
  await must(
    'sw2',
    `ovs-vsctl --may-exist add-port br0 wan0 tag=30 -- set interface wan0 type=internal
    ethtool -K wan0 tx off >/dev/null; ip addr replace 192.168.30.2/24 dev wan0 && ip link set wan0 up &&
    ip route replace default via 192.168.30.1 && sysctl -qw net.ipv4.ip_forward=1 && nft -f - <<'END'
table ip nat {
  chain postrouting {
    type nat hook postrouting priority srcnat;
    ip saddr 192.168.20.0/24 oifname { "wan0", "br0" } masquerade
  }
}
END`,
  )
}

/** c3 shows a MAC address and asks for a lease in a VLAN of the second gateway. */
export async function becomes(mac: string): Promise<void> {
  await must('sw2', `ovs-vsctl set port p2 tag=${guestVlan}`)
  await lab.sh('c3', `ip link set eth0 down; ip link set eth0 address ${mac}; ip link set eth0 up`)
  await lab.sh('c3', 'rm -f /run/lease; ip addr flush dev eth0; kill $(pgrep udhcpc)')
  await until(async () => (await lab.sh('c3', 'cat /run/lease 2>/dev/null')).stdout)
}

/** Adopts it and gives it the house's network of guests; c3 is c1, walked over to it. */
export async function secondGateway({ owner, gateway, push, portal, lan }: House): Promise<number> {
  await lab.on('sw2')
  await lab.on('c3')
  await wayOut()
  const device = await adoptGateway(owner, 'sw2')
  const assign = { devices: [gateway, device], groups: [], all: false }
  await owner.must('settings/lan/save', { ...lanFields, ...lan, portal: portal.id, assign })
  await push(device)
  await becomes(macs.c1)
  return device
}

export async function endSecondGateway(): Promise<void> {
  await lab.sh('c3', `ip link set eth0 down; ip link set eth0 address ${ownMac}`)
  await lab.reset('sw2')
  await Promise.all([lab.off('c3'), lab.off('sw2')])
  await vsctl('set', 'port', 'p6', 'tag=1', 'trunks=[]', 'vlan_mode=access')
}
