import { overlap, segment4 } from '@/model/addresses'
import type { Warning } from '../driver'
import type { Observation } from '../observation'
import type { LanNetwork } from './lans'
import type { Uplink } from './wans'

/** A LAN network and the interface that has its address. */
export type OnInterface = { network: Pick<LanNetwork, 'id' | 'name' | 'address'>; name: string }

/** A WAN of the plan and the interface that it goes by. */
type Way = { link: string; connection: Uplink['connection'] }

/**
 * Interfaces whose addresses the plan says, so that those of now mean nothing. `ours`: those that an earlier push set. What
 * asks for its address outside may get the same again.
 */
export const decidedBy = (ways: readonly Way[], ours: readonly string[]): string[] => [
  ...ways.flatMap(one => (one.connection === 'static' ? [one.link] : [])),
  ...ours.filter(name => !ways.some(one => one.link === name)),
]

/**
 * LAN networks that share addresses with an interface outside: a WAN by DHCP, a VPN. `decided`: what
 * `decidedBy` says. An address alone (/32) has no network that packets would be sent to.
 */
export function lanOverlaps(
  all: readonly OnInterface[],
  decided: readonly string[],
  seen: Pick<Observation, 'interfaces'> | undefined,
): Warning[] {
  const inner = new Set([...all.map(one => one.name), ...decided])
  const outer = (seen?.interfaces ?? [])
    .filter(one => one.type !== 'loopback' && !inner.has(one.name) && !inner.has(one.master ?? ''))
    .flatMap(({ name, addresses = [] }) => addresses.map(address => ({ name, address, segment: segment4(address) })))
    .filter(one => one.segment && one.segment.prefix < 32)
  return all.flatMap(({ network }) => {
    const own = segment4(network.address)
    const found = outer.find(({ segment }) => own && segment && overlap(own, segment))
    if (!found) return []
    const values = { lan: network.name, interface: found.name, address: found.address }
    return [{ code: 'lanOverlap', kind: 'lan', document: network.id, values, blocks: true }]
  })
}
