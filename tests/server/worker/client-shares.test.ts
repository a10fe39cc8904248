import { airOf, bandChannels, busiestAir } from '@/server/worker/channel-use'
import { clientShares } from '@/server/worker/client-shares'
import type { View } from '@/server/worker/client-view'
import type { Client } from '@/server/worker/clients-merge'

const view = (device: number, more: Partial<View>): View =>
  ({ device, network: 1, kind: 'ap', at: 0, names: new Map(), wan: new Set(), ...more }) as View
const client = (mac: string, more: Partial<Client>): Client => ({ mac, wifi: true, since: 0, ...more })

const radios = [
  { key: 'r0', name: 'radio0', band: '2g' as const, channel: 6, utilizationPercent: 40 },
  { key: 'r1', name: 'radio1', band: '5g' as const, channel: 36 },
]
const bss = [
  { key: 'b0', radio: 'r0', ssid: 'Home', up: true },
  { key: 'b1', radio: 'r1', ssid: 'Home', up: true },
]

test('clients are counted by the band of the radio that they are on, by SSID, and by wire', () => {
  const stations = [
    { mac: 'a', bss: 'b0' },
    { mac: 'b', bss: 'b1' },
    { mac: 'c', bss: 'b1' },
    { mac: 'd', bss: 'gone' },
  ]
  const clients = [
    ...['a', 'b', 'c'].map(mac => client(mac, { device: 1, ssid: 'Home' })),
    client('d', { device: 1 }),
    client('e', { wifi: false }),
  ]
  expect(clientShares([view(1, { stations, bss, radios })], clients, true)).toEqual({
    told: true,
    wired: 1,
    bands: [
      { band: '2g', clients: 1 },
      { band: '5g', clients: 2 },
      { band: null, clients: 1 },
    ],
    ssids: [
      { ssid: 'Home', clients: 3 },
      { ssid: null, clients: 1 },
    ],
  })
})

test('a controller that only counts its clients has them on the SSIDs it says, the rest on none that is known', () => {
  const counted = [{ ...bss[0], clients: 3 } as (typeof bss)[number]]
  const shares = clientShares([view(1, { told: 5, bss: counted, radios })], [], true)
  expect(shares.bands).toEqual([
    { band: '2g', clients: 3 },
    { band: null, clients: 2 },
  ])
  expect(shares.ssids).toEqual([
    { ssid: 'Home', clients: 3 },
    { ssid: null, clients: 2 },
  ])
})

test('channels are counted by band; the radio that finds a channel busiest tells how busy it is; one that is off has none', () => {
  const other = [
    { key: 'r0', name: 'radio0', band: '2g' as const, channel: 6, utilizationPercent: 70 },
    { key: 'r1', name: 'radio1', band: '5g' as const, channel: 44, up: false },
  ]
  const of = (all: typeof radios | typeof other) => ({ radios: all, air: airOf(all) })
  expect(bandChannels([of(radios), of(other), {}])).toEqual([
    { band: '2g', channels: [{ channel: 6, radios: 2, utilizationPercent: 70 }] },
    { band: '5g', channels: [{ channel: 36, radios: 1 }] },
  ])
})

test('the busiest air is that of radios that are on and tell; none where no such radio is', () => {
  const radio = (utilizationPercent: number | undefined, up?: boolean) => ({
    ...{ key: 'r', name: 'r' },
    ...(utilizationPercent !== undefined && { utilizationPercent }),
    ...(up !== undefined && { up }),
  })
  expect(busiestAir([radio(40), radio(71, true), radio(99, false), radio(255), radio(undefined)])).toBe(71)
  expect(busiestAir([radio(0)])).toBe(0)
  expect(busiestAir([radio(undefined), radio(50, false)])).toBeUndefined()
  expect(busiestAir([])).toBeUndefined()
})
