import type { Table } from '../protocol/table'
import * as mibs from './mibs'

// What a full reading asks every device for; what one maker alone has is asked beside.

export const ifTableLastChange = '1.3.6.1.2.1.31.1.5.0'

export const shapeTables: readonly Table[] = [
  mibs.ifTable,
  mibs.ifNames,
  mibs.ipAddrTable,
  mibs.ipAddressTable,
  mibs.duplex,
  mibs.ifStack,
  mibs.lagPorts,
]
export const bridgeTables: readonly Table[] = [
  mibs.basePorts,
  mibs.basePorts2,
  mibs.portVlans,
  mibs.portVlans2,
  mibs.vlanCurrent,
  mibs.vlanStatic,
  mibs.vlanCurrent2,
  mibs.vlanStatic2,
  mibs.vlanFdb,
  mibs.vlanFdb2,
  mibs.fdb,
]
export const otherTables: readonly Table[] = [
  mibs.ipNetToMedia,
  mibs.ipNetToPhysical,
  mibs.lldpPorts,
  mibs.lldpRemotes,
  mibs.lldpRemotesV2,
  mibs.lldpAddresses,
  mibs.cdp,
  mibs.fdp,
  mibs.entities,
  mibs.sensors,
  mibs.entityStates,
  mibs.printers,
  mibs.poePorts,
  mibs.poeMain,
  mibs.ifChange,
  mibs.storages,
]
