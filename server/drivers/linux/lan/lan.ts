import type { NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import { missingNeed } from '../../needs'
import type { Interface, Observation } from '../../observation'
import { announcedIn, untold } from '../../unix/gate-api'
import { pageNameOf } from '../../unix/gate-page'
import { followLines, portalPlace } from '../../unix/gate-rules'
import { decidedBy, lanOverlaps } from '../../unix/lan-overlaps'
import { addressing, type LanNetwork, lans, uniqueLocalPrefix } from '../../unix/lans'
import { chain, interfaces as named, set, table } from '../../unix/nft'
import { uplinks } from '../../unix/uplinks'
import { ipv6Mode, lanPrefixes, nameServers, prefixWarnings, wans } from '../../unix/wans'
import type { Need } from '../../words'
import { fileBlock } from '../area/area'
import { forwardingBlock } from '../area/forwarding'
import { adoptLink, importedLink, linkBlock, linkNameOf } from '../area/imported'
import { type RulesFile, rulesBlocks } from '../area/rules-file'
import { dhcpPath, dhcpUnit, dhcpUnitPath, dhcpUnitText, dnsmasqConf, isServed } from '../base/dnsmasq'
import { startPath, unitPath } from '../base/oneshot'
import { recordsNames } from '../base/traffic'
import { type LanPort, vlanInterface, vlansName, vlansPath, vlansScript, vlansUnitText } from '../base/vlan-ports'
import { containerBridge } from '../observe/interfaces'
import { lanProposals } from '../unmanaged/proposals'
import { kernelUplinks, linkOf, translated } from '../uplinks/wan-links'
import { filtered, type Outside, type Placed, without6, withoutIpv6 } from './lan-warnings'

const networksOfOurs = '/etc/systemd/network/05-lanward-'
const ownFiles = `${networksOfOurs}lan-`
export const networkPath = (name: string): string => `${ownFiles}${name}.network`

export const isolation: RulesFile = {
  name: 'lanward-lan',
  path: '/etc/lanward/lan.nft',
  description: 'Isolation of LANs, as set in Lanward',
  tables: ['inet lanward_lan'],
}

const hasPrivate = (one: Interface) => one.addresses?.some(address => /^(10|172|192)\./.test(address)) === true

/**
 * The port that the LAN hangs on: a bridge of Open vSwitch, a bridge of the kernel, or the Ethernet interface with a
 * private address; never one that leads to the internet.
 */
export function lanPort(seen: Observation | undefined): LanPort | undefined {
  const outward = new Set(uplinks(seen?.interfaces))
  const inner = (seen?.interfaces ?? []).filter(one => !outward.has(one.name) && !one.master)
  const bridges = inner.filter(one => one.type === 'bridge' && !containerBridge.test(one.name))
  const found =
    bridges.find(one => one.openvswitch) ??
    bridges.find(hasPrivate) ??
    bridges[0] ??
    inner.find(one => one.type === 'ethernet' && hasPrivate(one)) ??
    inner.find(one => one.type === 'ethernet')
  return found && { name: found.name, openvswitch: found.openvswitch === true }
}

/** Rule N14: VLAN 1 is the port itself. */
export const lanLink = ({ vlan }: Pick<LanNetwork, 'vlan'>, port: LanPort): string =>
  vlan === 1 ? port.name : vlanInterface(vlan)

function place(network: LanNetwork, port: LanPort, items: RenderInput['imported']): Placed {
  const name = lanLink(network, port)
  const imported = importedLink(items, name)
  return { network, name, ...(imported && { imported }) }
}

/** Why a network cannot be put on its interface: there can be none, or somebody else's settings stand there. */
function obstacle({ network, name, imported }: Placed, port: LanPort, input: RenderInput): Warning | undefined {
  const about = { kind: 'lan', document: network.id, blocks: true }
  const seen = input.observation
  const found = seen?.interfaces?.find(one => one.name === name)
  if (!imported && found?.configuredBy && !found.configuredBy.startsWith(ownFiles))
    return { ...about, code: 'lanUnmanaged', values: { lan: network.name, interface: name, by: found.configuredBy } }
  if (network.vlan !== 1 && found && !['vlan', 'virtual'].includes(found.type))
    return { ...about, code: 'lanNameTaken', values: { lan: network.name, interface: name } }
  // VLANs of Open vSwitch are its own.
  if (network.vlan !== 1 && !port.openvswitch && input.facts.capabilities.includes('noVlan'))
    return { ...about, code: 'needs.vlan', values: { vlan: network.vlan } }
  const server = isServed(network)
    ? seen?.servers?.find(one => one.port === 53 || one.program !== 'dnsmasq')
    : undefined
  if (server)
    return { ...about, code: 'lanServer', values: { lan: network.name, program: server.program, port: server.port } }
  return undefined
}

function outsideOf(documents: RenderInput['documents'], all: readonly LanNetwork[]): Outside {
  const ways = wans(documents)
  const way6 = ipv6Mode(ways)
  return { servers: nameServers(ways), way6, prefixes: lanPrefixes(way6, all) }
}

/** The network's part of the prefix: told by the provider and divided by networkd, or a fixed one divided here. */
function delegation({ network }: Placed, { way6, prefixes }: Outside): { address: string[]; section: string[] } {
  const prefix = prefixes.get(network.id)
  if (prefix !== undefined) return { address: [`Address=${prefix}::1/64`], section: [] }
  if (network.ipv6 !== 'delegated' || way6?.ipv6 !== 'auto') return { address: [], section: [] }
  return {
    address: ['DHCPPrefixDelegation=yes'],
    section: ['', '[DHCPPrefixDelegation]', `UplinkInterface=${linkOf(way6)}`, 'Announce=no', 'Token=::1'],
  }
}

function networkFile(one: Placed, outside: Outside): string {
  const { network, name } = one
  const { address, section } = delegation(one, outside)
  const lines = [
    '# Written by Lanward. Changes made here are replaced.',
    '[Match]',
    `Name=${name}`,
    '',
    '[Link]',
    'RequiredForOnline=no',
    '',
    '[Network]',
    `Address=${network.address}`,
    ...(network.ipv6 === 'ula' ? [`Address=${uniqueLocalPrefix(network)}::1/64`] : []),
    ...address,
    `LinkLocalAddressing=${network.ipv6 === 'off' ? 'no' : 'ipv6'}`,
    'IPv6AcceptRA=no',
    'ConfigureWithoutCarrier=yes',
    ...section,
  ]
  return `${lines.join('\n')}\n`
}

/** The gateway's addresses on its LAN side, but for the network's own. */
function othersOf({ network }: Placed, all: readonly Placed[], port: LanPort, seen: Observation | undefined): string[] {
  const own = addressing(network).own
  const there = seen?.interfaces?.find(one => one.name === port.name)?.addresses ?? []
  const addresses = [...there.filter(one => !one.includes(':')), ...all.map(one => one.network.address)]
  return [...new Set(addresses.map(one => one.split('/')[0] ?? ''))].filter(one => one !== own).sort()
}

/** Where guests have to get, whoever is isolated. */
function portalLines(name: string, url: string): string[] {
  const { address, port } = portalPlace(url)
  const word = address.includes(':') ? 'ip6' : 'ip'
  return [
    `iifname "${name}" ${word} daddr ${address} tcp dport ${port} accept`,
    `oifname "${name}" ${word} saddr ${address} tcp sport ${port} accept`,
  ]
}

/** Neither side of an isolated network reaches the other, nor the gateway by its address in another network. */
function isolated(
  all: readonly Placed[],
  port: LanPort,
  { observation: seen, gate }: Pick<RenderInput, 'observation' | 'gate'>,
): string | undefined {
  const closed = all.filter(one => one.network.isolation)
  if (closed.length === 0) return undefined
  const names = [...new Set([port.name, ...all.map(one => one.name)])]
  const rules = closed.map(one => {
    const others = names.filter(name => name !== one.name)
    const addresses = othersOf(one, all, port, seen)
    return {
      input: addresses.length > 0 ? [`iifname "${one.name}" ip daddr ${set(addresses)} drop`] : [],
      forward:
        others.length > 0
          ? [
              `iifname "${one.name}" oifname ${named(others)} drop`,
              `iifname ${named(others)} oifname "${one.name}" drop`,
            ]
          : [],
    }
  })
  const head = (hook: string) => `type filter hook ${hook} priority filter - 10; policy accept;`
  return table('inet lanward_lan', [
    chain(
      'input',
      head('input'),
      rules.flatMap(one => one.input),
    ),
    chain('forward', head('forward'), [
      ...all.flatMap(one => (one.network.portal && gate ? portalLines(one.name, gate.url) : [])),
      ...rules.flatMap(one => one.forward),
    ]),
  ])
}

function addressBlock(one: Placed, outside: Outside): NativeBlock {
  const { network, name, imported } = one
  const about = { kind: 'lan', document: network.id }
  if (!imported) return fileBlock(networkPath(name), networkFile(one, outside), about)
  const { own, prefix } = addressing(network)
  return linkBlock(imported, { connection: 'static', address: own, prefix }, about)
}

function networkBlocks(one: Placed, outside: Outside, input: RenderInput): NativeBlock[] {
  const { network, name } = one
  const about = { kind: 'lan', document: network.id }
  const blocks = [addressBlock(one, outside)]
  if (!isServed(network)) return blocks
  const follow = input.facts.capabilities.includes('nftset') ? followLines(network) : []
  const announced = announcedIn(network, input, translated(input))
  const page = pageNameOf(network, input)
  return [
    ...blocks,
    fileBlock(
      dhcpPath(name),
      dnsmasqConf(network, name, { servers: outside.servers, follow, announced, page, recorded: recordsNames(input) }),
      about,
    ),
    fileBlock(startPath(`lanward-dhcp-${name}`), `[Unit]\nWants=${dhcpUnit(name)}\n`, { kind: 'lan' }),
  ]
}

function sharedBlocks(all: readonly Placed[], port: LanPort, input: RenderInput): NativeBlock[] {
  const about = { kind: 'lan' }
  const vlans = all.flatMap(({ network }) => (network.vlan === 1 ? [] : [network.vlan]))
  const rules = isolated(all, port, input)
  const own = all.filter(one => !one.imported)
  return [
    ...(own.length > 0
      ? [
          fileBlock(startPath('lanward-networkd'), '[Unit]\nWants=systemd-networkd.service\n', about),
          forwardingBlock(
            'lan',
            own.some(one => one.network.ipv6 !== 'off'),
            kernelUplinks(input),
          ),
        ]
      : []),
    ...(all.some(({ network }) => isServed(network)) ? [fileBlock(dhcpUnitPath, dhcpUnitText, about)] : []),
    ...(vlans.length > 0
      ? [
          fileBlock(vlansPath, vlansScript(port, vlans), about),
          fileBlock(unitPath(vlansName), vlansUnitText, about),
          fileBlock(startPath(vlansName), `[Unit]\nWants=${vlansName}.service\n`, about),
        ]
      : []),
    ...(rules ? rulesBlocks(isolation, rules, about) : []),
  ]
}

const decided = ({ documents, observation: seen }: RenderInput): string[] =>
  decidedBy(
    wans(documents).map(one => ({ link: linkOf(one), connection: one.connection })),
    (seen?.interfaces ?? []).flatMap(one => (one.configuredBy?.startsWith(networksOfOurs) ? [one.name] : [])),
  )

const needs = (all: readonly LanNetwork[]): Need[] => [
  'root',
  'systemd',
  ...(all.some(isServed) ? ['dnsmasq' as const] : []),
  ...(all.some(one => one.isolation) ? ['nftables' as const] : []),
]

function render(input: RenderInput): Rendered {
  const { facts, observation, documents, imported } = input
  const wanted = lans(documents)
  // A network for all devices means those that route it.
  if (wanted.length === 0 || !['gateway', 'firewall'].includes(facts.kind)) return { blocks: [], warnings: [] }
  const lacking = missingNeed(facts, needs(wanted))
  if (lacking) return { blocks: [], warnings: [{ code: `needs.${lacking}`, kind: 'lan', blocks: true }] }
  const port = lanPort(observation)
  if (!port) return { blocks: [], warnings: [{ code: 'noLanPort', kind: 'lan', blocks: true }] }
  const all = wanted.map(one => place(one, port, imported))
  const obstacles = all.flatMap(one => obstacle(one, port, input) ?? [])
  const free = all.filter(one => !obstacles.some(warning => warning.document === one.network.id))
  if (free.length === 0) return { blocks: [], warnings: obstacles }
  const outside = outsideOf(documents, wanted)
  return {
    blocks: [...free.flatMap(one => networkBlocks(one, outside, input)), ...sharedBlocks(free, port, input)],
    warnings: [
      ...obstacles,
      ...lanOverlaps(free, decided(input), observation),
      ...withoutIpv6(free),
      ...filtered(free, observation),
      ...without6(free, outside),
      ...untold(
        free.map(one => one.network),
        input,
        translated(input),
      ),
      ...prefixWarnings(
        outside.way6,
        free.map(one => one.network),
      ),
    ],
  }
}

/** Networks of a gateway's LAN: addresses by networkd, VLANs as its ports, DHCP and DNS by a dnsmasq of our own for each. */
export const lanRenderer: Renderer = {
  // The ways to the internet bring name servers and the IPv6 prefix.
  kinds: ['lan', 'wan'],
  // Whether names that clients ask for are recorded, and sent.
  reads: ['trafficLogs', 'system'],
  render,
  proposes: lanProposals,
  adopt: adoptLink,
  fits: facts => facts.kind === 'gateway' || facts.kind === 'firewall',
  interrupts: block => {
    const [, own] = /^file:\/etc\/systemd\/network\/05-lanward-lan-(.+)\.network$/.exec(block.id) ?? []
    // An imported interface stands still alike, whichever kind it is for.
    const name = own ?? linkNameOf(block)
    return name ? { interfaces: [name] } : undefined
  },
}
