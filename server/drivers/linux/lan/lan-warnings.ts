import type { Warning } from '../../driver'
import type { Observation } from '../../observation'
import type { LanNetwork } from '../../unix/lans'
import type { Uplink } from '../../unix/wans'
import type { ImportedItem } from '../../unmanaged'
import { isServed } from '../base/dnsmasq'

/** A LAN network and its interface. `taken`: somebody else's file that gives the interface its addresses, and was imported. */
export type Placed = { network: LanNetwork; name: string; imported?: ImportedItem }
/** What the uplinks give a LAN: name servers, and the one that has IPv6. */
export type Outside = { servers: string[]; way6: Uplink | undefined; prefixes: ReadonlyMap<string, string> }

/** A chain that drops what comes in may keep clients from asking for an address. */
export function filtered(all: readonly Placed[], seen: Observation | undefined): Warning[] {
  const chains = (seen?.filters ?? []).filter(one => one.stops && one.hook === 'input')
  return all
    .filter(one => isServed(one.network))
    .flatMap(({ network, name }) =>
      chains.map(one => ({
        code: 'lanFiltered',
        kind: 'lan',
        document: network.id,
        values: { lan: network.name, interface: name, chain: one.chain },
      })),
    )
}

/** Networks that wait for a prefix which no way gives. */
export const without6 = (all: readonly Placed[], { way6, prefixes }: Outside): Warning[] =>
  all
    .filter(({ network }) => network.ipv6 === 'delegated' && way6?.ipv6 !== 'auto' && !prefixes.has(network.id))
    .map(({ network }) => ({
      code: 'lanWithoutPrefix',
      kind: 'lan',
      document: network.id,
      values: { lan: network.name },
    }))

/** A file of somebody else's has one address for IPv4; ours would have another for IPv6 beside it. */
export const withoutIpv6 = (all: readonly Placed[]): Warning[] =>
  all
    .filter(one => one.imported && one.network.ipv6 !== 'off')
    .map(({ network }) => ({ code: 'importedIpv6', kind: 'lan', document: network.id, values: { lan: network.name } }))
