import { contains4, ipv4Number, mask4, segment4 } from '@/model/addresses'
import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../driver'
import { lans } from '../unix/lans'
import { type PolicyRoute, policyRoutes, type StaticRoute, staticRoutes } from '../unix/routes'
import { type Uplink, wans } from '../unix/wans'
import { networkIn, zoneIn } from './lan'
import { prefix } from './package'
import { uciBlock } from './uci'

const safe = (text: string) => text.replace(/[^A-Za-z0-9]/g, '_')
const deviceOf = ({ interface: name, vlan }: Pick<Uplink, 'interface' | 'vlan'>) =>
  vlan === undefined ? name : `${name}.${vlan}`
const networkOf = (one: Pick<Uplink, 'interface' | 'vlan'>) => `${prefix}wan_${safe(deviceOf(one))}`
const isOwn = ({ connection }: Uplink) => connection !== 'kept'

/** Routing table of a way, for policies that lead into it. */
const tableOf = (at: number) => String(7701 + at)

function linkBlocks(one: Uplink): NativeBlock[] {
  const about = { kind: 'wan', document: one.id }
  const device = deviceOf(one)
  const tagged = uciBlock(
    `network.${prefix}vlan_${safe(device)}`,
    'device',
    [
      ['type', '8021q'],
      ['ifname', one.interface],
      ['vid', String(one.vlan)],
      ['name', device],
      ['egress_qos_mapping', one.vlanPriority === undefined ? [] : [`0:${one.vlanPriority}`]],
    ],
    about,
  )
  const address = [
    ['ipaddr', one.address],
    ['netmask', one.prefix === undefined ? undefined : mask4(one.prefix)],
    ['gateway', one.gateway],
  ] as const
  const own = uciBlock(
    `network.${networkOf(one)}`,
    'interface',
    [
      ['proto', one.connection],
      ['device', device],
      ...(one.connection === 'static' ? address : []),
      ['metric', String(one.metric)],
    ],
    about,
  )
  return one.vlan === undefined ? [own] : [tagged, own]
}

/** One zone for the ways that translate addresses and one for those that do not, open to every LAN. */
function zoneBlocks(own: readonly Uplink[], sources: readonly string[]): NativeBlock[] {
  const zones = [
    { name: `${prefix}wan`, ways: own.filter(one => one.nat), masq: '1' },
    { name: `${prefix}wan_r`, ways: own.filter(one => !one.nat), masq: '0' },
  ].filter(zone => zone.ways.length > 0)
  return zones.flatMap(({ name, ways, masq }) => [
    uciBlock(
      `firewall.${name}`,
      'zone',
      [
        ['name', name],
        ['network', ways.map(networkOf)],
        ['input', 'REJECT'],
        ['output', 'ACCEPT'],
        ['forward', 'REJECT'],
        ['masq', masq],
        ['mtu_fix', '1'],
      ],
      { kind: 'wan' },
    ),
    ...sources.map(source =>
      uciBlock(
        `firewall.${name}_from_${source}`,
        'forwarding',
        [
          ['src', source],
          ['dest', name],
        ],
        { kind: 'wan' },
      ),
    ),
  ])
}

type Seen = RenderInput['observation']

/** The network by which a router is reached: one that is set here, or one of the device's own. */
function reachedBy(gateway: string, own: readonly Uplink[], input: RenderInput): string | undefined {
  const number = ipv4Number(gateway) ?? 0
  const holds = (address: string) => {
    const segment = segment4(address)
    return segment !== undefined && contains4(segment, number)
  }
  const lan = lans(input.documents).find(one => holds(one.address))
  const wan = own.find(one => one.address !== undefined && holds(`${one.address}/${one.prefix}`))
  return (lan && networkIn(lan, input.taken)) ?? (wan && networkOf(wan)) ?? ownNetwork(input.observation, holds)
}

const ownNetwork = (seen: Seen, holds: (address: string) => boolean): string | undefined =>
  seen?.networks?.find(network =>
    seen.interfaces?.some(one => one.name === network.device && one.addresses?.some(holds)),
  )?.name

function routes(wanted: readonly StaticRoute[], own: readonly Uplink[], input: RenderInput): Rendered {
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

/**
 * `ip4table` would take a way's routes out of the main table, and with them its part in failover: a table gets a default
 * route of its own instead, for which the gateway has to be known.
 */
function policies(wanted: readonly PolicyRoute[], own: readonly Uplink[]): Rendered {
  const about = (one: PolicyRoute) => ({ kind: 'policyRoute', document: one.id })
  const at = (one: PolicyRoute) =>
    own.findIndex(way => way.connection === 'static' && networkOf(way) === networkOf(one.wan))
  const used = own.map((way, index) => ({ way, index })).filter(({ index }) => wanted.some(one => at(one) === index))
  const defaults = used.map(({ way, index }) =>
    uciBlock(
      `network.${prefix}table_${safe(deviceOf(way))}`,
      'route',
      [
        ['interface', networkOf(way)],
        ['target', '0.0.0.0/0'],
        ['gateway', way.gateway],
        ['table', tableOf(index)],
      ],
      { kind: 'policyRoute' },
    ),
  )
  const rules = wanted.flatMap((one, rank) =>
    at(one) < 0
      ? []
      : [
          uciBlock(
            `network.${prefix}rule_${safe(one.id)}`,
            'rule',
            [
              ['src', one.source],
              ['dest', one.destination],
              ['lookup', tableOf(at(one))],
              ['priority', String(28_000 + rank)],
            ],
            about(one),
          ),
        ],
  )
  return {
    blocks: [...defaults, ...rules],
    warnings: wanted
      .filter(one => at(one) < 0)
      .map(one => ({ ...about(one), code: 'policyWithoutTable', values: { route: one.name } })),
  }
}

/** The device's own configuration holds the interface already. */
function obstacle(one: Uplink, seen: Seen): Warning | undefined {
  const foreign = seen?.networks?.find(other => other.device === deviceOf(one) && !other.name.startsWith(prefix))
  if (!isOwn(one) || !foreign) return undefined
  const values = { wan: one.name, interface: deviceOf(one), by: `network.${foreign.name}` }
  return { code: 'wanForeign', kind: 'wan', document: one.id, values, blocks: true }
}

const health = (all: readonly Uplink[]): Warning[] =>
  all
    .filter(one => one.targets.length > 0 || all.some(other => other !== one && other.metric === one.metric))
    .map(one => ({ code: 'wanHealth', kind: 'wan', document: one.id, values: { wan: one.name } }))

function render(input: RenderInput): Rendered {
  const { facts, observation, documents } = input
  const all = wans(documents)
  if (facts.kind !== 'gateway') return { blocks: [], warnings: [] }
  const obstacles = all.flatMap(one => obstacle(one, observation) ?? [])
  const own = all.filter(one => isOwn(one) && !obstacles.some(warning => warning.document === one.id))
  const led = [routes(staticRoutes(documents), own, input), policies(policyRoutes(documents), own)]
  return {
    blocks: [
      ...own.flatMap(linkBlocks),
      ...zoneBlocks(own, [...new Set(['lan', ...lans(documents).map(one => zoneIn(one, input.taken))])]),
      ...led.flatMap(one => one.blocks),
    ],
    warnings: [...obstacles, ...health(all), ...led.flatMap(one => one.warnings)],
  }
}

/** Ways to the internet as interfaces of netifd in a zone of ours, static routes and rules beside them. */
export const internetRenderer: Renderer = {
  // The LAN's networks decide who may leave, and by which of them a router is reached.
  kinds: ['wan', 'staticRoute', 'policyRoute', 'lan'],
  render,
  fits: facts => facts.kind === 'gateway',
}
