import { and, eq, sql } from 'drizzle-orm'
import { clients } from '@/db/schema'
import type { Host } from '@/server/drivers/observation'
import type { Runtime } from '@/server/kernel/runtime'

/** `name`: as people call it, or as it calls itself. */
type PortClient = Pick<Host, 'mac' | 'address' | 'vlan'> & { name?: string | undefined }

/** What is kept of clients, by MAC: '' where nobody gave a name, or it told none. */
export type ClientNames = ReadonlyMap<string, { name: string; hostname: string }>

/** Of those that a device's table shows. */
export function namesOf({ db }: Pick<Runtime, 'db'>, network: number, hosts: readonly Host[]): ClientNames {
  const { mac, name, hostname } = clients
  const shown = JSON.stringify([...new Set(hosts.map(host => host.mac))])
  const rows = db
    .select({ mac, name, hostname })
    .from(clients)
    .where(and(eq(clients.network, network), sql`${mac} IN (SELECT value FROM json_each(${shown}))`))
    .all()
  return new Map(rows.map(row => [row.mac, row]))
}

/**
 * Who hangs on a port, one a MAC: a device tells a client once for each of its addresses and VLANs. Of each, what is told
 * first stays. An ARP entry alone does not say where its client hangs.
 */
export function clientsAt(port: string, hosts: readonly Host[], names: ClientNames = new Map()): PortClient[] {
  const byMac = new Map<string, PortClient>()
  for (const { mac, address, hostname, vlan, source, ...host } of hosts) {
    if (host.port !== port || source === 'arp') continue
    const known = byMac.get(mac)
    byMac.set(mac, {
      mac,
      address: known?.address ?? address,
      name: names.get(mac)?.name || known?.name || hostname || names.get(mac)?.hostname || undefined,
      vlan: known?.vlan ?? vlan,
    })
  }
  return [...byMac.values()]
}
