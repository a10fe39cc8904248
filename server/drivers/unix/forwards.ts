import { type ForwardValues, portForward as kind } from '@/model/firewall/forward'
import type { DesiredDocument } from '../driver'
import { fieldsOf, once } from './documents'
import { addressMatches, chain, interfaces, ports, remark, words } from './nft'

export type Forward = ForwardValues & { id: string }

/** The forwards that are switched on, by name: no two are for the same port, so that their order means nothing. */
export const forwards = (documents: readonly DesiredDocument[]): Forward[] =>
  documents
    .filter(document => document.kind === kind.id)
    .map(document =>
      once(document, kind.id, () => ({ ...(fieldsOf(kind, document.data) as ForwardValues), id: document.id })),
    )
    .filter(one => one.enabled)
    // The ones for few before the one for all.
    .sort(
      (a, b) => Number(b.sources.length > 0) - Number(a.sources.length > 0) || compare(a.name + a.id, b.name + b.id),
    )

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function lines(one: Forward, uplinks: readonly string[]): string[] {
  const service =
    one.protocol === 'tcpUdp'
      ? `meta l4proto { tcp, udp } th dport ${ports(one.ports)}`
      : `${one.protocol} dport ${ports(one.ports)}`
  const target = one.innerPort === undefined ? one.address : `${one.address}:${one.innerPort}`
  // Only what is for the gateway itself: what is on its way to somebody else with such a port goes on.
  const outside = `iifname ${interfaces(uplinks)} fib daddr type local`
  const inside = `iifname != ${interfaces(uplinks)} ${byOuterAddress}`
  return [
    remark(one.name),
    ...addressMatches(one.sources, []).flatMap(from =>
      [outside, inside].map(place =>
        words(place, from, service, 'counter', `dnat ip to ${target}`, `comment "${one.id}"`),
      ),
    ),
  ]
}

/** A client inside that asks for the gateway by an address which it does not have on the client's own side. */
export const byOuterAddress = 'fib daddr type local fib daddr . iif type != local'

/**
 * The server would answer a client of its own network directly, which has never heard of that address: such a connection
 * goes through the gateway both ways.
 */
const hairpinLine = (one: Forward, uplinks: readonly string[]): string =>
  words(
    `iifname != ${interfaces(uplinks)} oifname != ${interfaces(uplinks)} ct status dnat ip daddr ${one.address}`,
    `meta l4proto ${one.protocol === 'tcpUdp' ? '{ tcp, udp }' : one.protocol}`,
    one.innerPort === undefined ? `th dport ${ports(one.ports)}` : `th dport ${one.innerPort}`,
    'masquerade',
  )

/** Before the NAT rules of others (priority dstnat): who translates a connection first, has it. */
export const forwardChains = (list: readonly Forward[], uplinks: readonly string[]): string[] =>
  list.length === 0
    ? []
    : [
        chain(
          'forwards',
          'type nat hook prerouting priority dstnat - 10; policy accept;',
          list.flatMap(one => lines(one, uplinks)),
        ),
        chain(
          'hairpin',
          'type nat hook postrouting priority srcnat - 10; policy accept;',
          list.map(one => hairpinLine(one, uplinks)),
        ),
      ]
