import type { Observation } from '../../observation'
import { isOn, only } from './importable'
import { prefix } from './package'
import { listOf, type Section } from './sections'
import { isOpen, isZone, nameOf, translates, zoneWith } from './zone-imported'

// Which network of a device is its LAN and which lead out, by what they are: their names are their owner's.

const isNetwork = ({ config, type, name, options }: Section) =>
  config === 'network' && type === 'interface' && !name.startsWith(prefix) && options.get('device')?.[0] !== 'lo'

/** A device without the VLAN behind it. */
const baseOf = (network: Section): string => (only(network, 'device') ?? '').replace(/\.\d+$/, '')

/** Protocols that get an address of whoever is out there, and so a way to the internet. */
const clients = /^(dhcp|dhcpv6|ppp|pppoe|pppoa|pptp|l2tp|3g|qmi|mbim|ncm|modemmanager|wwan|dslite|map|464xlat|6\w+)$/
const isClient = (network: Section): boolean =>
  clients.test(only(network, 'proto') ?? '') || ['gateway', 'ip6gw'].some(option => network.options.has(option))

const bridgeIn = (network: Section, all: readonly Section[]): Section | undefined =>
  all.find(one => one.config === 'network' && one.type === 'device' && only(one, 'name') === baseOf(network))

/** Where no section says what a device is its name does. */
function isBridged(network: Section, all: readonly Section[]): boolean {
  const section = bridgeIn(network, all)
  return section
    ? only(section, 'type') === 'bridge'
    : only(network, 'type') === 'bridge' || /^br/.test(baseOf(network))
}

const isWired = (network: Section, all: readonly Section[]): boolean => {
  const section = bridgeIn(network, all)
  return isBridged(network, all) && (!section || section.options.has('ports'))
}

const isServed = ({ name }: Section, all: readonly Section[]): boolean =>
  all.some(
    one =>
      one.config === 'dhcp' &&
      one.type === 'dhcp' &&
      only(one, 'interface') === name &&
      !isOn(only(one, 'ignore'), false),
  )

/** A network that may be a LAN: addressed by itself or bridged, and not what leads out. */
function mayBe(network: Section, all: readonly Section[]): boolean {
  const zone = zoneWith(network.name, all)
  const own = ['static', 'none', 'dhcp', undefined].includes(only(network, 'proto'))
  const apart = !translates(zone) && (zone !== undefined || !isClient(network))
  return own && (isBridged(network, all) || apart)
}

type Trait = (network: Section, all: readonly Section[]) => boolean
/** What makes a LAN, the plainest first; the name that OpenWrt gives it decides between those that are alike. */
const traits: readonly Trait[] = [
  isWired,
  (network, all) => !translates(zoneWith(network.name, all)),
  network => !isClient(network),
  isServed,
  (network, all) => isOpen(zoneWith(network.name, all)),
  network => !/\.\d+$/.test(only(network, 'device') ?? ''),
  network => /\.1$/.test(only(network, 'device') ?? ''),
  network => network.name === 'lan',
]

/** The device's own LAN; undefined where it has none, or several that are alike. */
export function lanOf(all: readonly Section[]): Section | undefined {
  const candidates = all.filter(one => isNetwork(one) && mayBe(one, all))
  const found = traits.reduce((left, trait) => {
    const having = left.filter(one => trait(one, all))
    return having.length > 0 ? having : left
  }, candidates)
  return found.length === 1 ? found[0] : undefined
}

/** What a reading keeps of it. */
export function rolesOf(all: readonly Section[]): NonNullable<Observation['networkRoles']> {
  const networks = all.filter(isNetwork)
  const lan = lanOf(all)
  const zones = all.filter(one => isZone(one) && !one.name.startsWith(prefix) && nameOf(one) !== undefined)
  const lanZone = lan && zoneWith(lan.name, zones)
  const others = zones.filter(zone => zone !== lanZone)
  const out = networks.filter(one => one !== lan && isClient(one)).map(one => one.name)
  const leading = others.filter(zone => listOf(zone, 'network')?.some(name => out.includes(name)))
  // Without a network that leads out the zone is known by what it was made for.
  const found = leading.length > 0 ? leading : others.filter(translates)
  const held = zones.flatMap(zone => (listOf(zone, 'network') ?? []).map(name => [name, String(nameOf(zone))] as const))
  return {
    ...(lan && { lan: lan.name }),
    ...{ wans: out, wanZones: found.map(zone => String(nameOf(zone))), zones: Object.fromEntries(held) },
  }
}
