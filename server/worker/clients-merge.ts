import type { Host, LldpNeighbour, Radio } from '@/server/drivers/observation'
import { privateAddress } from '@/server/drivers/wan'
import type { View } from './client-view'
import { hasMac, joinMacs, type Macs } from './macs'

// The end devices of a network, put together from what all its devices see: stations of the access points, forwarding
// tables of the switches, ARP and leases of the gateways. Pure; one record a MAC.

export type Client = {
  mac: string
  name?: string
  address?: string
  /** All it has, `address` first, where it has several. */
  addresses?: string[]
  /** Through which device it is connected, and where: an interface's name, or the SSID. */
  device?: number
  port?: string
  ssid?: string
  /** Of the radio that it is on, where its access point tells. */
  band?: Radio['band']
  vlan?: number
  wifi: boolean
  /** How sure the place is: its access point, a port of its own, a port to other managed devices; absent: an address. */
  evidence?: 'station' | 'port' | 'link'
  signalDbm?: number
  /** Unix ms: since when it is connected, where a station tells it; else when it was first seen. */
  since: number
  /** bit/s at which frames pass to and from a Wi-Fi client. */
  downRate?: number
  upRate?: number
  /** As of `Station`. */
  retryPercent?: number
  /** Octets to and from a Wi-Fi client since it connected. */
  downOctets?: number
  upOctets?: number
  /** bit/s to and from it between the last two readings; of a wired one where it is alone on its port. */
  downBps?: number
  upBps?: number
  /** What it tells its switch of itself by LLDP or CDP. */
  lldp?: { capabilities?: string[]; description?: string }
}
export type Neighbour = {
  address: string
  mac?: string
  name?: string
  from: 'lldp' | 'arp'
  device: number
  /** By LLDP. */
  capabilities?: string[]
}

/** What routers share among them: VRRP and CARP for IPv4 and IPv6, HSRP 1 and 2, GLBP. */
const virtual = /^(00:00:5e:00:0[12]|00:00:0c:07:ac|00:00:0c:9f:f[0-9a-f]|00:07:b4:00):/

const realMac = (mac: string) =>
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) &&
  mac !== '00:00:00:00:00:00' &&
  !virtual.test(mac) &&
  // The group bit: multicast and broadcast are no clients.
  (Number.parseInt(mac.slice(1, 2), 16) & 1) === 0

/** When an access point last heard of a station, and since when it has it; undefined where it does not tell. Unix ms. */
type Heard = { at: number | undefined; since: number | undefined }
/** Who tells neither knows least. */
function later(a: Heard, b: Heard): boolean {
  if (a.at !== undefined && b.at !== undefined) return a.at >= b.at
  return a.since !== undefined && b.since !== undefined ? a.since >= b.since : (a.since ?? a.at) !== undefined
}

/**
 * Adds the stations: they know best where a client is. One that went on to another access point stays in the table of
 * the one before for minutes: it is where it was heard last.
 */
function takeStations(found: Map<string, Client>, heard: Map<string, Heard>, view: View): void {
  for (const [at, station] of (view.stations ?? []).entries()) {
    const since = station.connectedSeconds === undefined ? undefined : view.at - station.connectedSeconds * 1000
    const now = { at: station.silentMs === undefined ? undefined : view.at - station.silentMs, since }
    const before = heard.get(station.mac)
    if (before && !later(now, before)) continue
    heard.set(station.mac, now)
    const bss = view.bss?.find(one => one.key === station.bss)
    found.set(station.mac, {
      mac: station.mac,
      wifi: true,
      evidence: 'station',
      device: view.device,
      ssid: station.ssid ?? bss?.ssid,
      band: view.radios?.find(one => one.key === bss?.radio)?.band,
      signalDbm: station.signalDbm,
      downRate: station.txRate,
      upRate: station.rxRate,
      retryPercent: station.retryPercent,
      downOctets: station.txBytes,
      upOctets: station.rxBytes,
      ...view.rates?.stations?.[at],
      since: since ?? view.at,
    })
  }
}

type Place = { view: View; host: Host; crowd: number; link: boolean }

/** The places where one device's forwarding table sees MACs: how many others are on the port, and whether it is a link. */
function placesOf(view: View, own: Macs): Place[] {
  const hosts = (view.hosts ?? []).filter(host => host.source !== 'arp' && host.port !== undefined)
  const crowd = new Map<string | undefined, Set<string>>()
  for (const { port, mac } of hosts) {
    const own = crowd.get(port)
    if (own) own.add(mac)
    else crowd.set(port, new Set([mac]))
  }
  const managed = hosts.filter(host => hasMac(own, host.mac) && !hasMac(view.own, host.mac))
  const links = new Set([
    ...(view.neighbours ?? []).filter(isManaged(own)).flatMap(one => one.localPort ?? []),
    ...managed.map(host => host.port),
  ])
  // Its stations say who is on an access point's own networks; the bridge forgets minutes later.
  const air = new Set(view.stations && view.bss?.flatMap(one => one.interface ?? []))
  const nameOf = (port = '') => view.names.get(port) ?? port
  return hosts
    .filter(host => !view.wan.has(host.port ?? '') && !air.has(nameOf(host.port)))
    .map(host => ({ view, host, crowd: crowd.get(host.port)?.size ?? 1, link: links.has(host.port) }))
}

/** Work that lets others in between: it is gone on with by whoever drives it. */
type Steps<T = void> = Generator<undefined, T>
/** Views that are looked at between two steps: some milliseconds. */
const viewsAStep = 200

/** Each of the views, with a step every now and then. */
function* eachOf(views: readonly View[], work: (view: View) => void): Steps {
  for (const [at, view] of views.entries()) {
    work(view)
    if (at % viewsAStep === viewsAStep - 1) yield
  }
}

/** The port nearest to each MAC: not a link between managed devices, then the one with the fewest others on it. */
function* nearestPorts(views: readonly View[], own: Macs): Steps<Map<string, Place>> {
  const best = new Map<string, Place>()
  yield* eachOf(views, view => {
    for (const place of placesOf(view, own)) {
      const held = best.get(place.host.mac)
      if (!held || nearer(place, held)) best.set(place.host.mac, place)
    }
  })
  return best
}
/** One in two VLANs of a device is at the lower one: the order of a table says nothing. */
function nearer(a: Place, b: Place): boolean {
  if (a.link !== b.link) return b.link
  if (a.crowd !== b.crowd || a.view !== b.view) return a.crowd < b.crowd
  return (a.host.vlan ?? 0) < (b.host.vlan ?? 0)
}
const isManaged = (own: Macs) => (one: LldpNeighbour) =>
  one.chassisId !== undefined && hasMac(own, one.chassisId.toLowerCase())

function* takePorts(found: Map<string, Client>, views: readonly View[], own: Macs): Steps {
  for (const [mac, { view, host, link, crowd }] of yield* nearestPorts(views, own)) {
    const known = found.get(mac)
    if (known) known.vlan ??= host.vlan
    else
      found.set(mac, {
        mac,
        wifi: false,
        evidence: link ? 'link' : 'port',
        device: view.device,
        port: view.names.get(host.port ?? '') ?? host.port,
        vlan: host.vlan,
        ...(crowd === 1 && !link && view.rates?.ports?.get(host.port ?? '')),
        since: view.at,
      })
  }
}

/** Who has more is a router, or answers for others. */
const mostAddresses = 16
const isIpv6 = (address: string) => address.includes(':')
const byNumber = new Intl.Collator('en', { numeric: true })
/** An IPv4 address is what people look for; else always in the same order. */
const inOrder = (a: string, b: string) => Number(isIpv6(a)) - Number(isIpv6(b)) || byNumber.compare(a, b)

/** Adds an address; an `older` one, or one of the link alone, only where no other of its family is known. */
function takeAddress(client: Client, address: string | undefined, older = false): void {
  if (!address) return
  const known = client.addresses ?? (client.address ? [client.address] : [])
  const isWeak = older || /^fe80:/i.test(address)
  if (known.includes(address) || known.length >= mostAddresses) return
  if (isWeak && known.some(one => isIpv6(one) === isIpv6(address))) return
  const all = [...known, address].sort(inOrder)
  client.address = all[0] ?? address
  if (all.length > 1) client.addresses = all
}

/** Puts one host of a view at its record: a new one where no table knows its port. A stale one makes none. */
function takeHost(found: Map<string, Client>, view: View, host: Host): void {
  if (host.stale && !found.has(host.mac)) return
  const port = host.port === undefined ? undefined : (view.names.get(host.port) ?? host.port)
  const known = found.get(host.mac) ?? { mac: host.mac, wifi: false, device: view.device, port, since: view.at }
  takeAddress(known, host.address, host.stale)
  known.name ??= host.hostname
  found.set(host.mac, known)
}

function takeAddresses(found: Map<string, Client>, views: readonly View[]): Steps {
  return eachOf(views, view => {
    const all = (view.hosts ?? []).filter(host => host.port === undefined || !view.wan.has(host.port))
    // An address that is proved counts before one of old.
    const hosts = [...all.filter(host => !host.stale), ...all.filter(host => host.stale)]
    for (const host of hosts) if (host.source !== 'fdb' || host.address) takeHost(found, view, host)
  })
}

/** Leases name what was seen; alone they count only where no device tells whom it sees. */
function takeLeases(found: Map<string, Client>, views: readonly View[]): void {
  const blind = views.every(view => view.hosts === undefined)
  for (const view of views)
    for (const lease of view.leases ?? []) {
      const known = found.get(lease.mac)
      if (known) {
        known.name = lease.hostname ?? known.name
        takeAddress(known, lease.address, true)
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

/** What clients tell of themselves by LLDP: phones, cameras, computers with a server for it. */
function takeAnnounced(found: Map<string, Client>, views: readonly View[]): void {
  for (const { neighbours = [] } of views)
    for (const { chassisId, systemName, systemDescription, capabilities } of neighbours) {
      const known = chassisId && found.get(chassisId.toLowerCase())
      if (!known) continue
      known.name ??= systemName
      known.lldp = {
        ...(capabilities && { capabilities }),
        ...(systemDescription && { description: systemDescription }),
      }
    }
}

const ownOf = (views: readonly View[]): Macs => joinMacs(views.map(view => view.own))

/** `merge` by steps, for networks of thousands of devices; of a view its stations and hosts alone may change meanwhile. */
export function* mergeSteps(views: readonly View[], own: Macs): Steps<Map<string, Client>> {
  const found = new Map<string, Client>()
  const heard = new Map<string, Heard>()
  yield* eachOf(views, view => takeStations(found, heard, view))
  yield* takePorts(found, views, own)
  yield* takeAddresses(found, views)
  takeLeases(found, views)
  takeAnnounced(found, views)
  for (const mac of [...found.keys()]) if (hasMac(own, mac) || !realMac(mac)) found.delete(mac)
  return found
}

/** Pure: the clients that these views together show, without the managed devices themselves: `own`, their MACs. */
export function merge(views: readonly View[], own = ownOf(views)): Map<string, Client> {
  const steps = mergeSteps(views, own)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
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
      wifi: view.stations ? 0 : view.told,
    })
  for (const { device, wifi } of clients) {
    const own = device === undefined ? undefined : found.get(device)
    if (!own) continue
    own.clients++
    if (wifi) own.wifi = (own.wifi ?? 0) + 1
  }
  return found
}

function lldpOf(view: View, macs: Macs): Neighbour[] {
  return (view.neighbours ?? []).flatMap(({ managementAddress: address, chassisId, systemName, capabilities }) =>
    address && privateAddress(address) && !(chassisId && hasMac(macs, chassisId.toLowerCase()))
      ? [
          {
            ...{ address, name: systemName, from: 'lldp' as const, device: view.device, mac: chassisId },
            ...(capabilities && { capabilities }),
          },
        ]
      : [],
  )
}
function arpOf(view: View, macs: Macs): Neighbour[] {
  return (view.hosts ?? []).flatMap(({ address, mac, port }) =>
    address && !address.includes(':') && privateAddress(address) && !hasMac(macs, mac) && !view.wan.has(port ?? '')
      ? [{ address, mac, from: 'arp' as const, device: view.device }]
      : [],
  )
}

/** Addresses the devices know of and that are not managed themselves; LLDP's word before ARP's. */
export function neighboursOf(views: readonly View[]): Neighbour[] {
  const macs = ownOf(views)
  const found = new Map<string, Neighbour>()
  for (const one of [...views.flatMap(view => arpOf(view, macs)), ...views.flatMap(view => lldpOf(view, macs))])
    found.set(one.address, one)
  return [...found.values()]
}
