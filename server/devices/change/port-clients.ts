import type { Host } from '@/server/drivers/observation'

type PortClient = Pick<Host, 'mac' | 'address' | 'hostname' | 'vlan'>

/**
 * Who hangs on a port, one a MAC: a device tells a client once for each of its addresses and VLANs. Of each, what is told
 * first stays. An ARP entry alone does not say where its client hangs.
 */
export function clientsAt(port: string, hosts: readonly Host[]): PortClient[] {
  const byMac = new Map<string, PortClient>()
  for (const { mac, address, hostname, vlan, source, ...host } of hosts) {
    if (host.port !== port || source === 'arp') continue
    const known = byMac.get(mac)
    byMac.set(mac, {
      mac,
      address: known?.address ?? address,
      hostname: known?.hostname ?? hostname,
      vlan: known?.vlan ?? vlan,
    })
  }
  return [...byMac.values()]
}
