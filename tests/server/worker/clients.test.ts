import type { Observation } from '@/server/drivers/observation'
import { internText } from '@/server/kernel/intern'
import { countClients, createClients, freshFor } from '@/server/worker/clients'

afterEach(() => jest.useRealTimers())

const facts = { kind: 'switch', capabilities: [] } as const
const one = { id: 1, network: 1, kind: 'switch' } as const
const two = { id: 2, network: 1, kind: 'switch' } as const
const reading = (mac: string, hosts: string[]): Observation => ({
  takenAt: Date.now(),
  depth: 'full',
  facts: { ...facts, capabilities: [] },
  interfaces: [{ key: '1', name: 'port1', type: 'ethernet', mac }],
  hosts: hosts.map(host => ({ mac: host, port: '1', source: 'fdb' })),
})

test('a client that turns out to be a managed device is none any more, and is one again when that is gone', () => {
  jest.useFakeTimers()
  const clients = createClients()
  const macs = () => {
    jest.advanceTimersByTime(31_000)
    return clients
      .list({ network: 1, page: 1, pageSize: 20 })
      .result.map(client => client.mac)
      .sort()
  }
  const [a, b] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b']
  clients.update(one, reading('02:00:00:00:01:00', [a, b]))
  expect(macs()).toEqual([a, b])
  clients.update(two, reading('02:00:00:00:02:00', []))
  expect(macs()).toEqual([a, b])
  clients.update(two, reading(b, []))
  expect(macs()).toEqual([a])
  clients.drop(two.id)
  expect(macs()).toEqual([a, b])
})

test('a client is shown with its IPv4 address, wherever it is told', () => {
  const clients = createClients()
  const mac = '02:00:00:00:00:0a'
  const seen = reading('02:00:00:00:01:00', [])
  clients.update(one, { ...seen, hosts: [{ mac, address: 'fe80::a', port: '1', source: 'both' }] })
  clients.update(two, { ...reading('02:00:00:00:02:00', []), leases: [{ mac, address: '10.77.0.50' }] })
  expect(clients.list({ network: 1, page: 1, pageSize: 20 }).result).toMatchObject([{ mac, address: '10.77.0.50' }])
})

test('texts that devices choose are shared, and no device can fill the memory with them', () => {
  const wrong = Array.from({ length: 100_000 }, (_, i) => `port ${i}`).filter(text => internText(text) !== text)
  expect(wrong).toEqual([])
  const long = 'x'.repeat(2000)
  expect(internText(long)).toBe(long)
})

test('a large network is put together again the later the longer it takes, within three seconds and half a minute', () => {
  expect([0, 15, 50, 150, 1000].map(freshFor)).toEqual([3000, 3000, 10_000, 30_000, 30_000])
})

test('a wired client is there since it was first seen, and anew once it was gone', () => {
  jest.useFakeTimers({ now: 1_800_000_000_000 })
  const clients = createClients()
  const mac = '02:00:00:00:00:0a'
  const since = () => {
    jest.advanceTimersByTime(31_000)
    return clients.list({ network: 1, page: 1, pageSize: 20 }).result.map(client => client.since)
  }
  const first = Date.now()
  clients.update(one, reading('02:00:00:00:01:00', [mac]))
  expect(since()).toEqual([first])
  clients.update(one, reading('02:00:00:00:01:00', [mac]))
  expect(since()).toEqual([first])
  clients.update(one, reading('02:00:00:00:01:00', []))
  expect(since()).toEqual([])
  const again = Date.now()
  clients.update(one, reading('02:00:00:00:01:00', [mac]))
  expect(since()).toEqual([again])
})

test('stations that a controller only counts are clients of the Wi-Fi; networks that tell nothing have no counts', () => {
  const view = { device: 1, network: 1, kind: 'ap', at: 0, own: [], names: new Map(), wan: new Set<string>() } as const
  const named = () => [
    { mac: 'a', wifi: false, since: 0 },
    { mac: 'b', wifi: true, since: 0 },
  ]
  const countOf = (...parts: object[]) =>
    countClients(
      parts.map(part => ({ ...view, own: [], ...part })),
      named,
    )
  expect(countOf({})).toEqual({})
  expect(countOf({ hosts: [] }, { told: 7 })).toEqual({ total: 9, wired: 1, wifi: 8 })
  expect(countOf({ stations: [], told: 7 })).toEqual({ total: 2, wired: 1, wifi: 1 })
})
