import { contains4, ipv4Number, segment4 } from '@/model/addresses'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { lans } from '../../unix/lans'
import {
  type InternetSource,
  internetSources,
  type PolicyRoute,
  policyRoutes,
  type StaticRoute,
  staticRoutes,
} from '../../unix/routes'
import { portWarnings } from '../../unix/wans'
import { adoptUplink, importedWanBlocks, importedWanWarnings, proposeUplinks } from '../imported/wan-imported'
import { networkIn, zoneIn } from '../lan/lan'
import { systemZones } from '../lan/lan-zones'
import { prefix } from '../uci/package'
import { safe, uciBlock } from '../uci/uci'
import { ddnsBlocks } from '../uplinks/ddns'
import { needsWatch, watchBlocks, watchWarnings } from '../uplinks/mwan3'
import { type DeviceUplink, deviceOf, isOurs, linkBlocks, uplinksOf, zoneBlocks } from '../uplinks/uplinks'

/** Routing table of a way, for policies that lead into it. */
const tableOf = (at: number) => String(7701 + at)

type Seen = RenderInput['observation']

/** The network by which a router is reached: one that is set here, or one of the device's own. */
function reachedBy(gateway: string, own: readonly DeviceUplink[], input: RenderInput): string | undefined {
  const number = ipv4Number(gateway) ?? 0
  const holds = (address: string) => {
    const segment = segment4(address)
    return segment !== undefined && contains4(segment, number)
  }
  const lan = lans(input.documents).find(one => holds(one.address))
  const wan = own.find(one => one.address !== undefined && holds(`${one.address}/${one.prefix}`))
  return (lan && networkIn(lan, input.imported)) ?? wan?.network ?? ownNetwork(input.observation, holds)
}

const ownNetwork = (seen: Seen, holds: (address: string) => boolean): string | undefined =>
  seen?.networks?.find(network =>
    seen.interfaces?.some(one => one.name === network.device && one.addresses?.some(holds)),
  )?.name

function routes(wanted: readonly StaticRoute[], own: readonly DeviceUplink[], input: RenderInput): Rendered {
  const about = (one: StaticRoute) => ({ kind: 'staticRoute', document: one.id })
  const found = wanted.map(one => ({ one, by: reachedBy(one.gateway, own, input) }))
  return {
    blocks: found.flatMap(({ one, by }) =>
      by === undefined
        ? []
        : [
            uciBlock(
              `network.${prefix}route_${safe(one.id)}`,
              'route',
              [
                ['interface', by],
                ['target', one.destination],
                ['gateway', one.gateway],
                ['metric', String(one.metric)],
              ],
              about(one),
            ),
          ],
    ),
    warnings: found
      .filter(({ by }) => by === undefined)
      .map(({ one }) => ({
        ...about(one),
        code: 'routeUnreachable',
        values: { route: one.name, gateway: one.gateway },
      })),
  }
}

/** What leads into the table of a way: a policy, or one segment of a source. `key`: of its section. */
type Lead = { kind: string; document: string; key: string; source?: string; destination?: string; way: DeviceUplink }

/** The first way with a fixed address; failover and sharing need a watch that this system does not have. */
const fixedUplink = (
  wans: readonly Pick<DeviceUplink, 'interface' | 'vlan'>[],
  own: readonly DeviceUplink[],
): DeviceUplink | undefined =>
  own.find(way => way.connection === 'static' && wans.some(one => deviceOf(one) === deviceOf(way)))

function leads(
  policies: readonly PolicyRoute[],
  sources: readonly InternetSource[],
  own: readonly DeviceUplink[],
): Lead[] {
  return [
    ...policies.flatMap(one => {
      const way = fixedUplink([one.wan], own)
      const { source, destination, id } = one
      return way ? [{ kind: 'policyRoute', document: id, key: safe(id), source, destination, way }] : []
    }),
    ...sources.flatMap(one => {
      const way = fixedUplink(one.wans, own)
      const about = { kind: 'internetSource', document: one.id }
      return way ? one.segments.map((source, at) => ({ ...about, key: `${safe(one.id)}_${at}`, source, way })) : []
    }),
  ]
}

const ledWarnings = (
  policies: readonly PolicyRoute[],
  sources: readonly InternetSource[],
  own: readonly DeviceUplink[],
): Warning[] => [
  ...policies
    .filter(one => !fixedUplink([one.wan], own))
    .map(one => ({
      code: 'policyWithoutTable' as const,
      kind: 'policyRoute',
      document: one.id,
      values: { route: one.name },
    })),
  ...sources
    .filter(one => one.wans.length > 1 || !fixedUplink(one.wans, own))
    .map(one => ({
      code: fixedUplink(one.wans, own) ? ('sourceFirstWay' as const) : ('policyWithoutTable' as const),
      kind: 'internetSource',
      document: one.id,
      values: { route: one.name, wan: fixedUplink(one.wans, own)?.name ?? '' },
    })),
]

/**
 * `ip4table` would take a way's routes out of the main table, and with them its part in failover: a table gets a default
 * route of its own instead, for which the gateway has to be known.
 */
function ledBlocks(wanted: readonly Lead[], own: readonly DeviceUplink[]): NativeBlock[] {
  const used = own.map((way, index) => ({ way, index })).filter(({ way }) => wanted.some(one => one.way === way))
  const defaults = used.map(({ way, index }) =>
    uciBlock(
      `network.${prefix}table_${safe(deviceOf(way))}`,
      'route',
      [
        ['interface', way.network],
        ['target', '0.0.0.0/0'],
        ['gateway', way.gateway],
        ['table', tableOf(index)],
      ],
      { kind: 'policyRoute' },
    ),
  )
  const rules = wanted.map((one, rank) =>
    uciBlock(
      `network.${prefix}rule_${one.key}`,
      'rule',
      [
        ['src', one.source],
        ['dest', one.destination],
        ['lookup', tableOf(own.indexOf(one.way))],
        ['priority', String(28_000 + rank)],
      ],
      { kind: one.kind, document: one.document },
    ),
  )
  return [...defaults, ...rules]
}

/** The device's own configuration holds the interface already, or netifd cannot log in. */
function obstacle(one: DeviceUplink, seen: Seen, capabilities: readonly string[]): Warning | undefined {
  if (one.connection === 'pppoe' && capabilities.includes('noPppoe'))
    return { code: 'needs.pppoe', kind: 'wan', document: one.id, blocks: true }
  const holder = seen?.networks?.find(other => other.device === deviceOf(one) && !other.name.startsWith(prefix))
  if (!isOurs(one) || !holder) return undefined
  const values = { wan: one.name, interface: deviceOf(one), by: `network.${holder.name}` }
  return { code: 'wanUnmanaged', kind: 'wan', document: one.id, values, blocks: true }
}

const unwatched = (all: readonly DeviceUplink[]): Warning[] =>
  all
    .filter(one => needsWatch(one, all))
    .map(one => ({ code: 'wanHealth', kind: 'wan', document: one.id, values: { wan: one.name } }))

/** Without the package netifd takes the interface for one without a protocol, and says nothing. */
function withoutDhcpv6(
  all: readonly DeviceUplink[],
  capabilities: readonly string[],
): { all: DeviceUplink[]; warnings: Warning[] } {
  const lacking = all.filter(one => capabilities.includes('noDhcpv6') && isOurs(one) && one.ipv6 === 'auto')
  const about = (one: DeviceUplink) => ({ kind: 'wan', document: one.id, values: { wan: one.name } })
  return {
    all: all.map(one => (lacking.includes(one) ? { ...one, ipv6: 'off' } : one)),
    warnings: lacking.map(one => ({ code: 'needs.dhcpv6', ...about(one) })),
  }
}

/** Who asks whether the internet answers, and shares traffic: a package that not every system has. */
function watched(all: readonly DeviceUplink[], { facts }: RenderInput): Rendered {
  if (!all.some(one => needsWatch(one, all))) return { blocks: [], warnings: [] }
  if (!facts.capabilities.includes('mwan3')) return { blocks: [], warnings: unwatched(all) }
  return { blocks: watchBlocks(all), warnings: watchWarnings(all) }
}

const withoutClient = (all: readonly DeviceUplink[]): Warning[] =>
  all.filter(one => one.ddns !== 'off').map(one => ({ code: 'needs.ddns', kind: 'wan', document: one.id }))

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const six = withoutDhcpv6(uplinksOf(input), facts.capabilities)
  const { all } = six
  if (facts.kind !== 'gateway') return { blocks: [], warnings: [] }
  const obstacles = all.flatMap(one => obstacle(one, observation, facts.capabilities) ?? [])
  const own = all.filter(one => one.connection !== 'kept' && !obstacles.some(warning => warning.document === one.id))
  const hasClient = facts.capabilities.includes('ddns')
  const routed = routes(staticRoutes(documents), own, input)
  const watch = watched(
    all.filter(one => one.connection === 'kept' || own.includes(one)),
    input,
  )
  const [policies, sources] = [policyRoutes(documents), internetSources(documents)]
  return {
    blocks: [
      ...own.filter(isOurs).flatMap(linkBlocks),
      ...all.flatMap(one => (one.imported ? importedWanBlocks(one, one.imported) : [])),
      ...zoneBlocks(own.filter(isOurs), [
        ...new Set([
          ...systemZones(observation).lan,
          ...lans(documents).flatMap(one => zoneIn(one, input.imported) ?? []),
        ]),
      ]),
      ...routed.blocks,
      ...ledBlocks(leads(policies, sources, own), own),
      ...(hasClient ? ddnsBlocks(all) : []),
      ...watch.blocks,
    ],
    warnings: [
      ...obstacles,
      ...portWarnings(all, observation?.ports),
      ...six.warnings,
      ...all.flatMap(one => (one.imported ? importedWanWarnings(one, one.imported) : [])),
      ...(hasClient ? [] : withoutClient(all)),
      ...watch.warnings,
      ...routed.warnings,
      ...ledWarnings(policies, sources, own),
    ],
  }
}

/** Ways to the internet as interfaces of netifd in zones of ours, static routes and rules beside them. */
export const internetRenderer: Renderer = {
  // The LAN's networks decide who may leave, and by which of them a router is reached.
  kinds: ['wan', 'internetSource', 'staticRoute', 'policyRoute', 'lan'],
  render,
  fits: facts => facts.kind === 'gateway',
  adopt: adoptUplink,
  proposes: proposeUplinks,
}
