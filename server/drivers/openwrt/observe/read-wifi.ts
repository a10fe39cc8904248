import type { Bss, Radio, Station } from '../../observation'
import { bandOf } from '../../unix/band'
import { neighborElement, neighborsOf } from '../../unix/hostapd'
import { clean, list, mac, number, present, record } from '../../unix/text'
import { prefix } from '../uci/package'
import type { Reader } from '../uci/ubus'

export type Wifi = { radios: Radio[]; bss: Bss[]; stations: Station[]; interfaces: Set<string> }
type Table = Record<string, unknown>
type AccessPoint = {
  radio: string
  name: string
  section?: string
  config: Table
  status?: Table
  info?: Table
  clients?: Table
  assoc?: Table
  neighbors?: Bss['neighbors']
}

/** Access points of `network.wireless status`. Names are the device's: wlan0 up to 22.03, phy0-ap0 later. */
function accessPoints(wireless: Table): AccessPoint[] {
  return Object.entries(wireless).flatMap(([radio, value]) =>
    list(record(value).interfaces, 64)
      .map(record)
      .flatMap(entry => {
        const name = clean(entry.ifname, 32)
        const config = record(entry.config)
        return name && config.mode === 'ap' ? [{ radio, name, section: clean(entry.section, 64), config }] : []
      }),
  )
}

/** The last of an entry that hostapd gives of a neighbor: [BSSID, SSID, element]. */
const elementOf = (entry: unknown): string[] => {
  const element = list(entry, 3)[2]
  return typeof element === 'string' && neighborElement.test(element) ? [element] : []
}

/** Of a network of ours with 802.11k; where usteer runs, the lists are its own. */
async function askNeighbors(reader: Reader, { name, section, config }: AccessPoint): Promise<Bss['neighbors']> {
  const isOn = config.ieee80211k === true || config.ieee80211k === '1'
  if (!isOn || !section?.startsWith(prefix) || reader.objects.has('usteer')) return undefined
  const own = await reader.ubus(`hostapd.${name}`, 'rrm_nr_get_own')
  const others = await reader.ubus(`hostapd.${name}`, 'rrm_nr_list')
  return neighborsOf(elementOf(own?.value)[0], list(others?.list, 200).flatMap(elementOf))
}

async function ask(reader: Reader, one: AccessPoint): Promise<AccessPoint> {
  const [status, clients, info, assoc, neighbors] = await Promise.all([
    reader.ubus(`hostapd.${one.name}`, 'get_status'),
    reader.ubus(`hostapd.${one.name}`, 'get_clients'),
    reader.ubus('iwinfo', 'info', { device: one.name }),
    reader.ubus('iwinfo', 'assoclist', { device: one.name }),
    askNeighbors(reader, one),
  ])
  return { ...one, status, clients, info, assoc, neighbors }
}

/** iwinfo's noise is an unsigned octet in places: 164 means -92 dBm. */
export const noise = (value: unknown): number | undefined => {
  const signed = number(value, -128, 255)
  if (signed === undefined || signed === 0) return undefined
  return signed > 127 ? signed - 256 : signed > 0 ? undefined : signed
}

const bands: Record<string, Radio['band']> = {
  '2g': '2g',
  '5g': '5g',
  '6g': '6g',
  '11g': '2g',
  '11b': '2g',
  '11a': '5g',
}

function radioOf(key: string, value: Table, points: AccessPoint[]): Radio {
  const config = record(value.config)
  const { info, status } = points.find(point => point.radio === key && (point.info || point.status)) ?? {}
  const mode = String(info?.htmode ?? config.htmode ?? '')
  const airtime = number(record(status?.airtime).utilization, 0, 255)
  const configured = clean(config.country, 2)
  const country = clean(info?.country, 2) ?? configured
  return present<Radio>({
    key,
    name: key,
    band: bandOf(number(info?.frequency ?? status?.freq, 1)) ?? bands[String(config.band ?? config.hwmode)],
    channel: number(info?.channel ?? status?.channel, 1, 233) ?? number(config.channel, 1, 233),
    widthMhz: number(/(\d+)(?:\+80)?$/.exec(mode)?.[1], 20, 320),
    txPowerDbm: number(info?.txpower, -30, 50),
    country: country && /^[A-Z]{2}$/.test(country) ? country : undefined,
    configuredCountry: configured,
    noiseDbm: noise(info?.noise),
    utilizationPercent: airtime === undefined ? undefined : Math.round((airtime / 255) * 100),
    up: value.up === true && value.disabled !== true,
  })
}

/** Those that hostapd let in, by address: one that went on to another access point stays in its table for minutes. */
const clientsIn = (clients: Table | undefined): [address: string, client: Table][] =>
  Object.entries(record(clients?.clients))
    .map(([address, value]): [string, Table] => [address, record(value)])
    .filter(([, client]) => client.assoc !== false && client.authorized !== false)

function bssOf({ radio, name, config, status, clients, neighbors }: AccessPoint): Bss {
  return present<Bss>({
    key: name,
    radio,
    interface: name,
    ssid: clean(status?.ssid ?? config.ssid, 64) ?? '',
    bssid: mac(status?.bssid),
    up: status?.status === 'ENABLED' || (status !== undefined && status.status === undefined),
    clients: clients ? clientsIn(clients).length : undefined,
    neighbors,
  })
}

/** kbit/s, as hostapd and iwinfo give it, in bit/s. */
const rate = (value: unknown) => {
  const kilobits = number(value, 1)
  return kilobits && kilobits * 1_000
}

/** Frames sent again, of all that were sent. */
function retries(sent: Table): number | undefined {
  const [again, once] = [number(sent.retries), number(sent.packets)]
  return again === undefined || !once ? undefined : Math.round((again / (again + once)) * 100)
}

function stationsOf({ name, config, status, clients, assoc }: AccessPoint): Station[] {
  const seen = new Map(list(assoc?.results, 2_000).map(entry => [mac(record(entry).mac), record(entry)]))
  return clientsIn(clients)
    .slice(0, 2_000)
    .flatMap(([address, client]) => {
      const owner = mac(address)
      if (!owner) return []
      const more = seen.get(owner)
      const rates = record(client.rate)
      const bytes = record(client.bytes)
      return [
        present<Station>({
          mac: owner,
          bss: name,
          ssid: clean(status?.ssid ?? config.ssid, 64),
          signalDbm: number(client.signal ?? more?.signal, -120, -1),
          rxRate: rate(rates.rx ?? record(more?.rx).rate),
          txRate: rate(rates.tx ?? record(more?.tx).rate),
          rxBytes: number(bytes.rx ?? record(more?.rx).bytes),
          txBytes: number(bytes.tx ?? record(more?.tx).bytes),
          connectedSeconds: number(more?.connected_time),
          retryPercent: retries(record(more?.tx)),
          silentMs: number(more?.inactive),
        }),
      ]
    })
}

/** Radios, their access points and stations; undefined where the system has no wireless at all. */
export async function readWifi(reader: Reader): Promise<Wifi | undefined> {
  const wireless = await reader.ubus('network.wireless', 'status')
  if (!wireless || Object.keys(wireless).length === 0) return undefined
  const points = await Promise.all(accessPoints(wireless).map(point => ask(reader, point)))
  // One of 802.11be is on the air of several radios under one name (25.12: `ap-mld0`).
  const once = points.filter(({ name }, at) => points.findIndex(one => one.name === name) === at)
  return {
    radios: Object.entries(wireless)
      .slice(0, 16)
      .map(([key, value]) => radioOf(clean(key, 32) ?? '', record(value), points)),
    bss: once.map(bssOf),
    stations: once.flatMap(stationsOf),
    interfaces: new Set(points.map(point => point.name)),
  }
}
