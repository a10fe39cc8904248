// What each Wi-Fi network carries and who is in it, from what the access points tell.
import { slotTotals } from '@/server/history/query'
import { countNetworks } from '@/server/worker/network-counts'
import { record } from '@/server/worker/record'
import { bandUse, wirelessNow } from '@/server/worker/wireless'
import { device, driverWith, entryWith, newLedger } from './_entry'

const minute = 60_000
const at = 1_800_000_000_000

/** A full reading of an access point: what each SSID's interface has counted so far. */
function reading(
  takenAt: number,
  ssids: Record<string, { up?: boolean; octets?: [number, number]; macs?: string[]; told?: number }>,
) {
  const all = Object.entries(ssids)
  return {
    takenAt,
    depth: 'full' as const,
    interfaces: all.map(([, { octets }], index) => ({
      key: `wlan${index}`,
      name: `wlan${index}`,
      type: 'wifi' as const,
      up: true,
      ...(octets && { counters: { bits: 64 as const, inOctets: octets[0], outOctets: octets[1] } }),
    })),
    bss: all.map(([ssid, { up = true, told }], index) => ({
      ...{ key: `wlan${index}`, interface: `wlan${index}`, ssid, up },
      ...(told !== undefined && { clients: told }),
    })),
    ...(all.some(([, { macs }]) => macs) && {
      stations: all.flatMap(([ssid, { macs = [] }], index) => macs.map(mac => ({ mac, ssid, bss: `wlan${index}` }))),
    }),
    radios: [
      { key: 'phy0', name: 'phy0', band: '2g' as const, channel: 6, widthMhz: 20, txPowerDbm: 20, up: true },
      { key: 'phy1', name: 'phy1', band: '5g' as const, channel: 36, widthMhz: 80, up: all.length > 1 },
    ],
  }
}

function setUp() {
  const { sinks } = newLedger()
  const entries = [1, 2, 3].map(id => entryWith({ device: device(id, { kind: 'ap' }), status: 1 }, driverWith(), id))
  const worker = { ...sinks, poller: { entries: new Map(entries.map(one => [one.device.id, one])) } }
  const poll = (id: number, ...given: Parameters<typeof reading>) => {
    const entry = entries[id - 1]
    if (entry) record(entry, reading(...given), sinks)
  }
  const now = (time: number) => {
    const { views, clients } = sinks.clients.seen(1)
    return wirelessNow(views, clients, { history: sinks.history, network: 1, now: time })
  }
  return { worker, sinks, poll, now }
}

test('an SSID has the clients of all that broadcast it; one that is down on a device is not served there', () => {
  const { poll, now } = setUp()
  poll(1, at, { Staff: { macs: ['02:00:00:00:00:01', '02:00:00:00:00:02'] }, Guests: {} })
  poll(2, at, { Staff: { macs: ['02:00:00:00:00:03'] }, Guests: { up: false } })
  poll(3, at, { Staff: { told: 7 } })
  expect(now(at).ssids).toEqual([
    { ssid: 'Staff', devices: [1, 2, 3], clients: 10 },
    { ssid: 'Guests', devices: [1], clients: 0 },
  ])
  expect(now(at).carriers).toEqual([1, 2, 3])
})

test('clients are not known where no access point tells them: that is not zero', () => {
  const { poll, now } = setUp()
  poll(1, at, { Staff: {} })
  expect(now(at).ssids).toEqual([{ ssid: 'Staff', devices: [1] }])
})

test('the traffic of a day is kept by SSID over all access points, to the clients and from them', () => {
  const { worker, sinks, poll, now } = setUp()
  for (const id of [1, 2]) poll(id, at, { Staff: { octets: [0, 0] }, Guests: {} })
  for (const id of [1, 2]) poll(id, at + minute, { Staff: { octets: [6000 * id, 60_000 * id] }, Guests: {} })
  countNetworks(worker, at + minute, minute)
  expect(slotTotals(sinks.history, { of: 'network', id: 1 }, '1d', at + minute)).toEqual([
    { inOctets: 18_000, outOctets: 180_000 },
  ])
  expect(now(at + minute).ssids).toEqual([
    { ssid: 'Staff', devices: [1, 2], downOctets: 180_000, upOctets: 18_000 },
    { ssid: 'Guests', devices: [1, 2] },
  ])
  // A day later nothing of it is in the last day.
  expect(slotTotals(sinks.history, { of: 'network', id: 1 }, '1d', at + 25 * 60 * minute)).toEqual([])
})

test('radios that are on are counted by what they use; one that is off is told apart', () => {
  const { poll, sinks } = setUp()
  poll(1, at, { Staff: {}, Guests: {} })
  poll(2, at, { Staff: {} })
  expect(bandUse(sinks.clients.seen(1).views)).toEqual([
    {
      ...{ band: '2g', on: 2, off: 0 },
      channels: [{ value: 6, radios: 2 }],
      widths: [{ value: 20, radios: 2 }],
      powers: [{ value: 20, radios: 2 }],
    },
    { band: '5g', on: 1, off: 1, channels: [{ value: 36, radios: 1 }], widths: [{ value: 80, radios: 1 }], powers: [] },
  ])
})
