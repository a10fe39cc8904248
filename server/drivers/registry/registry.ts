import { DeviceError, type Driver, type Fingerprint } from '../driver'
import { linuxDriver } from '../linux/driver'
import { openwrtDriver } from '../openwrt/driver'
import { snmpDriver } from '../snmp/driver'

/** Who handles what. One line a driver. */
export const drivers: readonly Driver<unknown>[] = [linuxDriver, openwrtDriver, snmpDriver]

export function driverOf(id: Driver<unknown>['id'], among = drivers): Driver<unknown> {
  const found = among.find(driver => driver.id === id)
  if (!found) throw new DeviceError('unsupported', `no driver ${id}`)
  return found
}

/** The driver that knows a device best, of one protocol; undefined when none does. */
export function chooseDriver(
  fingerprint: Fingerprint,
  protocol: Driver<unknown>['protocol'],
  among = drivers,
): Driver<unknown> | undefined {
  const rated = among
    .filter(driver => driver.protocol === protocol)
    .map(driver => ({ driver, rating: driver.match(fingerprint) }))
    .filter(one => one.rating > 0)
  rated.sort((a, b) => b.rating - a.rating)
  return rated[0]?.driver
}
