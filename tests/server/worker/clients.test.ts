import { networkInterfaces } from 'node:os'
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

test.each([
  ['00:00:5e:00:01:0a', 0],
  ['00:00:5e:00:02:0a', 0],
  ['00:00:0c:07:ac:01', 0],
  ['00:00:0c:9f:f0:01', 0],
  ['00:07:b4:00:01:02', 0],
  ['01:00:5e:00:00:01', 0],
  ['33:33:00:00:00:01', 0],
  ['00:00:00:00:00:00', 0],
  // The same makers, and whose numbers routers take theirs from.
  ['00:00:5e:00:53:0a', 1],
  ['00:00:0c:07:ad:01', 1],
  ['00:00:0c:9f:01:01', 1],
  ['00:07:b4:01:01:02', 1],
])('%s, in a forwarding table and as an address, is a client or none: %i', (mac, count) => {
  const clients = createClients()
  const hosts = [{ mac, address: '10.0.0.1', port: '1', source: 'both' as const }]
  clients.update(one, { ...reading('02:00:00:00:01:00', []), hosts })
  expect(clients.list({ network: 1, page: 1, pageSize: 20 }).total).toBe(count)
})

test('a managed device is no client, answering or not, nor is the manager by any address of its machine', () => {
  const clients = createClients()
  const [late, silent, client] = ['02:00:00:00:00:0c', '02:00:00:00:02:00', '02:00:00:00:00:0a']
  const manager =
    Object.values(networkInterfaces())
      .flatMap(one => one ?? [])
      .find(one => !one.internal)?.mac ?? '00:00:00:00:00:00'
  const macs = () => clients.list({ network: 1, page: 1, pageSize: 20 }).result.map(one => one.mac)
  // Known by the manager, and never heard since its start.
  clients.know({ id: 3, network: 1, mac: late.toUpperCase() })
  clients.update(two, reading(silent, []))
  clients.silence(two.id)
  clients.update(one, reading('02:00:00:00:01:00', [late, silent, client, manager]))
  expect(macs()).toEqual([client])
  expect(clients.counts(1)).toMatchObject({ total: 1 })
  expect(clients.byDevice(1).get(one.id)).toMatchObject({ clients: 1 })
})

test('a client is shown with its IPv4 address, wherever it is told', () => {
  const clients = createClients()
  const mac = '02:00:00:00:00:0a'
  const seen = reading('02:00:00:00:01:00', [])
  clients.update(one, { ...seen, hosts: [{ mac, address: 'fe80::a', port: '1', source: 'both' }] })
  clients.update(two, { ...reading('02:00:00:00:02:00', []), leases: [{ mac, address: '10.77.0.50' }] })
  expect(clients.list({ network: 1, page: 1, pageSize: 20 }).result).toMatchObject([{ mac, address: '10.77.0.50' }])
})

test('a client in two VLANs is one, at the same place whatever comes first, and has all its addresses', () => {
  jest.useFakeTimers()
  const clients = createClients()
  const mac = '02:00:00:00:00:0a'
  const hosts = [
    { mac, address: '2001:db8::5', port: '1', vlan: 10, source: 'both' as const },
    { mac, address: '10.0.20.5', port: '2', vlan: 20, source: 'both' as const },
    { mac, address: '10.0.10.5', port: '1', vlan: 10, source: 'both' as const },
    // What it had before.
    { mac, address: '10.0.10.4', source: 'arp' as const, stale: true as const },
  ]
  const addresses = ['10.0.10.5', '10.0.20.5', '2001:db8::5']
  for (const told of [hosts, hosts.toReversed()]) {
    clients.update(one, { ...reading('02:00:00:00:01:00', []), hosts: told })
    jest.advanceTimersByTime(31_000)
    for (const search of ['', '10.0.20.5', '2001:db8::5']) {
      const { result } = clients.list({ network: 1, search, page: 1, pageSize: 20 })
      expect(result).toMatchObject([{ mac, vlan: 10, address: '10.0.10.5', addresses }])
    }
    expect(clients.list({ network: 1, search: '10.0.10.4', page: 1, pageSize: 20 }).total).toBe(0)
  }
})

test('a client has as many addresses as fit a list, and one alone is no list', () => {
  const clients = createClients()
  const many = Array.from({ length: 300 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
  const [router, phone] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b']
  const hosts = many.map(address => ({ mac: router, address, port: '1', source: 'both' as const }))
  const own = { mac: phone, address: '10.1.0.1', port: '1', source: 'both' as const }
  clients.update(one, { ...reading('02:00:00:00:01:00', []), hosts: [...hosts, own] })
  const { result } = clients.list({ network: 1, sort: { field: 'mac', direction: 'asc' }, page: 1, pageSize: 20 })
  expect(result.map(client => client.addresses?.length)).toEqual([16, undefined])
})

test('a stale address names and addresses a client that something else shows, and makes none by itself', () => {
  jest.useFakeTimers()
  const clients = createClients()
  const [gone, here, moved] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b', '02:00:00:00:00:0c'] as const
  const stale = (mac: string, address: string) => ({ mac, address, source: 'arp' as const, stale: true as const })
  const rows = () => {
    jest.advanceTimersByTime(31_000)
    const { result } = clients.list({ network: 1, page: 1, pageSize: 20 })
    return result.map(one => [one.mac, one.address, one.device, one.name])
  }
  clients.update(one, {
    ...reading('02:00:00:00:01:00', []),
    hosts: [
      stale(gone, '10.0.0.10'),
      { ...stale(here, '10.0.0.11'), hostname: 'printer' },
      stale(moved, '10.0.0.12'),
      { mac: moved, address: '10.0.0.99', source: 'arp' },
    ],
    leases: [{ mac: gone, address: '10.0.0.10' }],
  })
  clients.update(two, reading('02:00:00:00:02:00', [here]))
  expect(rows()).toEqual([
    [here, '10.0.0.11', two.id, 'printer'],
    [moved, '10.0.0.99', one.id, undefined],
  ])
  expect(clients.counts(1).total).toBe(2)
})

test('tables that forget at different times move nobody: the best evidence holds until better, or as good, is elsewhere', () => {
  jest.useFakeTimers({ now: 1_800_000_000_000 })
  const clients = createClients()
  const mac = '02:00:00:00:00:0a'
  const gateway = { id: 3, network: 1, kind: 'gateway' } as const
  const place = () => {
    jest.advanceTimersByTime(31_000)
    const { result } = clients.list({ network: 1, page: 1, pageSize: 20 })
    return result.map(client => `${client.device} ${client.port ?? client.ssid}`)
  }
  const sees = (device: Parameters<typeof clients.update>[0], more: Partial<Observation>) =>
    clients.update(device, { ...reading(`02:00:00:00:0${device.id}:00`, []), ...more })
  const onPort: Observation['hosts'] = [{ mac, port: '1', source: 'fdb' }]
  const link = { mac: '02:00:00:00:02:00', port: '1', source: 'fdb' as const }
  const known: Observation['hosts'] = [{ mac, address: '10.0.0.9', port: 'br0', source: 'arp' }]
  sees(gateway, { hosts: known })
  sees(two, {})
  expect(place()).toEqual(['3 br0'])
  sees(two, { hosts: onPort })
  expect(place()).toEqual(['2 port1'])
  // Two forgets, one saw it pass by on its way to two.
  sees(two, {})
  expect(place()).toEqual(['2 port1'])
  sees(one, { hosts: [...onPort, link] })
  expect(place()).toEqual(['2 port1'])
  clients.silence(two.id)
  expect(place()).toEqual(['2 port1'])
  sees(two, {})
  // It moved: as good as before.
  sees(one, { hosts: onPort })
  expect(place()).toEqual(['1 port1'])
  // To the Wi-Fi, and out of it: what others still have of it is no sign that it is there by wire.
  const bss = [{ key: 'wlan0', interface: 'wlan0', ssid: 'Café', up: true }]
  sees(two, { bss, stations: [{ mac, bss: 'wlan0' }] })
  expect(place()).toEqual(['2 Café'])
  sees(two, { bss, stations: [], hosts: [{ mac, port: 'wlan0', source: 'fdb' }] })
  sees(one, { hosts: [...onPort, link] })
  expect(place()).toEqual([])
  jest.advanceTimersByTime(600_000)
  sees(one, { hosts: [...onPort, link] })
  expect(place()).toEqual(['1 port1'])
  // Where the device that saw it is gone, what is left counts.
  clients.drop(one.id)
  expect(place()).toEqual(['3 br0'])
  sees(gateway, {})
  expect(place()).toEqual([])
})

test('whoever looks after an act sees what was read since, however shortly it was asked for before', () => {
  jest.useFakeTimers()
  const clients = createClients()
  const bss = [{ key: 'wlan0', interface: 'wlan0', ssid: 'Café', up: true }]
  const read = (...macs: string[]) =>
    clients.update(one, { takenAt: 1, depth: 'full', bss, stations: macs.map(mac => ({ mac, bss: 'wlan0' })) } as never)
  const total = () => clients.list({ network: 1, page: 1, pageSize: 20 }).total
  read('02:00:00:00:00:0a', '02:00:00:00:00:0b')
  expect(total()).toBe(2)
  read('02:00:00:00:00:0b')
  expect(total()).toBe(2)
  clients.renew(1)
  expect(total()).toBe(1)
})

test('a poll between full readings tells who is there, where it is told; names that it does not tell stay', () => {
  jest.useFakeTimers()
  const clients = createClients()
  const [a, b] = ['02:00:00:00:00:0a', '02:00:00:00:00:0b'] as const
  const rows = () => {
    jest.advanceTimersByTime(31_000)
    const { result } = clients.list({ network: 1, page: 1, pageSize: 20, sort: { field: 'mac', direction: 'asc' } })
    return result.map(one => [one.mac, one.name])
  }
  const poll = (...macs: string[]) => {
    const hosts = macs.map(mac => ({ mac, address: `10.0.0.${mac.slice(-1)}`, port: '1', source: 'both' as const }))
    clients.update(one, { takenAt: Date.now(), depth: 'counters', hosts })
  }
  const whole = reading('02:00:00:00:01:00', [])
  clients.update(one, { ...whole, hosts: [{ mac: a, address: '10.0.0.a', hostname: 'printer', source: 'arp' }] })
  expect(rows()).toEqual([[a, 'printer']])
  poll(a, b)
  expect(rows()).toEqual([
    [a, 'printer'],
    [b, undefined],
  ])
  poll(b)
  expect(rows()).toEqual([[b, undefined]])
  // A device whose polls do not ask for it.
  clients.update(one, { takenAt: Date.now(), depth: 'counters' })
  expect(rows()).toEqual([[b, undefined]])
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

test('a station that two access points list is one client, where it was heard last; it is counted there alone', () => {
  jest.useFakeTimers({ now: 1_800_000_000_000 })
  const mac = '02:00:00:00:00:0a'
  const clients = createClients()
  const read = (id: number, stations: Observation['stations']) =>
    clients.update({ id, network: 1, kind: 'ap' }, { ...reading(`02:00:00:00:0${id}:00`, []), stations })
  const shown = () => {
    jest.advanceTimersByTime(31_000)
    const { result } = clients.list({ network: 1, page: 1, pageSize: 20 })
    return [result.map(client => client.device), ...[1, 2].map(id => clients.byDevice(1).get(id)?.wifi)]
  }
  const station = (connectedSeconds: number, silentMs?: number) => [
    { mac, ssid: 'Café', connectedSeconds, ...(silentMs !== undefined && { silentMs }) },
  ]
  read(2, [])
  read(1, station(600, 100))
  expect(shown()).toEqual([[1], 1, 0])
  // It went on; where it was before is read last.
  read(2, station(20, 100))
  read(1, station(620, 20_100))
  expect(shown()).toEqual([[2], 0, 1])
  // And came back: the first goes on counting since it joined there for the first time.
  read(2, station(60, 5000))
  read(1, station(680, 100))
  read(2, station(90, 35_000))
  expect(shown()).toEqual([[1], 1, 0])
  // One that tells neither is no match for one that does, whichever is read last.
  read(1, [{ mac, ssid: 'Café' }])
  expect(shown()).toEqual([[2], 0, 1])
  // Access points that do not tell when they heard of it: where it joined last.
  read(1, station(700))
  read(2, station(3))
  read(1, station(710))
  expect(shown()).toEqual([[2], 0, 1])
})

test('of a thousand devices clients are put together beside the polls: the same, a moment later', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] })
  const clients = createClients()
  const macOf = (id: number, of: number) =>
    ['02:00:00', ...[id >> 8, id & 255, of].map(byte => byte.toString(16).padStart(2, '0'))].join(':')
  const read = (id: number, hosts: number) => {
    const learned = Array.from({ length: hosts }, (_, of) => macOf(id, of))
    clients.update({ ...one, id }, reading(macOf(id, 255), learned))
  }
  for (let id = 1; id <= 1200; id++) read(id, 2)
  const total = () => clients.list({ network: 1, page: 1, pageSize: 20 }).total
  const after = async (before: number) => {
    while (total() === before) await new Promise(go => setImmediate(go))
    return total()
  }
  expect(total()).toBe(2400)
  jest.advanceTimersByTime(31_000)
  read(7, 3)
  // What was there, until the new ones are put together; what comes meanwhile is in the next.
  expect(total()).toBe(2400)
  read(8, 3)
  expect(await after(2400)).toBe(2401)
  jest.advanceTimersByTime(31_000)
  expect(await after(2401)).toBe(2402)
})
