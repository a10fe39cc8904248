import { isIP } from 'node:net'
import { devices } from '@/db/schema'
import type { Runtime } from '@/server/kernel/runtime'
import { plainAddress, type Senders } from '@/server/worker/intake/protocol'
import type { NameBook } from './resolved-names'

/**
 * Whose lines come from which address; of a device that is known by name, from all that the name has. One that several
 * devices have is nobody's: no line is told of the wrong device.
 */
export function knownSenders({ db }: Runtime, names: NameBook): Senders {
  const { id, network, address, ipv6 } = devices
  const found = new Map<string, readonly [number, number] | undefined>()
  const byName = new Set<string>()
  const addressesOf = (place: string): readonly string[] => {
    if (isIP(place) || place === '') return [place]
    byName.add(place)
    return names.addresses(place).map(plainAddress)
  }
  for (const row of db.select({ id, network, address, ipv6 }).from(devices).all()) {
    const places = [row.address, row.ipv6 ?? ''].map(plainAddress)
    for (const one of new Set(places.flatMap(addressesOf)))
      if (isIP(one)) found.set(one, found.has(one) ? undefined : [row.id, row.network])
  }
  names.keepOnly(byName)
  return Object.fromEntries([...found].flatMap(([key, value]) => (value ? [[key, value]] : [])))
}
