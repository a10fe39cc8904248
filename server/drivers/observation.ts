import type { Fan, Health, Port, PowerSupply, TemperatureSensor } from './hardware'
// What a device says about itself, in one vocabulary for all drivers. Everything optional: a property that is
// absent means "the device did not provide it" and is shown so; an empty list or 0 means it said "none" or "zero".

export type DeviceRole = 'ap' | 'switch' | 'gateway' | 'firewall' | 'other'

export type Facts = {
  /** sysName / hostname as the device gives it; hostile input, at most 255 characters. */
  hostname?: string
  vendor?: string
  model?: string
  serial?: string
  partNumber?: string
  firmware?: string
  /** The kernel's version, where the system tells it beside or without its firmware's: `3.10.77`. */
  kernel?: string
  hardware?: string
  boot?: string
  /** Base MAC, lower case with colons. */
  mac?: string
  /** Where it is reached by IPv6, worked out of its interfaces (worker/own-ipv6.ts); empty: it has IPv6, and no such address. */
  ipv6?: string
  /** Seconds since the device (not its agent, where that is known) started. */
  uptimeSeconds?: number
  /** Description as given: sysDescr, or PRETTY_NAME and kernel. */
  description?: string
  location?: string
  contact?: string
  sysObjectId?: string
  kind: DeviceRole
  /** What this device can do beyond being read, e.g. 'poe', 'wifi', 'ovs', 'hostapd', 'systemd', 'leds'. */
  capabilities: string[]
}

export type Interface = {
  /** Stable key within the device: ifIndex for SNMP, the name for SSH systems. */
  key: string
  name: string
  alias?: string
  mac?: string
  type: 'ethernet' | 'wifi' | 'bridge' | 'vlan' | 'lag' | 'loopback' | 'tunnel' | 'virtual' | 'other'
  adminUp?: boolean
  up?: boolean
  /** bit/s; absent when unknown or when the link is down. */
  speed?: number
  duplex?: 'full' | 'half'
  mtu?: number
  /** CIDR, v4 and v6. */
  addresses?: string[]
  counters?: Counters
  /** Master bridge or LAG, by name; a bridge of Open vSwitch, too. */
  master?: string
  /** Seconds since the last change of state. */
  lastChangeSeconds?: number
  /** Its queue, where somebody else than the system or this manager has laid it: `cake`, `htb` … */
  shaper?: string
  /** A default route leads out of it. */
  defaultRoute?: boolean
  /** The kernel itself takes addresses and routes from IPv6 routers there; false and absent where it or a program does not. */
  takesAdvertisements?: boolean
  /** A bridge of Open vSwitch. */
  openvswitch?: boolean
  /** Of a kernel's bridge: whether it tells VLANs apart. */
  vlanFiltering?: boolean
  /** Of a bridge: it keeps circles from becoming storms (IEEE 802.1D). */
  spanningTree?: boolean
  /** What gives it its addresses: a file's path, or a program. */
  configuredBy?: string
}

/** A packet filter's chain that every packet of its hook passes, made by somebody else than this manager. */
export type FilterChain = {
  /** `inet filter forward`: family, table and chain. */
  chain: string
  hook: 'input' | 'forward' | 'output'
  /** It drops or rejects, by a rule or by its policy. */
  stops: boolean
  /** It lets through what was forwarded to a port. */
  passesForwards: boolean
}

/** Totals since the device's counters started; `bits` tells when to expect a wrap. Octets and packets, never rates. */
export type Counters = {
  bits: 32 | 64
  inOctets?: number
  outOctets?: number
  inPackets?: number
  outPackets?: number
  inErrors?: number
  outErrors?: number
  inDiscards?: number
  outDiscards?: number
}

/** What a radio can do on one band, under the rules of the country it is set to. */
export type RadioBand = {
  /** Channels that an access point may use, those with radar detection too. */
  channels: number[]
  /** MHz. */
  widths: number[]
  maxPowerDbm?: number
  /** IEEE 802.11ax. */
  ax?: boolean
}

export type Radio = {
  key: string
  name: string
  band?: '2g' | '5g' | '6g'
  channel?: number
  widthMhz?: number
  txPowerDbm?: number
  country?: string
  /** As the device's configuration says it: `00` too, which is none; absent where it says nothing. */
  configuredCountry?: string
  noiseDbm?: number
  utilizationPercent?: number
  up?: boolean
  can?: { [band in '2g' | '5g' | '6g']?: RadioBand }
  /** Most BSSs this radio can carry at once, where known. */
  maxBss?: number
  /** hostapd's driver for it, where hostapd is what runs it; `none` is no radio at all: one BSS, no country. */
  driver?: 'nl80211' | 'none'
  /** Its first network interface, and the bridge that wireless clients join, by name. */
  interface?: string
  bridge?: string
  /** A configuration that is not ours runs it: it is shown, and left alone. */
  unmanaged?: boolean
}

export type Bss = {
  key: string
  radio?: string
  ssid: string
  bssid?: string
  interface?: string
  up: boolean
  clients?: number
  /**
   * IEEE 802.11k, where settings of ours turned it on: how clients elsewhere are to be told of this one, and of whom it
   * tells its own. Neighbor report elements in hexadecimal digits, each beginning with the BSSID.
   */
  neighbors?: { own: string; told: string[] }
}

export type Station = {
  mac: string
  bss?: string
  ssid?: string
  signalDbm?: number
  /** bit/s and octets as the access point counts them: rx is what it received from the station. */
  rxRate?: number
  txRate?: number
  rxBytes?: number
  txBytes?: number
  connectedSeconds?: number
  /** Of the frames sent to it since it joined, how many of a hundred were sent again. */
  retryPercent?: number
  /** Since the access point last heard of it. */
  silentMs?: number
}

/** An end device seen by this one: in its ARP/ND table, its forwarding table, or both. */
export type Host = {
  mac: string
  address?: string
  hostname?: string
  vlan?: number
  /** Interface key it hangs on. */
  port?: string
  source: 'arp' | 'fdb' | 'both'
  /** Nothing proves that it is still there: an address of old, that names who is seen elsewhere. */
  stale?: true
}

export type Lease = { mac: string; address: string; hostname?: string; expiresAt?: number; static?: boolean }

export type LldpNeighbour = {
  /** Where it is not LLDP. */
  protocol?: 'cdp' | 'fdp'
  /** Interface key of the local port; absent where the device does not say which it is. */
  localPort?: string
  chassisId?: string
  portId?: string
  portDescription?: string
  systemName?: string
  systemDescription?: string
  managementAddress?: string
  capabilities?: string[]
}

/** A VLAN that the device has, 1-4094, with the name given to it there. */
export type Vlan = { id: number; name?: string }

/** One access point of a wireless controller, as the controller tells of it. */
export type AccessPoint = {
  name?: string
  /** Lower case with colons. */
  mac?: string
  model?: string
  serial?: string
  firmware?: string
  address?: string
  /** `pending`: neither in service nor lost, as while it loads its firmware. */
  state?: 'online' | 'offline' | 'pending'
  clients?: number
}

export type ManagerPath = {
  /** The manager's address, and the device's own that it speaks to. */
  peer: string
  local: string
  /** Interface key that answers leave by, and the bridge's port behind it where one is known; else the same. */
  interface?: string
  port?: string
  /** The TCP port that it speaks to. */
  service?: number
}

/** A way to the internet as the gateway itself finds it by asking its targets. */
export type WanReading = {
  /** The document that set it; or the interface that it goes by, where the device alone knows of it. */
  document?: string
  interface?: string
  up: boolean
  /** Of the last questions to its targets. */
  lossPercent?: number
  /** How long their answers took on average, and by how much one differed from the one before. */
  latencyMs?: number
  jitterMs?: number
}

export type Observation = {
  /** Unix milliseconds, taken by the manager when the reading began. */
  takenAt: number
  depth: 'counters' | 'full'
  facts?: Facts
  uptimeSeconds?: number
  interfaces?: Interface[]
  ports?: Port[]
  /**
   * Bridges that tell VLANs apart by the device's own configuration, ours left out: the VLANs that it has, and its ports
   * by their interface. Absent where it could not be read.
   */
  vlanBridges?: {
    name: string
    vlans: number[]
    ports: { [name: string]: { nativeVlan?: number; taggedVlans?: number[] } }
  }[]
  poe?: { budgetWatts?: number; usedWatts?: number }
  /** Of its configuration, or in use now; ascending. */
  vlans?: Vlan[]
  fans?: Fan[]
  powerSupplies?: PowerSupply[]
  /** Each sensor; the hottest is in `health`. */
  temperatures?: TemperatureSensor[]
  /** Of a controller: those that it knows, out of service or not. */
  accessPoints?: AccessPoint[]
  radios?: Radio[]
  bss?: Bss[]
  /** Networks of the device's own that a wireless network can join, with their layer 3 interface: OpenWrt's lan, guest … */
  networks?: { name: string; device?: string }[]
  /**
   * By the device's own configuration: the network that is its LAN where that can be told, those that lead out and the
   * firewall zones that do, and the zone of each network. Absent where it could not be read.
   */
  networkRoles?: { lan?: string; wans: string[]; wanZones: string[]; zones: { [network: string]: string } }
  stations?: Station[]
  hosts?: Host[]
  leases?: Lease[]
  /** Ways to the internet that the device watches; absent where nothing does. */
  wans?: WanReading[]
  neighbours?: LldpNeighbour[]
  /**
   * What the owner's own configuration of the DHCP and name server gives a name, an address or a MAC to, ours left out.
   * `by`: where it stands, `dhcp.@host[0]`. Names in lower case.
   */
  reservations?: { by: string; type: 'host' | 'domain' | 'cname'; name?: string; address?: string; macs: string[] }[]
  /** The device's own lights, as the kernel names them. */
  leds?: string[]
  /** How the manager comes in, as the device sees it. */
  path?: ManagerPath
  /** What the device let the manager in by; `none`: it asked for nothing. */
  /** The account that the manager uses on the device. */
  account?: string
  /** How the manager proved it. */
  login?: 'none' | 'publickey' | 'password' | 'keyboard-interactive'
  health?: Health
  /** Who answers DNS (53) or DHCP (67) on every interface of the device, ours left out. */
  servers?: { port: 53 | 67; program: string }[]
  /** Gates for guests that somebody else runs on it: openNDS and the like, with the interface or network that each holds. */
  portals?: { program: string; interface?: string }[]
  /** Its own address comes with DHCP option 43, by which somebody else manages it. */
  managementByDhcp?: true
  /** Absent where the device has no packet filter that could be read. */
  filters?: FilterChain[]
  /** Connected wireless clients where the device only tells their number (a controller). */
  wirelessClients?: number
  /** Parts that the device should have given and that failed, with the reason code; the rest stands. */
  problems?: { part: string; reason: string }[]
}
