import type { Octets } from '@/server/history/station-counters'
import type { TotalOf } from '@/server/history/stations'
import { digitsOf, vlanOf } from './client-text'
import type { Client } from './clients-merge'

// One page of a network's end devices: searched, sorted and cut. Pure.

export type ClientQuery = {
  network: number
  device?: number
  ssid?: string
  /** As the device calls it. */
  port?: string
  /** On Wi-Fi alone, or by wire alone. */
  wifi?: boolean
  /** These alone. */
  macs?: readonly string[]
  search?: string
  /** MACs that hold what is searched for in what is stored of them. */
  also?: readonly string[]
  /** Devices that hold it in their names. */
  onDevices?: readonly number[]
  /** Names that people gave, by MAC: they count instead of what a client calls itself. */
  names?: ReadonlyMap<string, string>
  sort?: { field: string; direction: 'asc' | 'desc' }
  page: number
  pageSize: number
}
/** `day`: octets to and from it in the last day, each absent where nobody told. */
export type PageClient = Client & { day?: Octets }
export type ClientPage = {
  result: PageClient[]
  total: number
  page: number
  pageSize: number
  /** Of those that all but `wifi` leaves: how many are on Wi-Fi, and how many by wire. */
  counts: { wifi: number; wired: number }
}

const columns: Record<string, (client: Client) => string | number | undefined> = {
  mac: one => one.mac,
  name: one => one.name?.toLowerCase(),
  address: one => one.address,
  ssid: one => one.ssid,
  port: one => one.port,
  since: one => one.since,
  signal: one => one.signalDbm,
  rate: one => sumOf(one.downBps, one.upBps),
}
const sumOf = (down: number | undefined, up: number | undefined) =>
  down === undefined && up === undefined ? undefined : (down ?? 0) + (up ?? 0)
/** By what each moved in the last day. */
const trafficColumn =
  (dayOf: TotalOf) =>
  ({ mac }: Client): number | undefined => {
    const { down, up } = dayOf(mac)
    return sumOf(down, up)
  }

// Made once: a comparison by the language's own function looks its rules up each time.
const byText = new Intl.Collator('en', { numeric: true })

/** Unknown values come last in both directions. */
function compare(a: string | number | undefined, b: string | number | undefined, direction: number): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction
  return byText.compare(String(a), String(b)) * direction
}

/** Whether a client hangs on the device, port and SSID asked for, and the text searched for is in one of its columns. */
function matcher({ device, ssid, port, search, macs, also, onDevices }: ClientQuery): (client: Client) => boolean {
  const text = search?.trim().toLowerCase() ?? ''
  const [only, known, on] = [macs && new Set(macs), new Set(also), new Set<number | undefined>(onDevices)]
  const [digits, vlan] = [digitsOf(text), vlanOf(text)]
  const isNumber = (one: Client) =>
    (vlan !== undefined && one.vlan === vlan) || (digits !== undefined && one.mac.replaceAll(':', '').includes(digits))
  const hasText = (value: string | undefined) => value?.toLowerCase().includes(text)
  return client =>
    (device === undefined || client.device === device) &&
    (ssid === undefined || client.ssid === ssid) &&
    (port === undefined || client.port === port) &&
    (!only || only.has(client.mac)) &&
    (!text ||
      known.has(client.mac) ||
      on.has(client.device) ||
      isNumber(client) ||
      [client.mac, client.name, client.address, client.ssid, client.port, ...(client.addresses ?? [])].some(hasText))
}

/** Under the names that people gave. */
function* named(clients: Iterable<Client>, names: ReadonlyMap<string, string>): Iterable<Client> {
  for (const client of clients) {
    const name = names.get(client.mac)
    yield name === undefined ? client : { ...client, name }
  }
}

/** What a row is sorted by is worked out once. */
type Keyed = { client: Client; key: string | number | undefined }
type Order = (a: Keyed, b: Keyed) => number

/** The first `count` of the rows in order. A page of twenty out of a hundred thousand needs no order of all of them. */
function firstOf(rows: Keyed[], count: number, order: Order): Keyed[] {
  if (count > rows.length / 20) return rows.sort(order).slice(0, count)
  const found = rows.slice(0, count).sort(order)
  for (const row of rows.slice(count)) {
    const last = found.at(-1)
    if (!last || order(row, last) >= 0) continue
    found.pop()
    const place = found.findIndex(other => order(row, other) < 0)
    found.splice(place === -1 ? found.length : place, 0, row)
  }
  return found
}

/** The page asked for; the last one where there are not so many. By name where no column is asked for. */
export function clientPage(clients: Iterable<Client>, query: ClientQuery, dayOf: TotalOf = () => ({})): ClientPage {
  const found = [...(query.names?.size ? named(clients, query.names) : clients)].filter(matcher(query))
  const wifi = found.filter(one => one.wifi).length
  const rows = query.wifi === undefined ? found : found.filter(one => one.wifi === query.wifi)
  const field = query.sort?.field ?? 'name'
  const column = field === 'traffic' ? trafficColumn(dayOf) : (columns[field] ?? (() => undefined))
  const direction = query.sort?.direction === 'desc' ? -1 : 1
  const order: Order = (a, b) => compare(a.key, b.key, direction) || (a.client.mac < b.client.mac ? -1 : 1)
  const page = Math.min(query.page, Math.max(1, Math.ceil(rows.length / query.pageSize)))
  const from = (page - 1) * query.pageSize
  const withDay = (one: Client): PageClient => {
    const day = dayOf(one.mac)
    return sumOf(day.down, day.up) === undefined ? one : { ...one, day }
  }
  const keyed = rows.map(client => ({ client, key: column(client) }))
  const result = firstOf(keyed, from + query.pageSize, order)
    .slice(from)
    .map(one => withDay(one.client))
  return { result, total: rows.length, page, pageSize: query.pageSize, counts: { wifi, wired: found.length - wifi } }
}

/** How many clients hang on each device, and how many are on each SSID. */
export type ClientPlaces = { devices: { device: number; count: number }[]; ssids: { ssid: string; count: number }[] }

export function clientPlaces(clients: Iterable<Client>): ClientPlaces {
  const [devices, ssids] = [new Map<number, number>(), new Map<string, number>()]
  for (const { device, ssid } of clients) {
    if (device !== undefined) devices.set(device, (devices.get(device) ?? 0) + 1)
    if (ssid !== undefined) ssids.set(ssid, (ssids.get(ssid) ?? 0) + 1)
  }
  return {
    devices: [...devices].map(([device, count]) => ({ device, count })),
    ssids: [...ssids].map(([ssid, count]) => ({ ssid, count })),
  }
}
