import type { Bss, Radio, Station } from '../../observation'
import { bandOf } from '../../unix/band'
import { parseAllSta, parseHostapdStatus, parseNeighbors } from '../../unix/hostapd'
import type { Parts } from '../../unix/parts'
import { lines, number, pairs, present } from '../../unix/text'
import { parseIwPhy } from '../base/iw-phy'
import { containerBridge, parseLinks, sysInterfaces } from './interfaces'

export type Wifi = { radios: Radio[]; bss: Bss[]; stations: Station[] }

type Device = {
  phy: string
  name: string
  index?: number
  mhz?: number
  channel?: number
  width?: number
  power?: number
  type?: string
}

/** `iw dev`: `phy#0`, then for each `Interface NAME` its ifindex, type, ssid, channel and transmit power. */
export function parseIwDev(text: string | undefined): Device[] {
  const devices: Device[] = []
  let phy = ''
  for (const line of lines(text)) {
    const words = line.trim()
    const block = /^phy#(\d+)/.exec(words)
    if (block) phy = `phy${block[1]}`
    const named = /^Interface (\S+)/.exec(words)
    if (named?.[1]) devices.push({ phy, name: named[1] })
    const last = devices.at(-1)
    if (!last || last.phy !== phy) continue
    const index = /^ifindex (\d+)/.exec(words)
    if (index) last.index = number(index[1])
    const channel = /^channel (\d+) \((\d+)(?:\.\d+)? MHz\)(?:, width: (\d+) MHz)?/.exec(words)
    if (channel) {
      last.channel = number(channel[1], 1, 233)
      last.mhz = number(channel[2])
      last.width = number(channel[3])
    }
    const power = /^txpower (-?[\d.]+) dBm/.exec(words)
    if (power) last.power = number(power[1], -30, 50)
    const type = /^type (.+)$/.exec(words)
    if (type) last.type = type[1]
  }
  return devices
}

/** The radio's own interface, which was there before those that hostapd makes for its networks: `iw` tells them first. */
const ownInterface = (devices: readonly Device[], phy: string): string | undefined =>
  devices
    .filter(one => one.phy === phy)
    .reduce<Device | undefined>((a, b) => (a && (a.index ?? 0) <= (b.index ?? 0) ? a : b), undefined)?.name

/**
 * Radios: the phys, with what `iw` says of them. Where there is none but hostapd is installed, the one interface that
 * hostapd can drive with `driver=none`: it takes a single BSS and no country (`country_code` leaves it in COUNTRY_UPDATE).
 */
export function readWifi(parts: Parts): Wifi {
  const phys = parseLinks(parts.text('masters'), 'phy80211')
  const devices = parseIwDev(parts.text('iw-dev'))
  const about = parseIwPhy(parts.text('iw-phy'))
  const country = /^country ([A-Z]{2}):/m.exec(parts.text('iw-reg') ?? '')?.[1]
  const names = new Set([...about.keys(), ...phys.values(), ...devices.map(device => device.phy)])
  const bridge = ownBridge(parts)
  const radios = [...names].sort().map(phy => {
    const device = devices.find(one => one.phy === phy && one.channel !== undefined)
    return present<Radio>({
      key: phy,
      name: phy,
      band: bandOf(device?.mhz) ?? about.get(phy)?.band,
      channel: device?.channel,
      widthMhz: device?.width,
      txPowerDbm: device?.power,
      country,
      up: device !== undefined,
      maxBss: about.get(phy)?.maxBss,
      can: about.get(phy)?.can,
      driver: 'nl80211',
      bridge,
      interface: ownInterface(devices, phy) ?? [...phys].find(([, owner]) => owner === phy)?.[0],
    })
  })
  if (radios.length === 0) radios.push(...withoutRadio(parts))
  for (const radio of radios) if (isUnmanaged(parts, radio)) radio.unmanaged = true
  return { radios, ...readHostapd(parts, radios) }
}

/** The bridge that wireless clients join: br-lan where there is one, else the first. */
function ownBridge(parts: Parts): string | undefined {
  const names = sysInterfaces(parts.text('interfaces'))
    .filter(one => one.has.has('bridge') && !containerBridge.test(one.name))
    .map(one => one.name)
  return names.includes('br-lan') ? 'br-lan' : names[0]
}

/** interface, bridge, driver and file of each configuration in /etc/hostapd. */
const hostapdConfs = (parts: Parts) => (parts.text('hostapd-conf') ?? '').split('\n\n').map(pairs)

/** A configuration of the system's own names its interface and hostapd runs on it. */
const isUnmanaged = (parts: Parts, radio: Radio): boolean =>
  parts.names('hostapd/').includes(radio.interface ?? '') &&
  !hostapdConfs(parts).some(
    conf => conf.interface === radio.interface && conf.file?.startsWith('/etc/hostapd/lanward-'),
  )

/** Known at every depth: what forwards packets is a router, whose bridge is no radio for having hostapd installed beside it. */
const routes = (parts: Parts): boolean => parts.text('hostapd')?.includes('forwarding') === true

/** The interface for hostapd's driver `none`: the one its configuration names, else one called like a radio's, else the bridge. */
function withoutRadio(parts: Parts): Radio[] {
  if (!parts.text('hostapd')?.includes('installed')) return []
  const interfaces = sysInterfaces(parts.text('interfaces'))
  const configured = hostapdConfs(parts).find(conf => conf.driver === 'none')
  const bridge = ownBridge(parts)
  const name =
    interfaces.find(one => one.name === configured?.interface)?.name ??
    interfaces.find(one => /^(wlan|wl|ath|ra)\d/.test(one.name))?.name ??
    (routes(parts) ? undefined : bridge)
  if (!name) return []
  const up = parts.names('hostapd/').includes(name)
  return [{ key: name, name, up, maxBss: 1, driver: 'none', interface: name, ...(bridge && { bridge }) }]
}

function takeNeighbors(parts: Parts, bss: readonly Bss[], name: string): void {
  const own = bss.find(one => one.key === name)
  const neighbors = parseNeighbors(parts.text(`neighbors/${name}`), own?.bssid)
  if (own && neighbors) own.neighbors = neighbors
}

/** The stations of a socket; hostapd's own number of them counts those that went on, too. */
function takeStations(parts: Parts, bss: readonly Bss[], name: string, key: string | undefined): Station[] {
  const own = bss.find(one => one.key === key)
  const found = parseAllSta(parts.text(`stations/${name}`), own)
  if (own && parts.status(`stations/${name}`) === 0) own.clients = found.length
  return found
}

function readHostapd(parts: Parts, radios: Radio[]): { bss: Bss[]; stations: Station[] } {
  const bss: Bss[] = []
  const stations: Station[] = []
  for (const name of parts.names('hostapd/')) {
    if (parts.status(`hostapd/${name}`) !== 0) continue
    const radio =
      radios.find(one => one.interface === name) ?? radios.find(one => name.startsWith(one.interface ?? '?'))
    const status = parseHostapdStatus(parts.text(`hostapd/${name}`), radio?.key ?? name)
    // Every BSS has a socket of its own, and each tells of all of them.
    for (const one of status.bss) if (!bss.some(known => known.key === one.key)) bss.push(one)
    if (!radio?.unmanaged) takeNeighbors(parts, bss, name)
    if (radio && radio.channel === undefined && status.channel) radio.channel = status.channel
    const mine = status.bss.find(one => one.key === name) ?? status.bss[0]
    stations.push(...takeStations(parts, bss, name, mine?.key))
  }
  return { bss, stations }
}
