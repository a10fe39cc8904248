import type { Bss, Radio, Station } from '../../observation'
import { clean } from '../protocol/table'
import type { ListRow } from '../tables/vendor-lists'
import type { Wireless } from './readers'
import { bandOf, channelOf, named } from './units'

// Radios, networks and stations of all that was read: there is no standard table that says who is connected. Pure.

/** Networks whose stations are read and that all say that nobody is on them; an empty table alone may as well not be there. */
const nobody = (found: Wireless[]) => {
  const bss = found.flatMap(each => (each.stations ? (each.bss ?? []) : []))
  return bss.length > 0 && bss.every(each => each.clients === 0)
}

type Rows = (list: 'radios' | 'bss' | 'stations') => ListRow[]

const keyOf = (row: ListRow) => (row.key as string | undefined) ?? row.index

/** Radios, networks and stations by the vendor's own lists. */
export function ownWireless(rows: Rows): Wireless {
  const radios = rows('radios').map(({ index, frequency, ...row }): Radio => {
    const key = keyOf({ ...row, index })
    const megahertz = frequency as number | undefined
    const name = `radio ${key.split('.').at(-1)}`
    return clean({ name, band: bandOf(megahertz), channel: channelOf(megahertz), ...clean(row), key })
  })
  const bss = rows('bss').map(
    ({ index, ...row }): Bss =>
      named({ up: true, ...clean(row), ssid: (row.ssid as string | undefined) ?? '', key: keyOf({ ...row, index }) }),
  )
  const ssids = new Map(bss.map(each => [each.key, each.ssid]))
  const stations = rows('stations').flatMap(({ index: _, ...row }): Station[] =>
    row.mac ? [clean({ ...row, mac: String(row.mac), ssid: (row.ssid as string) ?? ssids.get(String(row.bss)) })] : [],
  )
  return { radios, bss, stations }
}

/** All that was found; lists that no reader found rows for are absent. */
export function wireless(found: Wireless[]): Wireless {
  const all = <K extends keyof Wireless>(name: K) =>
    found.flatMap(each => (each[name] ?? []) as NonNullable<Wireless[K]>[number][])
  const radios = all('radios')
  const bss = all('bss')
  const stations = all('stations')
  return {
    ...(radios.length > 0 && { radios: radios as Radio[] }),
    ...(bss.length > 0 && { bss: bss as Bss[] }),
    ...((stations.length > 0 || nobody(found)) && { stations: stations as Station[] }),
  }
}
