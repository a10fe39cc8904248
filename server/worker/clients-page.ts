import type { Client } from './clients-merge'

// One page of a network's end devices: searched, sorted and cut. Pure.

export type ClientQuery = {
  network: number
  device?: number
  search?: string
  sort?: { field: string; direction: 'asc' | 'desc' }
  page: number
  pageSize: number
}
export type ClientPage = { result: Client[]; total: number; page: number; pageSize: number }

const columns: Record<string, (client: Client) => string | number | undefined> = {
  mac: one => one.mac,
  name: one => one.name?.toLowerCase(),
  address: one => one.address,
  ssid: one => one.ssid,
  port: one => one.port,
  since: one => one.since,
  signal: one => one.signalDbm,
  traffic: one => (one.downOctets === undefined ? undefined : one.downOctets + (one.upOctets ?? 0)),
}

/** Unknown values come last in both directions. */
function compare(a: string | number | undefined, b: string | number | undefined, direction: number): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction
}

/** Whether a client hangs on the device asked for, and the text searched for is in one of its columns. */
function matcher({ device, search }: ClientQuery): (client: Client) => boolean {
  const text = search?.toLowerCase() ?? ''
  const hasText = (value: string | undefined) => value?.toLowerCase().includes(text)
  return client =>
    (device === undefined || client.device === device) &&
    (!text || [client.mac, client.name, client.address, client.ssid, client.port].some(hasText))
}

/** The page asked for; the last one where there are not so many. By name where no column is asked for. */
export function clientPage(clients: Iterable<Client>, query: ClientQuery): ClientPage {
  const rows = [...clients].filter(matcher(query))
  const column = columns[query.sort?.field ?? 'name'] ?? (() => undefined)
  const direction = query.sort?.direction === 'desc' ? -1 : 1
  rows.sort((a, b) => compare(column(a), column(b), direction) || a.mac.localeCompare(b.mac))
  const page = Math.min(query.page, Math.max(1, Math.ceil(rows.length / query.pageSize)))
  const from = (page - 1) * query.pageSize
  return { result: rows.slice(from, from + query.pageSize), total: rows.length, page, pageSize: query.pageSize }
}
