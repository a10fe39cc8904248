import type { Channel } from '../protocol/channel'
import { type Mib, readTable, table } from '../protocol/table'
import { get } from '../protocol/transport'
import { newBudget } from '../protocol/walk'
import { type PortVlans, portList } from './bridge'
import { basePorts, fdb, system } from './mibs'

// Cisco's switches of IOS keep VLANs in their own MIBs, and show a bridge table per VLAN only to who asks for that VLAN:
// CISCO-VTP-MIB, CISCO-VLAN-MEMBERSHIP-MIB, community indexing (community@vlan, context vlan-N).

export const vtpVlans = table('vtpVlanTable', '1.3.6.1.4.1.9.9.46.1.3.1.1', {
  state: [2, 'int'],
  type: [3, 'int'],
  name: [4, 'text'],
})
export const vmMembership = table('vmMembershipTable', '1.3.6.1.4.1.9.9.68.1.2.2.1', { vlan: [2, 'int'] })
export const trunkPorts = table('vlanTrunkPortTable', '1.3.6.1.4.1.9.9.46.1.6.1.1', {
  enabled: [4, 'bytes'],
  native: [5, 'int'],
  status: [14, 'int'],
  enabled2: [17, 'bytes'],
  enabled3: [18, 'bytes'],
  enabled4: [19, 'bytes'],
})
export const ciscoVlanTables = [vtpVlans, vmMembership, trunkPorts] as const

const operational = 1
const ethernetType = 1

/** VLANs that exist, by VTP; 1002-1005 are of other media. */
export const existingVlans = (mib: Mib): number[] =>
  mib
    .rows(vtpVlans)
    .filter(row => row.state === operational && (row.type ?? ethernetType) === ethernetType)
    .map(row => Number(row.index.split('.').at(-1)))

const trunking = 1

/** Adds what Cisco tells to what Q-BRIDGE told; a trunk carries the allowed VLANs that exist. */
export function addCiscoVlans(mib: Mib, found: Map<string, PortVlans>) {
  for (const { index, vlan } of mib.rows(vmMembership))
    if (vlan && vlan <= 4094 && !found.has(index)) found.set(index, { native: vlan, tagged: new Set() })
  const existing = existingVlans(mib)
  for (const row of mib.rows(trunkPorts)) {
    if (row.status !== trunking) continue
    const lists = [row.enabled, row.enabled2, row.enabled3, row.enabled4]
    // These lists count VLANs from 0, 1024 to a list.
    const allowed = new Set(lists.flatMap((bits, i) => portList(bits).map(place => place - 1 + i * 1024)))
    const tagged = existing.filter(vlan => vlan !== row.native && allowed.has(vlan))
    found.set(row.index, { ...(row.native && { native: row.native }), tagged: new Set(tagged) })
  }
}

export type VlanEntry = { index: string; vlan: number; ifIndex?: string; status?: number }

const mostVlans = 128
const brief = [
  { milliseconds: 700, connected: false },
  { milliseconds: 1300, connected: false },
]

/** Forwarding entries of each existing VLAN. VLANs the agent does not answer for are left out. */
export async function readVlanFdbs(channel: Channel, vlans: number[]): Promise<VlanEntry[]> {
  const found: VlanEntry[] = []
  const budget = newBudget()
  for (const vlan of vlans.slice(0, mostVlans)) {
    const inside = channel.forVlan(vlan)
    // Without an answer for one VLAN there is none for the others: community indexing is not allowed.
    const answers = found.length > 0 || (await get(inside, [system.upTime], brief).catch(() => undefined))
    if (!answers) return found
    const ports = await readTable(inside, basePorts, budget)
    if (ports.rows.length === 0) continue
    const ifIndexes = new Map(ports.rows.map(row => [Number(row.index), row.ifIndex]))
    const { rows } = await readTable(inside, fdb, budget)
    for (const { index, port, status } of rows) {
      const ifIndex = ifIndexes.get(port ?? 0)
      found.push({ index, vlan, status, ...(ifIndex && { ifIndex: String(ifIndex) }) })
    }
  }
  return found
}
