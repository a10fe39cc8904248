import type { Bss, DeviceKind, Host, Lease, LldpNeighbour, Observation, Station } from '@/server/drivers/observation'
import { privateAddress, wanInterfaces } from '@/server/drivers/wan'

// The end devices of a network, put together from what all its devices see: stations of the access points, forwarding
// tables of the switches, ARP and leases of the gateways. Pure; one record a MAC.

export type Client = {
  mac: string
  name?: string
  address?: string
  /** Through which device it is connected, and where: an interface's name, or the SSID. */
  device?: number
  port?: string
  ssid?: string
  vlan?: number
  wifi: boolean
  signalDbm?: number
  /** Unix ms: since when it is connected, where a station tells it; else when it was first seen. */
  since: number
  /** Octets to and from a Wi-Fi client since it connected. */
  downOctets?: number
  upOctets?: number
}
export type Neighbour = { address: string; mac?: string; name?: string; from: 'lldp' | 'arp'; device: number }

/** What one device sees of others. */
export type View = {
  device: number
  network: number
  kind: DeviceKind
  at: number
  own: string[]
  names: Map<string, string>
  wan: Set<string>
  stations?: Station[]
  bss?: Bss[]
  hosts?: Host[]
  leases?: Lease[]
  neighbours?: LldpNeighbour[]
  told?: number
}

const realMac = (mac: string) =>
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) &&
  mac !== '00:00:00:00:00:00' &&
  // The group bit: multicast and broadcast are no clients.
  (Number.parseInt(mac.slice(1, 2), 16) & 1) === 0

/** Interfaces of a gateway that lead to the internet: their neighbours are no clients. */
function wanKeys(kind: DeviceKind, { interfaces = [] }: Observation): Set<string> {
  if (kind !== 'gateway' && kind !== 'firewall') return new Set()
  return new Set(wanInterfaces(interfaces).flatMap(index => interfaces[index]?.key ?? []))
}

/** Adds the stations: they know best where a client is. */
function takeStations(found: Map<string, Client>, view: View): void {
  for (const station of view.stations ?? []) {
    const bss = view.bss?.find(one => one.key === station.bss)
    found.set(station.mac, {
      mac: station.mac,
      wifi: true,
      device: view.device,
      ssid: station.ssid ?? bss?.ssid,
      signalDbm: station.signalDbm,
      downOctets: station.txBytes,
      upOctets: station.rxBytes,
      since: view.at - (station.connectedSeconds ?? 0) * 1000,
    })
  }
}

type Place = { view: View; host: Host; crowd: number; link: boolean }

/** The places where one device's forwarding table sees MACs: how many others are on the port, and whether it is a link. */
function placesOf(view: View, own: ReadonlySet<string>): Place[] {
  const hosts = (view.hosts ?? []).filter(host => host.source !== 'arp' && host.port !== undefined)
  const crowd = new Map<string | undefined, number>()
  for (const { port } of hosts) crowd.set(port, (crowd.get(port) ?? 0) + 1)
  const managed = hosts.filter(host => own.has(host.mac) && !view.own.includes(host.mac))
  const links = new Set([
    ...(view.neighbours ?? []).filter(isManaged(own)).map(one => one.localPort),
    ...managed.map(host => host.port),
  ])
  return hosts
    .filter(host => !view.wan.has(host.port ?? ''))
    .map(host => ({ view, host, crowd: crowd.get(host.port) ?? 1, link: links.has(host.port) }))
}

/** The port nearest to each MAC: not a link between managed devices, then the one with the fewest others on it. */
function nearestPorts(views: readonly View[], own: ReadonlySet<string>): Map<string, Place> {
  const best = new Map<string, Place>()
  for (const place of views.flatMap(view => placesOf(view, own))) {
    const held = best.get(place.host.mac)
    if (!held || nearer(place, held)) best.set(place.host.mac, place)
  }
  return best
}
const nearer = (a: Place, b: Place) => (a.link === b.link ? a.crowd < b.crowd : b.link)
const isManaged = (own: ReadonlySet<string>) => (one: LldpNeighbour) =>
  one.chassisId !== undefined && own.has(one.chassisId.toLowerCase())

function takePorts(found: Map<string, Client>, views: readonly View[], own: ReadonlySet<string>): void {
  for (const [mac, { view, host }] of nearestPorts(views, own)) {
    const known = found.get(mac)
    if (known) known.vlan ??= host.vlan
    else
      found.set(mac, {
        mac,
        wifi: false,
        device: view.device,
        port: view.names.get(host.port ?? '') ?? host.port,
        vlan: host.vlan,
        since: view.at,
      })
  }
}

/** An IPv4 address is what people look for. */
function takeAddress(client: Client, address: string | undefined): void {
  if (address && (!client.address || client.address.includes(':'))) client.address = address
}

/** Puts one host of a view at its record: a new one where no table knows its port. */
function takeHost(found: Map<string, Client>, view: View, host: Host): void {
  const port = host.port === undefined ? undefined : (view.names.get(host.port) ?? host.port)
  const known = found.get(host.mac) ?? { mac: host.mac, wifi: false, device: view.device, port, since: view.at }
  takeAddress(known, host.address)
  known.name ??= host.hostname
  found.set(host.mac, known)
}

function takeAddresses(found: Map<string, Client>, views: readonly View[]): void {
  for (const view of views) {
    const hosts = (view.hosts ?? []).filter(host => host.port === undefined || !view.wan.has(host.port))
    for (const host of hosts) if (host.source !== 'fdb' || host.address) takeHost(found, view, host)
  }
}

/** Leases name what was seen; alone they count only where no device tells whom it sees. */
function takeLeases(found: Map<string, Client>, views: readonly View[]): void {
  const blind = views.every(view => view.hosts === undefined)
  for (const view of views)
    for (const lease of view.leases ?? []) {
      const known = found.get(lease.mac)
      if (known) {
        known.name = lease.hostname ?? known.name
        takeAddress(known, lease.address)
      } else if (blind)
        found.set(lease.mac, {
          mac: lease.mac,
          wifi: false,
          name: lease.hostname,
          address: lease.address,
          device: view.device,
          since: view.at,
        })
    }
}

export const ownOf = (views: readonly View[]): ReadonlySet<string> => new Set(views.flatMap(view => view.own))

/** Pure: the clients that these views together show, without the managed devices themselves: `own`, their MACs. */
export function merge(views: readonly View[], own = ownOf(views)): Map<string, Client> {
  const found = new Map<string, Client>()
  for (const view of views) takeStations(found, view)
  takePorts(found, views, own)
  takeAddresses(found, views)
  takeLeases(found, views)
  for (const mac of [...found.keys()]) if (own.has(mac) || !realMac(mac)) found.delete(mac)
  return found
}

/** True where a device tells anything of clients at all. */
export const tellsClients = (view: View): boolean =>
  (view.stations ?? view.hosts ?? view.leases ?? view.told) !== undefined

/** How many clients hang on each device; devices that tell nothing of the kind are left out. */
export function countByDevice(views: readonly View[], clients: Iterable<Client>) {
  const found = new Map<number, { clients: number; wifi?: number }>()
  for (const view of views.filter(tellsClients))
    found.set(view.device, {
      clients: view.stations ? 0 : (view.told ?? 0),
      wifi: view.stations?.length ?? view.told,
    })
  for (const { device } of clients) {
    const own = device === undefined ? undefined : found.get(device)
    if (own) own.clients++
  }
  return found
}

function lldpOf(view: View, macs: ReadonlySet<string>): Neighbour[] {
  return (view.neighbours ?? []).flatMap(({ managementAddress: address, chassisId, systemName }) =>
    address && privateAddress(address) && !(chassisId && macs.has(chassisId.toLowerCase()))
      ? [{ address, name: systemName, from: 'lldp' as const, device: view.device, mac: chassisId }]
      : [],
  )
}
function arpOf(view: View, macs: ReadonlySet<string>): Neighbour[] {
  return (view.hosts ?? []).flatMap(({ address, mac, port }) =>
    address && !address.includes(':') && privateAddress(address) && !macs.has(mac) && !view.wan.has(port ?? '')
      ? [{ address, mac, from: 'arp' as const, device: view.device }]
      : [],
  )
}

/** Addresses the devices know of and that are not managed themselves; LLDP's word before ARP's. */
export function neighboursOf(views: readonly View[]): Neighbour[] {
  const macs = new Set(views.flatMap(view => view.own))
  const found = new Map<string, Neighbour>()
  for (const one of [...views.flatMap(view => arpOf(view, macs)), ...views.flatMap(view => lldpOf(view, macs))])
    found.set(one.address, one)
  return [...found.values()]
}

/** The view of a full reading. */
export function viewOf(device: { id: number; network: number; kind: DeviceKind }, observation: Observation): View {
  const { facts, interfaces = [], bss = [] } = observation
  const own = [facts?.mac, ...interfaces.map(one => one.mac), ...bss.map(one => one.bssid)]
  const used = new Set(observation.hosts?.map(host => host.port))
  return {
    device: device.id,
    network: device.network,
    kind: device.kind,
    at: observation.takenAt,
    own: [...new Set(own.flatMap(mac => (mac ? [mac.toLowerCase()] : [])))],
    names: new Map(interfaces.flatMap(({ key, name }) => (used.has(key) ? [[key, name]] : []))),
    wan: wanKeys(device.kind, observation),
    stations: observation.stations,
    bss: observation.bss,
    hosts: observation.hosts,
    leases: observation.leases,
    neighbours: observation.neighbours,
    told: observation.wirelessClients,
  }
}
