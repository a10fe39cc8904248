import type { Bss, Observation, Radio, Station } from '../../observation'
import { clean, type Mib, type Table, table } from '../protocol/table'
import { macOf } from '../tables/mac'
import { ifNames } from '../tables/mibs'
import { bandOf, channelOf, named } from './units'

// Radios, networks and stations from the tables of makers whose rows need more than a list can say. Pure.

export type Wireless = Pick<Observation, 'radios' | 'bss' | 'stations'>
export type WirelessReader = { objectIds: string[]; tables: readonly Table[]; read(mib: Mib): Wireless }

const macAt = (index: string, at: number) =>
  macOf(
    index
      .split('.')
      .slice(at, at + 6)
      .map(Number),
  )

// --- UBNT-AirMAX-MIB ----------------------------------------------------------------------------------------------

const airRadios = table('ubntRadioTable', '1.3.6.1.4.1.41112.1.4.1.1', {
  mode: [2, 'int'],
  frequency: [4, 'int'],
  power: [6, 'int'],
})
const airStationMode = 1
const airStates = table('ubntWlStatTable', '1.3.6.1.4.1.41112.1.4.5.1', {
  ssid: [2, 'text'],
  bssid: [4, 'mac'],
  noise: [8, 'int'],
  width: [14, 'int'],
  stations: [15, 'int'],
})
const airStations = table('ubntStaTable', '1.3.6.1.4.1.41112.1.4.7.1', {
  mac: [1, 'mac'],
  signal: [3, 'int'],
  txRate: [11, 'int'],
  rxRate: [12, 'int'],
})

// Kilobits in older firmware, bits in newer; no link of these is below a megabit or above a thousand.
const bits = (rate: number | undefined) => (rate !== undefined && rate < 1e6 ? rate * 1000 : rate)

const airos: WirelessReader = {
  objectIds: ['41112.1.4', '10002.1'],
  tables: [airRadios, airStates, airStations],
  read(mib) {
    const states = new Map(mib.rows(airStates).map(row => [row.index, row]))
    // A radio that has joined another's network lists that one, and its access point among the stations.
    const joined = new Set(mib.rows(airRadios).flatMap(row => (row.mode === airStationMode ? [row.index] : [])))
    const own = [...states.values()].filter(row => !joined.has(row.index))
    const radios = mib.rows(airRadios).map(({ index, frequency, power }) => {
      const state = states.get(index)
      const radio: Radio = {
        key: index,
        name: `radio ${index}`,
        band: bandOf(frequency),
        channel: channelOf(frequency),
        txPowerDbm: power,
        widthMhz: state?.width,
        noiseDbm: state?.noise,
      }
      return clean(radio)
    })
    const bss = own.map(row => {
      const found: Bss = {
        key: row.index,
        radio: row.index,
        ssid: row.ssid ?? '',
        bssid: row.bssid,
        up: true,
        clients: row.stations,
      }
      return named(found)
    })
    const stations = mib.rows(airStations).flatMap(row => {
      const home = row.index.split('.')[0] ?? ''
      if (!row.mac || joined.has(home)) return []
      const station: Station = {
        mac: row.mac,
        bss: home,
        ssid: states.get(home)?.ssid,
        signalDbm: row.signal,
        txRate: bits(row.txRate),
        rxRate: bits(row.rxRate),
      }
      return [clean(station)]
    })
    return { radios, bss, stations }
  },
}

// --- UBNT-UniFi-MIB -----------------------------------------------------------------------------------------------

const unifiRadios = table('unifiRadioTable', '1.3.6.1.4.1.41112.1.6.1.1.1', {
  name: [2, 'text'],
  kind: [3, 'text'],
  use: [6, 'int'],
})
const unifiVaps = table('unifiVapTable', '1.3.6.1.4.1.41112.1.6.1.2.1', {
  bssid: [2, 'mac'],
  channel: [4, 'int'],
  ssid: [6, 'text'],
  name: [7, 'text'],
  stations: [8, 'int'],
  radio: [9, 'text'],
  power: [21, 'int'],
  up: [22, 'int'],
})
const unifiBands: Record<string, Radio['band']> = { ng: '2g', na: '5g', '6e': '6g' }

const unifi: WirelessReader = {
  objectIds: ['41112.1.6', '41112', '8072', '10002.1'],
  tables: [unifiRadios, unifiVaps],
  read(mib) {
    const vaps = mib.rows(unifiVaps)
    const radios = mib.rows(unifiRadios).map(({ index, name, kind, use }) => {
      const vap = vaps.find(each => each.radio === kind)
      const radio: Radio = {
        key: index,
        name: name ?? index,
        band: unifiBands[kind ?? ''],
        channel: vap?.channel,
        txPowerDbm: vap?.power,
        utilizationPercent: use !== undefined && use <= 100 ? use : undefined,
      }
      return clean(radio)
    })
    const bss = vaps.map(row => {
      const radio = mib.rows(unifiRadios).find(each => each.kind === row.radio)?.index
      const found: Bss = {
        key: row.index,
        radio,
        ssid: row.ssid ?? '',
        bssid: row.bssid,
        interface: row.name,
        up: row.up !== 2,
        clients: row.stations,
      }
      return named(found)
    })
    return { radios, bss }
  },
}

// --- MIKROTIK-MIB -------------------------------------------------------------------------------------------------

const tikAps = table('mtxrWlApTable', '1.3.6.1.4.1.14988.1.1.1.3.1', {
  ssid: [4, 'text'],
  bssid: [5, 'mac'],
  clients: [6, 'int'],
  frequency: [7, 'int'],
  noise: [9, 'int'],
})
const tikStations = table('mtxrWlRtabTable', '1.3.6.1.4.1.14988.1.1.1.2.1', {
  signal: [3, 'int'],
  txBytes: [4, 'int'],
  rxBytes: [5, 'int'],
  txRate: [8, 'int'],
  rxRate: [9, 'int'],
  uptime: [11, 'int'],
})

const mikrotik: WirelessReader = {
  objectIds: ['14988'],
  tables: [tikAps, tikStations],
  read(mib) {
    const aps = mib.rows(tikAps)
    const interfaces = new Map(mib.rows(ifNames).map(row => [row.index, row.name]))
    const nameOf = (index: string) => interfaces.get(index) ?? index
    const radios = aps.map(({ index, frequency, noise }) => {
      const radio: Radio = {
        key: index,
        name: nameOf(index),
        band: bandOf(frequency),
        channel: channelOf(frequency),
        noiseDbm: noise || undefined,
      }
      return clean(radio)
    })
    const bss = aps.map(row => {
      const found: Bss = {
        key: row.index,
        radio: row.index,
        ssid: row.ssid ?? '',
        bssid: row.bssid,
        interface: nameOf(row.index),
        up: true,
        clients: row.clients,
      }
      return named(found)
    })
    const stations = mib.rows(tikStations).flatMap(row => {
      const mac = macAt(row.index, 0)
      const home = row.index.split('.')[6]
      // On an interface that is no access point it is the one that the device itself has joined.
      if (!mac || !aps.some(each => each.index === home)) return []
      const station: Station = {
        mac,
        bss: home,
        ssid: aps.find(each => each.index === home)?.ssid,
        signalDbm: row.signal,
        txBytes: row.txBytes,
        rxBytes: row.rxBytes,
        txRate: row.txRate,
        rxRate: row.rxRate,
        connectedSeconds: row.uptime === undefined ? undefined : Math.floor(row.uptime / 100),
      }
      return [clean(station)]
    })
    return { radios, bss, stations }
  },
}

// --- WLSX-USER-MIB, WLSX-WLAN-MIB ---------------------------------------------------------------------------------

const arubaStations = table(
  'wlsxWlanStationTable',
  '1.3.6.1.4.1.14823.2.2.1.5.2.2.1.1',
  { associated: [5, 'int'] },
  { rows: 65536 },
)
const arubaUsers = table('wlsxUserTable', '1.3.6.1.4.1.14823.2.2.1.4.1.2.1', { bssid: [11, 'mac'] }, { rows: 65536 })
// Index: access point's MAC, radio, BSSID.
const arubaBssids = table('wlsxWlanAPBssidTable', '1.3.6.1.4.1.14823.2.2.1.5.2.1.7.1', { ssid: [2, 'text'] })

const aruba: WirelessReader = {
  objectIds: ['14823'],
  tables: [arubaStations, arubaUsers, arubaBssids],
  read(mib) {
    const homes = new Map(mib.rows(arubaUsers).map(row => [macAt(row.index, 0), row.bssid]))
    const bss = mib.rows(arubaBssids).flatMap(row => {
      const bssid = macAt(row.index, 7)
      return bssid ? [{ key: bssid, bssid, ssid: row.ssid ?? '', up: true }] : []
    })
    const ssids = new Map(bss.map(each => [each.bssid, each.ssid]))
    const stations = mib.rows(arubaStations).flatMap(row => {
      const mac = macAt(row.index, 0)
      if (!mac) return []
      const home = homes.get(mac)
      return [clean<Station>({ mac, bss: home, ssid: home && ssids.get(home) })]
    })
    return { bss, stations }
  },
}

const readers = [airos, unifi, mikrotik, aruba]

/** The makers' readers that a device may answer to; several where one number stands for several products. */
export const wirelessReaders = (objectId: string): WirelessReader[] =>
  readers.filter(each =>
    each.objectIds.some(
      number => objectId === `1.3.6.1.4.1.${number}` || objectId.startsWith(`1.3.6.1.4.1.${number}.`),
    ),
  )
