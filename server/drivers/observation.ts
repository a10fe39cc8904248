// What a device says about itself, in one vocabulary for all drivers. Everything optional: a property that is
// absent means "the device did not provide it" and is shown so; an empty list or 0 means it said "none" or "zero".

export type DeviceKind = 'ap' | 'switch' | 'gateway' | 'firewall' | 'other'

export type Facts = {
  /** sysName / hostname as the device gives it; hostile input, at most 255 characters. */
  hostname?: string
  vendor?: string
  model?: string
  serial?: string
  partNumber?: string
  firmware?: string
  hardware?: string
  boot?: string
  /** Base MAC, lower case with colons. */
  mac?: string
  /** Seconds since the device (not its agent, where that is known) started. */
  uptimeSeconds?: number
  /** Description as given: sysDescr, or PRETTY_NAME and kernel. */
  description?: string
  location?: string
  contact?: string
  sysObjectId?: string
  kind: DeviceKind
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

/** A physical port on the front of the device, in panel order. */
export type Port = {
  /** 1-based place on the panel. */
  number: number
  /** Key of its interface. */
  interface: string
  label: string
  media?: 'copper' | 'fibre'
  /** Port VLAN (PVID), 0-4093, and the tagged ones. */
  nativeVlan?: number
  taggedVlans?: number[]
  /** What of the device's own configuration sets it; absent where nothing does, or it is not known. */
  configuredBy?: string
  poe?: {
    enabled?: boolean
    state?: 'delivering' | 'searching' | 'disabled' | 'fault' | 'test' | 'other'
    class?: number
    watts?: number
  }
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
  foreign?: boolean
}

export type Bss = {
  key: string
  radio?: string
  ssid: string
  bssid?: string
  interface?: string
  up: boolean
  clients?: number
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
}

export type Lease = { mac: string; address: string; hostname?: string; expiresAt?: number; static?: boolean }

export type LldpNeighbour = {
  /** Interface key of the local port. */
  localPort: string
  chassisId?: string
  portId?: string
  portDescription?: string
  systemName?: string
  systemDescription?: string
  managementAddress?: string
  capabilities?: string[]
}

export type Health = {
  cpuPercent?: number
  load1?: number
  memoryTotalBytes?: number
  memoryUsedBytes?: number
  storageTotalBytes?: number
  storageUsedBytes?: number
  temperatureCelsius?: number
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
  radios?: Radio[]
  bss?: Bss[]
  /** Networks of the device's own that a wireless network can join, with their layer 3 interface: OpenWrt's lan, guest … */
  networks?: { name: string; device?: string }[]
  stations?: Station[]
  hosts?: Host[]
  leases?: Lease[]
  neighbours?: LldpNeighbour[]
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
  /** Absent where the device has no packet filter that could be read. */
  filters?: FilterChain[]
  /** Connected wireless clients where the device only tells their number (a controller). */
  wirelessClients?: number
  /** Parts that the device should have given and that failed, with the reason code; the rest stands. */
  problems?: { part: string; reason: string }[]
}
