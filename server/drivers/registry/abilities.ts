import type { Abilities } from '@/model/abilities'
import type { DeviceRole } from '../observation'
import { snmpAbilities } from '../snmp/abilities'
import { unixAbilities } from '../unix/abilities'

// One object for all: lists compare them.
const linuxAbilities: Abilities = { ...unixAbilities, channels: true }

/** Each driver's, apart from the drivers themselves: the main thread asks for thousands of devices and loads no driver. */
const byDriver: Readonly<Record<string, (kind: DeviceRole) => Abilities>> = {
  linux: () => linuxAbilities,
  openwrt: () => unixAbilities,
  snmp: snmpAbilities,
}
export const driverIds = Object.keys(byDriver)

/** Of a driver that this version does not have: nothing can be given to its devices. */
const nothing: Abilities = {
  ...{ settings: 'none', import: false, hostKey: false, tellsOwn: false, channels: false },
  ...{ kick: false, diagnose: false },
}

/** What a device can be given; the same object for all devices alike. */
export const abilitiesOf = ({ driver, kind }: { driver: string; kind: DeviceRole }): Abilities =>
  byDriver[driver]?.(kind) ?? nothing
