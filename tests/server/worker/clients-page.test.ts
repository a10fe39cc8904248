import type { Client } from '@/server/worker/clients-merge'
import { type ClientQuery, clientPage } from '@/server/worker/clients-page'
import { randomOf } from '../../soak/random'

const client = (mac: string, parts: Partial<Client> = {}): Client => ({ mac, wifi: false, since: 0, ...parts })
type Days = Record<string, { down?: number; up?: number }>
const ask = (clients: Client[], query: Partial<ClientQuery> = {}, days: Days = {}) =>
  clientPage(clients, { network: 1, page: 1, pageSize: 10, ...query }, mac => days[mac] ?? {})
const macs = (clients: Client[], query: Partial<ClientQuery> = {}, days: Days = {}) =>
  ask(clients, query, days).result.map(one => one.mac)

test('clients are sorted by name as people count, the nameless last in both directions', () => {
  const clients = [client('a'), client('b', { name: 'AP 10' }), client('c', { name: 'ap 9' })]
  expect(macs(clients)).toEqual(['c', 'b', 'a'])
  expect(macs(clients, { sort: { field: 'name', direction: 'desc' } })).toEqual(['b', 'c', 'a'])
})

test('equal ones, whatever the case of their letters, stand by their MAC, in either direction', () => {
  const clients = ['c', 'a', 'b'].map(mac => client(mac, { ssid: 'office' }))
  expect(macs(clients, { sort: { field: 'ssid', direction: 'desc' } })).toEqual(['a', 'b', 'c'])
  expect(macs([client('b', { name: 'printer' }), client('a', { name: 'Printer' })])).toEqual(['a', 'b'])
})

test('traffic is what went both ways in the last day, and unknown comes last', () => {
  const clients = ['d', 'c', 'b', 'a'].map(mac => client(mac))
  const days = { a: { down: 1, up: 100 }, b: { down: 50 }, c: { up: 0 } }
  expect(macs(clients, { sort: { field: 'traffic', direction: 'desc' } }, days)).toEqual(['a', 'b', 'c', 'd'])
  expect(macs(clients, { sort: { field: 'traffic', direction: 'asc' } }, days)).toEqual(['c', 'b', 'a', 'd'])
  expect(ask(clients, {}, days).result.map(one => one.day)).toEqual([days.a, days.b, days.c, undefined])
})

test('the rate is what goes both ways now, of one who moves nothing, too', () => {
  const clients = [client('c'), client('b', { downBps: 0, upBps: 0 }), client('a', { downBps: 5, upBps: 50 })]
  expect(macs(clients, { sort: { field: 'rate', direction: 'desc' } })).toEqual(['a', 'b', 'c'])
})

test.each([
  ['5C:CB:99', ['5c:cb:99:4e:21:b7']],
  ['5ccb99', ['5c:cb:99:4e:21:b7']],
  ['5c-cb-99-4e-21-b7', ['5c:cb:99:4e:21:b7']],
  ['994e.21b7', ['5c:cb:99:4e:21:b7']],
  ['VLAN 20', ['02:00:00:00:00:01']],
  ['20', ['02:00:00:00:00:01']],
  ['sw1', ['02:00:00:00:00:02']],
])('a client is found by its MAC however it is written, its VLAN and its device: %s', (search, expected) => {
  const clients = [
    client('5c:cb:99:4e:21:b7', { name: 'a' }),
    client('02:00:00:00:00:01', { name: 'b', vlan: 20 }),
    client('02:00:00:00:00:02', { name: 'c', device: 7 }),
  ]
  const onDevices = search === 'sw1' ? [7] : []
  expect(macs(clients, { search, onDevices })).toEqual(expected)
})

test('the text searched for is found in name, address, MAC, SSID and port, whatever its case', () => {
  const clients = [
    client('02:aa', { name: 'Printer' }),
    client('02:bb', { address: '10.0.0.7' }),
    client('02:cc', { ssid: 'Print' }),
    client('02:dd', { port: 'lan7' }),
  ]
  expect(macs(clients, { search: 'PRINT' })).toEqual(['02:aa', '02:cc'])
  expect(macs(clients, { search: '7' })).toEqual(['02:bb', '02:dd'])
  expect(macs(clients, { search: '02:' })).toHaveLength(4)
})

test('of one device only its own, of none in particular all', () => {
  const clients = [client('a', { device: 1 }), client('b', { device: 2 }), client('c')]
  expect(macs(clients, { device: 2 })).toEqual(['b'])
  expect(macs(clients)).toEqual(['a', 'b', 'c'])
})

test('of one port of a device only those on it', () => {
  const clients = [
    client('a', { device: 1, port: 'lan1' }),
    client('b', { device: 1, port: 'lan11' }),
    client('c', { device: 2, port: 'lan1' }),
  ]
  expect(macs(clients, { device: 1, port: 'lan1' })).toEqual(['a'])
})

test('of Wi-Fi alone, of some MACs alone, and how many there are of each', () => {
  const clients = [client('a', { wifi: true }), client('b'), client('c', { wifi: true })]
  expect(ask(clients, { wifi: true })).toMatchObject({ total: 2, counts: { wifi: 2, wired: 1 } })
  expect(macs(clients, { wifi: false })).toEqual(['b'])
  expect(macs(clients, { macs: ['c', 'x'] })).toEqual(['c'])
})

test('a name that a person gave counts, and what else is known of a client is found', () => {
  const clients = [client('a', { name: 'android-4f1c' }), client('b')]
  const names = new Map([['a', 'Till']])
  expect(ask(clients, { names, search: 'till' }).result).toMatchObject([{ mac: 'a', name: 'Till' }])
  expect(macs(clients, { names, search: 'android' })).toEqual([])
  expect(macs(clients, { search: 'apple', also: ['b'] })).toEqual(['b'])
})

test('a page beyond the end is the last one; of no clients there is one empty page', () => {
  const clients = ['a', 'b', 'c'].map(mac => client(mac))
  expect(ask(clients, { page: 9, pageSize: 2 })).toMatchObject({ result: [{ mac: 'c' }], total: 3, page: 2 })
  expect(ask([], { page: 9 })).toEqual({
    ...{ result: [], total: 0, page: 1, pageSize: 10 },
    counts: { wifi: 0, wired: 0 },
  })
})

test('one of the first pages of many clients is what the order of all of them has there', () => {
  const random = randomOf(20_261_126)
  const below = (count: number) => Math.floor(random() * count)
  const many = Array.from({ length: 3000 }, (_, at) =>
    client(`02:00:00:00:${at >> 8}:${at & 255}`, {
      ...(random() < 0.7 && { name: `pc ${below(200)}`, address: `10.0.0.${below(255)}` }),
      ...(random() < 0.5 && { signalDbm: -below(90), downBps: below(1000) }),
    }),
  )
  const days = Object.fromEntries(many.flatMap(one => (random() < 0.5 ? [[one.mac, { down: below(1000) }]] : [])))
  for (const field of ['mac', 'name', 'address', 'signal', 'rate', 'traffic', 'since', 'ssid', 'nothing'])
    for (const direction of ['asc', 'desc'] as const) {
      const sort = { field, direction }
      const all = macs(many, { sort, pageSize: 3000 }, days)
      for (const page of [1, 2, 7, 8]) {
        const shown = macs(many, { sort, page, pageSize: 20 }, days)
        expect(shown).toEqual(all.slice((page - 1) * 20, page * 20))
      }
    }
})
