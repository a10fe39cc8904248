import { table } from '../protocol/table'

// The standard tables that are read, by the columns that are used. Numbers are those of the MIB named on each.

const mib2 = '1.3.6.1.2.1'

export const system = {
  description: `${mib2}.1.1.0`,
  objectId: `${mib2}.1.2.0`,
  upTime: `${mib2}.1.3.0`,
  contact: `${mib2}.1.4.0`,
  name: `${mib2}.1.5.0`,
  location: `${mib2}.1.6.0`,
  services: `${mib2}.1.7.0`,
  /** IP-MIB: 1 forwards packets, 2 does not. */
  forwarding: `${mib2}.4.1.0`,
  /** BRIDGE-MIB dot1dBaseBridgeAddress. */
  bridgeAddress: `${mib2}.17.1.1.0`,
  bridgePorts: `${mib2}.17.1.2.0`,
  /** HOST-RESOURCES-MIB hrSystemUptime: of the host, where sysUpTime is of the agent. */
  hostUpTime: `${mib2}.25.1.1.0`,
  /** SNMP-FRAMEWORK-MIB snmpEngineTime, seconds: does not wrap after 497 days as sysUpTime does. */
  engineTime: '1.3.6.1.6.3.10.2.1.3.0',
  /** LLDP-MIB lldpLocSysCapEnabled. */
  lldpCapabilities: '1.0.8802.1.1.2.1.3.6.0',
  lldpChassisSubtype: '1.0.8802.1.1.2.1.3.1.0',
  lldpChassisId: '1.0.8802.1.1.2.1.3.2.0',
  /** LLDP-EXT-MED-MIB (ANSI/TIA-1057): what a device tells of itself to telephones. */
  medHardware: '1.0.8802.1.1.2.1.5.4795.1.2.2.0',
  medFirmware: '1.0.8802.1.1.2.1.5.4795.1.2.3.0',
  medSoftware: '1.0.8802.1.1.2.1.5.4795.1.2.4.0',
  medSerial: '1.0.8802.1.1.2.1.5.4795.1.2.5.0',
  medModel: '1.0.8802.1.1.2.1.5.4795.1.2.7.0',
  lldpV2ChassisId: '1.3.111.2.802.1.1.13.1.3.2.0',
  /** RMON2-MIB probeSoftwareRev and probeHardwareRev: D-Link and others give their versions only here. */
  probeSoftware: `${mib2}.16.19.2.0`,
  probeHardware: `${mib2}.16.19.3.0`,
} as const

/** IF-MIB ifTable, what seldom changes. */
export const ifTable = table('ifTable', `${mib2}.2.2.1`, {
  descr: [2, 'text'],
  type: [3, 'int'],
  mtu: [4, 'int'],
  mac: [6, 'mac'],
  operStatus: [8, 'int'],
})
/** IF-MIB ifXTable, what seldom changes. */
export const ifNames = table('ifXTable', `${mib2}.31.1.1.1`, {
  name: [1, 'text'],
  connector: [17, 'int'],
  alias: [18, 'text'],
})
/** State and counters: the reading of every poll. */
export const ifState = table('ifTable', `${mib2}.2.2.1`, {
  adminStatus: [7, 'int'],
  operStatus: [8, 'int'],
  inDiscards: [13, 'int'],
  inErrors: [14, 'int'],
  outDiscards: [19, 'int'],
  outErrors: [20, 'int'],
})
export const ifChange = table('ifTable', `${mib2}.2.2.1`, { lastChange: [9, 'int'] })
export const ifHigh = table('ifXTable', `${mib2}.31.1.1.1`, {
  inOctets: [6, 'int'],
  outOctets: [10, 'int'],
  speed: [15, 'int'],
})
/** 32-bit counters and ifSpeed, for agents that have no ifXTable. Packets tell how often the octets may have wrapped. */
export const ifLow = table('ifTable', `${mib2}.2.2.1`, {
  speed: [5, 'int'],
  inOctets: [10, 'int'],
  inUnicast: [11, 'int'],
  inOther: [12, 'int'],
  outOctets: [16, 'int'],
  outUnicast: [17, 'int'],
  outOther: [18, 'int'],
})
export const ifSpeed = table('ifTable', `${mib2}.2.2.1`, { speed: [5, 'int'] })
/** EtherLike-MIB dot3StatsDuplexStatus. */
export const duplex = table('dot3StatsTable', `${mib2}.10.7.2.1`, { status: [19, 'int'] })
/** IF-MIB ifStackTable: index is higher.lower; which ports a LAG or bridge is made of. */
export const ifStack = table('ifStackTable', `${mib2}.31.1.2.1`, { status: [3, 'int'] })
/** IEEE8023-LAG-MIB dot3adAggPortAttachedAggID: the ifIndex of the port's LAG. */
export const lagPorts = table('dot3adAggPortTable', '1.2.840.10006.300.43.1.2.1.1', { attached: [13, 'int'] })

/** IP-MIB: the old IPv4 tables and the ones for both families. */
export const ipAddrTable = table('ipAddrTable', `${mib2}.4.20.1`, { ifIndex: [2, 'int'], mask: [3, 'ip'] })
export const ipAddressTable = table('ipAddressTable', `${mib2}.4.34.1`, {
  ifIndex: [3, 'int'],
  type: [4, 'int'],
  prefix: [5, 'oid'],
})
export const ipNetToMedia = table(
  'ipNetToMediaTable',
  `${mib2}.4.22.1`,
  { mac: [2, 'mac'], type: [4, 'int'] },
  { rows: 131072 },
)
export const ipNetToPhysical = table(
  'ipNetToPhysicalTable',
  `${mib2}.4.35.1`,
  { mac: [4, 'mac'], type: [6, 'int'], state: [7, 'int'] },
  { rows: 131072 },
)

/** BRIDGE-MIB and Q-BRIDGE-MIB. */
export const basePorts = table('dot1dBasePortTable', `${mib2}.17.1.4.1`, { ifIndex: [2, 'int'] })
export const fdb = table(
  'dot1dTpFdbTable',
  `${mib2}.17.4.3.1`,
  { port: [2, 'int'], status: [3, 'int'] },
  { rows: 131072 },
)
export const vlanFdb = table(
  'dot1qTpFdbTable',
  `${mib2}.17.7.1.2.2.1`,
  { port: [2, 'int'], status: [3, 'int'] },
  { rows: 131072 },
)
/** IEEE8021-Q-BRIDGE-MIB: index is component.database.MAC. */
export const vlanFdb2 = table(
  'ieee8021QBridgeTpFdbTable',
  '1.3.111.2.802.1.1.4.1.2.2.1',
  { port: [2, 'int'], status: [3, 'int'] },
  { rows: 131072 },
)
export const vlanCurrent = table('dot1qVlanCurrentTable', `${mib2}.17.7.1.4.2.1`, {
  fdbId: [3, 'int'],
  egress: [4, 'bytes'],
  untagged: [5, 'bytes'],
})
export const vlanStatic = table('dot1qVlanStaticTable', `${mib2}.17.7.1.4.3.1`, {
  name: [1, 'text'],
  egress: [2, 'bytes'],
  untagged: [4, 'bytes'],
})
export const portVlans = table('dot1qPortVlanTable', `${mib2}.17.7.1.4.5.1`, { pvid: [1, 'int'] })
/** The same by IEEE8021-BRIDGE-MIB and IEEE8021-Q-BRIDGE-MIB, whose indexes begin with the component (VlanCurrent: time). */
export const basePorts2 = table('ieee8021BridgeBasePortTable', '1.3.111.2.802.1.1.2.1.1.4.1', { ifIndex: [3, 'int'] })
export const vlanCurrent2 = table('ieee8021QBridgeVlanCurrentTable', '1.3.111.2.802.1.1.4.1.4.2.1', {
  fdbId: [4, 'int'],
  egress: [5, 'bytes'],
  untagged: [6, 'bytes'],
})
export const vlanStatic2 = table('ieee8021QBridgeVlanStaticTable', '1.3.111.2.802.1.1.4.1.4.3.1', {
  name: [3, 'text'],
  egress: [4, 'bytes'],
  untagged: [6, 'bytes'],
})
export const portVlans2 = table('ieee8021QBridgePortVlanTable', '1.3.111.2.802.1.1.4.1.4.5.1', { pvid: [1, 'int'] })

/** LLDP-MIB (IEEE 802.1AB-2005). */
const lldp = '1.0.8802.1.1.2.1'
export const lldpPorts = table('lldpLocPortTable', `${lldp}.3.7.1`, {
  subtype: [2, 'int'],
  id: [3, 'bytes'],
  description: [4, 'text'],
})
export const lldpRemotes = table('lldpRemTable', `${lldp}.4.1.1`, {
  chassisSubtype: [4, 'int'],
  chassisId: [5, 'bytes'],
  portSubtype: [6, 'int'],
  portId: [7, 'bytes'],
  portDescription: [8, 'text'],
  systemName: [9, 'text'],
  systemDescription: [10, 'text'],
  capabilities: [12, 'bytes'],
})
/** LLDP-V2-MIB (IEEE 802.1AB-2009): index is time.ifIndex.destination.remote. */
export const lldpRemotesV2 = table('lldpV2RemTable', '1.3.111.2.802.1.1.13.1.4.1.1', {
  chassisSubtype: [5, 'int'],
  chassisId: [6, 'bytes'],
  portSubtype: [7, 'int'],
  portId: [8, 'bytes'],
  portDescription: [9, 'text'],
  systemName: [10, 'text'],
  systemDescription: [11, 'text'],
  capabilities: [13, 'bytes'],
})
export const lldpAddresses = table('lldpRemManAddrTable', `${lldp}.4.2.1`, { ifSubtype: [3, 'int'] })

/** CISCO-CDP-MIB cdpCacheTable: index is ifIndex.device. Also HP and others that speak CDP. */
export const cdp = table('cdpCacheTable', '1.3.6.1.4.1.9.9.23.1.2.1.1', {
  addressType: [3, 'int'],
  address: [4, 'bytes'],
  version: [5, 'text'],
  deviceId: [6, 'bytes'],
  devicePort: [7, 'text'],
  platform: [8, 'text'],
  capabilities: [9, 'bytes'],
})

/**
 * FOUNDRY-SN-SWITCH-GROUP-MIB snFdpCacheTable (Foundry, Brocade, Ruckus ICX): index is ifIndex.device. Whom such a switch
 * hears by CDP stands there, too.
 */
export const fdp = table('snFdpCacheTable', '1.3.6.1.4.1.1991.1.1.3.20.1.2.1.1', {
  deviceId: [3, 'bytes'],
  addressType: [4, 'int'],
  address: [5, 'bytes'],
  version: [6, 'text'],
  devicePort: [7, 'text'],
  platform: [8, 'text'],
  vendorId: [10, 'int'],
})

/** ENTITY-MIB entPhysicalTable and ENTITY-SENSOR-MIB. */
export const entities = table('entPhysicalTable', `${mib2}.47.1.1.1.1`, {
  description: [2, 'text'],
  containedIn: [4, 'int'],
  class: [5, 'int'],
  name: [7, 'text'],
  hardware: [8, 'text'],
  firmware: [9, 'text'],
  software: [10, 'text'],
  serial: [11, 'text'],
  model: [13, 'text'],
})
export const sensors = table('entPhySensorTable', `${mib2}.99.1.1.1`, {
  type: [1, 'int'],
  scale: [2, 'int'],
  precision: [3, 'int'],
  value: [4, 'int'],
  status: [5, 'int'],
})
/** ENTITY-STATE-MIB (RFC 4268) entStateTable. */
export const entityStates = table('entStateTable', `${mib2}.131.1.1.1`, {
  admin: [2, 'int'],
  oper: [3, 'int'],
  alarm: [5, 'bytes'],
})

/** Printer-MIB (RFC 3805) prtGeneralTable: only printers have it. */
export const printers = table('prtGeneralTable', `${mib2}.43.5.1.1`, { name: [16, 'text'], serial: [17, 'text'] })

/** POWER-ETHERNET-MIB (RFC 3621). */
export const poePorts = table('pethPsePortTable', `${mib2}.105.1.1.1`, {
  admin: [3, 'int'],
  status: [6, 'int'],
  class: [10, 'int'],
})
export const poeMain = table('pethMainPseTable', `${mib2}.105.1.3.1.1`, { power: [2, 'int'], consumption: [4, 'int'] })

/** HOST-RESOURCES-MIB and UCD-SNMP-MIB. */
export const processorLoad = `${mib2}.25.3.3.1.2`
export const storages = table('hrStorageTable', `${mib2}.25.2.3.1`, {
  type: [2, 'oid'],
  description: [3, 'text'],
  unit: [4, 'int'],
  size: [5, 'int'],
  used: [6, 'int'],
})
