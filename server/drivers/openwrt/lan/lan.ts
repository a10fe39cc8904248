import { ipv4Number } from '@/model/addresses'
import type { Interrupts, NativeBlock, Rendered, Renderer, RenderInput, Warning } from '../../driver'
import type { Observation } from '../../observation'
import { dhcpOptions, optionWords } from '../../unix/dhcp-options'
import { type Announced, announcedIn, untold } from '../../unix/gate-api'
import { decidedBy, lanOverlaps, type OnInterface } from '../../unix/lan-overlaps'
import { addressing, type LanNetwork, lans, uniqueLocalPrefix, withoutGate } from '../../unix/lans'
import { ipv6Mode, prefixWarnings, type Uplink, wans } from '../../unix/wans'
import { adoptLan, type ImportedLan, importedLan, importedLanBlocks, proposeLan } from '../imported/lan-imported'
import { leftPoolOptions } from '../imported/pool-imported'
import { reservedWarnings } from '../observe/reservations'
import { outside } from '../ports/limits'
import { withPlannedVlans } from '../ports/port-vlans'
import { carries, type LanBridge, lanBridge, vlanBridge, vlanDevice, vlanHolder } from '../ports/vlans'
import { prefix } from '../uci/package'
import { uciBlock } from '../uci/uci'
import { linkOf, uplinksOf } from '../uplinks/uplinks'
import { guestBlocks, nameBlock, pageBlock } from './gate-portal'
import { between, forwardingBlocks, lanZone, serviceBlocks, systemZones, zoneBlocks } from './lan-zones'

/** The zone, or the interface, that a network has on the device: its own once that was imported, where it is known. */
export function zoneIn(one: Pick<LanNetwork, 'id' | 'vlan'>, imported: RenderInput['imported']): string | undefined {
  const theirs = importedLan(one, imported)
  return theirs ? theirs.zone : lanZone(one)
}
export const networkIn = (one: Pick<LanNetwork, 'id' | 'vlan'>, imported: RenderInput['imported']): string =>
  importedLan(one, imported)?.name ?? lanZone(one)

function interfaceBlock(one: LanNetwork, device: string, way6: Uplink | undefined): NativeBlock {
  const { own, mask } = addressing(one)
  return uciBlock(
    `network.${lanZone(one)}`,
    'interface',
    [
      ['proto', 'static'],
      ['device', device],
      ['ipaddr', own],
      ['netmask', mask],
      ['ip6addr', one.ipv6 === 'ula' ? `${uniqueLocalPrefix(one)}::1/64` : undefined],
      ['ip6assign', one.ipv6 === 'delegated' ? String(way6?.pdLength ?? 64) : undefined],
    ],
    { kind: 'lan', document: one.id },
  )
}

/** `start` is counted from the network's first address, `limit` is a number of addresses. */
function dhcpBlocks(one: LanNetwork, announced: Announced | undefined): NativeBlock[] {
  const about = { kind: 'lan', document: one.id }
  const name = lanZone(one)
  const [start = 0, end = 0] = [one.poolStart, one.poolEnd].map(text => ipv4Number(text ?? '') ?? 0)
  const { first } = addressing(one)
  const options = one.dhcp ? dhcpOptions(one, announced && [announced.option]) : []
  const withDomain = one.domain && !options.some(option => option.code === 15)
  const pool = uciBlock(
    `dhcp.${name}`,
    'dhcp',
    [
      ['interface', name],
      ...(one.dhcp
        ? ([
            ['start', String(start - first)],
            ['limit', String(end - start + 1)],
            ['leasetime', `${one.lease}m`],
            ['dhcpv4', 'server'],
          ] as const)
        : ([['dhcpv4', 'disabled']] as const)),
      ['ra', one.ipv6 === 'off' ? undefined : 'server'],
      ['dhcpv6', one.ipv6 === 'off' ? undefined : one.dhcp6 ? 'server' : 'disabled'],
      ['dhcp_option', [...(withDomain ? [`15,"${one.domain}"`] : []), ...options.map(optionWords)]],
    ],
    about,
  )
  return [pool, ...hostBlocks(one)]
}

const hostBlocks = (one: LanNetwork): NativeBlock[] =>
  one.leases.map(lease =>
    uciBlock(
      `dhcp.${lanZone(one)}_${lease.mac.replaceAll(':', '')}`,
      'host',
      [
        ['mac', lease.mac],
        ['ip', lease.address],
        ['name', lease.name],
      ],
      { kind: 'lan', document: one.id },
    ),
  )

/** Why a network cannot be set: the device's own configuration has it already. */
function obstacle(one: LanNetwork, bridge: LanBridge, { observation }: RenderInput): Warning | undefined {
  const holder = vlanHolder(bridge, one.vlan, observation)
  if (!holder) return undefined
  const values = { lan: one.name, interface: holder.device ?? '', by: `network.${holder.name}` }
  return { code: 'lanUnmanaged', kind: 'lan', document: one.id, values, blocks: true }
}

/** What a network of a VLAN needs that is not set from here. */
function beyond(one: LanNetwork, bridge: LanBridge, { facts, observation }: RenderInput): Warning[] {
  const about = { kind: 'lan', document: one.id, values: { lan: one.name, vlan: one.vlan, bridge: bridge.under } }
  const apart = !carries(bridge, one.vlan, observation) || bridge.under !== bridge.name
  return [
    ...(apart ? [{ ...about, code: 'lanVlanPorts' as const }] : []),
    ...(one.vlan !== 1 && facts.capabilities.includes('noVlan') ? [{ ...about, code: 'needs.vlan' as const }] : []),
  ]
}

type Imported = { one: LanNetwork; imported: ImportedLan }

/** LAN networks with the device that has their address, as far as that is known. */
function placed(
  all: readonly { one: LanNetwork; imported?: ImportedLan }[],
  seen: RenderInput['observation'],
): OnInterface[] {
  const bridge = lanBridge(seen)
  return all.flatMap(({ one, imported }) => {
    const own = bridge && vlanDevice(bridge, one.vlan)
    const name = imported ? seen?.networks?.find(other => other.name === imported.name)?.device : own
    return name === undefined ? [] : [{ network: one, name }]
  })
}

const decided = (input: RenderInput): string[] =>
  decidedBy(
    uplinksOf(input).map(one => ({ link: linkOf(one), connection: one.connection })),
    (input.observation?.networks ?? []).flatMap(one => (one.name.startsWith(prefix) && one.device ? [one.device] : [])),
  )

/** Whether settings shut an imported network in, or open it, that was not so before. */
const walls = ({ one, imported }: Imported) => imported.wall !== undefined && one.isolation !== imported.isolated

/** The system's own zones that other networks reach. */
function openZones(all: readonly Imported[], { observation }: RenderInput): string[] {
  const changed = all.filter(walls)
  const [shut, opened] = [true, false].map(isolation =>
    changed.filter(({ one }) => one.isolation === isolation).flatMap(({ imported }) => imported.zone ?? []),
  )
  return [...new Set([...systemZones(observation).lan, ...(opened ?? [])])].filter(zone => !shut?.includes(zone))
}

/** The manager comes in by this network, which would be shut in. */
function holdsManager({ imported }: Imported, { observation }: RenderInput): boolean {
  const way = observation?.path?.interface
  return observation?.networks?.some(one => one.name === imported.name && one.device === (way ?? '')) ?? false
}

/** What an imported network's document asks for beyond what such a section is imported for. */
function leftOut({ one, imported }: Imported, options: readonly string[]): Warning[] {
  const about = { kind: 'lan', document: one.id, values: { lan: one.name } }
  const named = { ...about, values: { ...about.values, options: options.join(', ') } }
  return [
    ...(options.length > 0 ? [{ code: 'lanImportedLeft.options' as const, ...named }] : []),
    ...(imported.zone === undefined ? [{ code: 'lanImportedLeft.zone' as const, ...about }] : []),
    ...(!imported.wall && one.isolation !== imported.isolated
      ? [{ code: 'lanImportedLeft.isolation' as const, ...about }]
      : []),
    ...(one.ipv6 !== 'off' ? [{ code: 'lanImportedLeft.ipv6' as const, ...about }] : []),
  ]
}

/** Devices behind which nobody sees who of a LAN sends. */
export function translated(input: RenderInput): string[] {
  const open = uplinksOf(input).flatMap(one => (one.nat ? [] : [linkOf(one)]))
  return outside(input).filter(one => !open.includes(one))
}

/** What the zone of an imported network needs beside its own options. */
function importedZoneBlocks(it: Imported, zone: string, open: readonly string[], { gate }: RenderInput): NativeBlock[] {
  const { one } = it
  const ways = between(
    zone,
    open.filter(other => other !== zone),
  )
  const own = !walls(it) ? [] : one.isolation ? serviceBlocks(one, zone) : forwardingBlocks(one, zone, ways)
  return [...own, ...(one.portal && gate ? guestBlocks(one, zone, gate) : [])]
}

/** A network that the system made itself and a person took over; its pool is the system's until that was imported, too. */
function renderImported(it: Imported, open: readonly string[], input: RenderInput): Rendered {
  const { one, imported } = it
  const announced = imported.pool && announcedIn(one, input, translated(input))
  const warnings = leftOut(it, leftPoolOptions(one, imported.pool, announced))
  if (walls(it) && one.isolation && holdsManager(it, input))
    warnings.push({ code: 'managerInLan', kind: 'lan', document: one.id, blocks: true, values: { lan: one.name } })
  const walled = imported.zone === undefined ? [] : importedZoneBlocks(it, imported.zone, open, input)
  const blocks = [...importedLanBlocks(one, imported, announced), ...hostBlocks(one), ...walled]
  return { blocks: [...blocks, ...nameBlock(announced), ...(imported.pool ? pageBlock(one, input) : [])], warnings }
}

function render(input: RenderInput): Rendered {
  if (input.facts.kind !== 'gateway') return { blocks: [], warnings: [] }
  const wanted = lans(input.documents)
  // A gate needs nftables of the firewall's own.
  const shut = input.facts.capabilities.includes('fw4') ? [] : wanted.filter(one => one.portal)
  const all = wanted
    .filter(one => !shut.includes(one))
    .map(one => ({ one, imported: importedLan(one, input.imported) }))
  const theirs = all.flatMap(({ one, imported }) => (imported ? [{ one, imported }] : []))
  const open = openZones(theirs, input)
  const parts = theirs.map(one => renderImported(one, open, input))
  parts.push(
    renderOwn(
      all.flatMap(({ one, imported }) => (imported ? [] : [one])),
      open,
      input,
    ),
  )
  const blocks = parts.flatMap(part => part.blocks)
  const served = all.flatMap(({ one, imported }) => (imported && !imported.pool ? [] : [one]))
  const hidden = translated(input)
  return {
    // The portal has one name, however many networks are told of it.
    blocks: blocks.filter((block, at) => blocks.findIndex(other => other.id === block.id) === at),
    warnings: [
      ...withoutGate(shut),
      ...parts.flatMap(part => part.warnings),
      ...lanOverlaps(placed(all, input.observation), decided(input), input.observation),
      ...all.flatMap(({ one }) =>
        reservedWarnings(one, served.includes(one) ? announcedIn(one, input, hidden) : undefined, input.observation),
      ),
      ...untold(served, input, hidden),
    ],
  }
}

/** Networks of ours beside the system's own. */
function renderOwn(wanted: readonly LanNetwork[], open: readonly string[], input: RenderInput): Rendered {
  if (wanted.length === 0) return { blocks: [], warnings: [] }
  const bridge = lanBridge(input.observation)
  const known = input.observation?.networkRoles?.lan !== undefined
  if (!bridge)
    return { blocks: [], warnings: [{ code: known ? 'noLanPort' : 'lanUnknown', kind: 'lan', blocks: true }] }
  const obstacles = wanted.flatMap(one => obstacle(one, bridge, input) ?? [])
  const free = wanted.filter(one => !obstacles.some(warning => warning.document === one.id))
  const way6 = ipv6Mode(wans(input.documents))
  const planned = withPlannedVlans(input)
  const hidden = translated(input)
  const blocks = free.flatMap(one => [
    ...vlanBridge(bridge, one.vlan, { kind: 'lan', document: one.id }),
    interfaceBlock(one, vlanDevice(bridge, one.vlan), way6),
    ...dhcpBlocks(one, announcedIn(one, input, hidden)),
    ...nameBlock(announcedIn(one, input, hidden)),
    ...pageBlock(one, input),
    ...zoneBlocks(one, { others: free.filter(other => other !== one), open, out: systemZones(input.observation).wan }),
    ...(one.portal && input.gate ? guestBlocks(one, lanZone(one), input.gate) : []),
  ])
  const warnings = [...obstacles, ...free.flatMap(one => beyond(one, bridge, planned)), ...prefixWarnings(way6, free)]
  return { blocks, warnings }
}

/** netifd takes a network down and up again when a line of it changes. */
function interrupts(block: NativeBlock, { networks }: Observation): Interrupts | undefined {
  const name = /^uci:network\.(\w+)$/.exec(block.id)?.[1]
  const device = networks?.find(one => one.name === name)?.device
  return device === undefined ? undefined : { interfaces: [device] }
}

/** Networks of a router's LAN: an interface on a VLAN of the LAN bridge, its DHCP pool, its zone of the firewall. */
export const lanRenderer: Renderer = {
  // The way that has IPv6 says how much of its prefix a network is given.
  kinds: ['lan', 'wan'],
  // Its VLANs may be given to ports by the same plan.
  reads: ['portProfile'],
  render,
  fits: facts => facts.kind === 'gateway',
  interrupts,
  adopt: adoptLan,
  proposes: proposeLan,
}
