import { tag } from '../protocol/ber'
import type { Setting } from '../protocol/ber-write'
import { portList } from '../tables/bridge'
import { portVlans, vlanStatic } from '../tables/mibs'
import { parseVlans, type SwitchState } from './port-state'

// Membership of one port, Q-BRIDGE-MIB (RFC 4363). The port is in its new VLANs before it leaves the old ones, and the
// PVID moves in between: some switches refuse a PVID that the port is no member of.

const column = (number: number, vlan: number) => `${vlanStatic.entry}.${number}.${vlan}`
const createAndGo = 4
const destroy = 6

/** A port list with one port in it or not; it keeps its length, which some agents insist on. */
export function withPort(list: Buffer, port: number, member: boolean): Buffer {
  const bytes = Buffer.alloc(Math.max(list.length, Math.ceil(port / 8)))
  list.copy(bytes)
  const at = (port - 1) >> 3
  const bit = 0x80 >> ((port - 1) & 7)
  bytes[at] = member ? (bytes[at] ?? 0) | bit : (bytes[at] ?? 0) & ~bit
  return bytes
}

/** VLANs that a text needs and the switch does not have yet. */
export function missingVlans(state: SwitchState, text: string): number[] {
  const { pvid, untagged, tagged } = parseVlans(text)
  const known = new Set(state.vlans.map(one => one.vlan))
  return [...new Set([pvid, ...untagged, ...tagged])].filter(vlan => !known.has(vlan))
}

export const makeVlan = (vlan: number): Setting[] => [{ oid: column(5, vlan), type: tag.integer, value: createAndGo }]
export const dropVlan = (vlan: number): Setting[] => [{ oid: column(5, vlan), type: tag.integer, value: destroy }]

/** What to set, request by request, so that a bridge port is in the VLANs of `text`. Notes it in `state` for the next port. */
export function vlanSettings(state: SwitchState, port: number, text: string): Setting[][] {
  const { pvid, untagged, tagged } = parseVlans(text)
  const [plain, all] = [new Set(untagged), new Set([...untagged, ...tagged])]
  const joins: Setting[][] = []
  const leaves: Setting[][] = []
  for (const row of state.vlans) {
    const [was, wasPlain] = [row.egress, row.untagged].map(list => portList(list).includes(port))
    if (was === all.has(row.vlan) && wasPlain === plain.has(row.vlan)) continue
    row.egress = withPort(row.egress, port, all.has(row.vlan))
    row.untagged = withPort(row.untagged, port, plain.has(row.vlan))
    const egress = { oid: column(2, row.vlan), type: tag.octets, value: row.egress }
    const bare = { oid: column(4, row.vlan), type: tag.octets, value: row.untagged }
    // Untagged is a part of egress at every moment.
    if (all.has(row.vlan)) joins.push([egress], [bare])
    else leaves.push([bare], [egress])
  }
  const move = { oid: `${portVlans.entry}.1.${port}`, type: tag.gauge32, value: pvid }
  return [...joins, [move], ...leaves]
}
