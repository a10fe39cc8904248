import { lab, until } from './_lab'

const vsctl = (...words: string[]) => lab.in('sw1', ['ovs-vsctl', ...words])
const firewall = '/etc/nftables.conf'

/** What a person does who wants VLANs: a trunk to the switch, and their device's own firewall lets clients in. */
export async function trunkOn(): Promise<void> {
  await lab.up()
  await lab.in('gw', ['systemctl', 'enable', '--now', 'lab-trunk'])
  const input = 's/iifname { "lo", "eth1" } accept/iifname { "lo", "eth1", "lan20", "lan30" } accept/'
  const forward = 's/iifname "eth1" oifname "eth0" accept/iifname { "eth1", "lan20", "lan30" } accept/'
  await lab.sh('gw', `sed -i '${input}; ${forward}' ${firewall} && systemctl restart nftables`)
  await vsctl('set', 'port', 'p5', 'vlan_mode=native-untagged', 'tag=1', 'trunks=20,30')
}

/** A gateway that begins anew knows of no lease: its clients ask again. */
export async function trunkOff(): Promise<void> {
  for (const port of Object.values(ports)) await vsctl('set', 'port', port, 'tag=1')
  await vsctl('set', 'port', 'p5', 'tag=1', 'trunks=[]', 'vlan_mode=access')
  await Promise.all((['gw', 'c1', 'c2'] as const).map(device => lab.reset(device)))
}

const ports = { c1: 'p3', c2: 'p4' } as const

/** Sets a client's port to a VLAN and has it ask for a lease anew; gives what the server said. */
export async function join(vlan: number, client: 'c1' | 'c2' = 'c2'): Promise<string> {
  await vsctl('set', 'port', ports[client], `tag=${vlan}`)
  await lab.sh(client, 'rm -f /run/lease; ip addr flush dev eth0; kill $(pgrep udhcpc)')
  return until(async () => (await lab.sh(client, 'cat /run/lease 2>/dev/null')).stdout)
}
