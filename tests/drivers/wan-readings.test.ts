import { readWays } from '@/server/drivers/linux/paths'
import { readWatch } from '@/server/drivers/openwrt/mwan3'

// What gateways say of their ways to the internet, read as what the manager shows.

test('Linux: the state and the last rounds of each way, by its document; what is no line of ours is left out', () => {
  expect(readWays('d1 1 1111011111\nd2 0 0000\n1\nd3 2 1\nd4 1 \n')).toEqual([
    { document: 'd1', up: true, lossPercent: 10 },
    { document: 'd2', up: false, lossPercent: 100 },
  ])
  // The times of those that came.
  expect(readWays('d1 1 1101 99,10.5,12.5,11.5\nd2 1 1 3.2\nd3 1 1 x\nd4 0 00 3,4')).toEqual([
    { document: 'd1', up: true, lossPercent: 25, latencyMs: 11.5, jitterMs: 1.5 },
    { document: 'd2', up: true, lossPercent: 0, latencyMs: 3.2 },
    { document: 'd4', up: false, lossPercent: 100 },
  ])
  expect(readWays('')).toEqual([])
  expect(readWays(undefined)).toBeUndefined()
})

test.each([
  // Without check_quality nothing is measured.
  [[{ latency: 0, packetloss: 0 }], {}],
  [[{ packetloss: 0 }, {}], {}],
  [[{ latency: 12, packetloss: 0 }], { lossPercent: 0, latencyMs: 12 }],
  [[{ latency: 999_999, packetloss: 100 }], { lossPercent: 100 }],
  // Once one has answered the others are not asked: they keep what was measured hours ago.
  [
    [
      { status: 'up', latency: 30, packetloss: 33 },
      { status: 'skipped', latency: 12, packetloss: 0 },
    ],
    { lossPercent: 33, latencyMs: 30 },
  ],
  [
    [
      { latency: 999_999, packetloss: 100 },
      { latency: 0, packetloss: 0 },
    ],
    { lossPercent: 100 },
  ],
])('OpenWrt: of targets %j loss and latency are what was measured', (targets, measured) => {
  const status = { interfaces: { wan: { status: 'online', enabled: true, track_ip: targets } } }
  expect(readWatch(status, new Map())).toEqual([{ interface: 'wan', up: true, ...measured }])
})

test('OpenWrt: mwan3 names networks, shown by their ports; the target that answers best tells the loss', () => {
  const targets = (...losses: unknown[]) => losses.map(packetloss => ({ ip: '192.0.2.1', status: 'up', packetloss }))
  const interfaces = {
    wan: { status: 'online', enabled: true, track_ip: targets(40, 5) },
    lw_wan_eth3_7: { status: 'offline', enabled: true, track_ip: targets(100) },
    wwan: { status: 'disconnecting', enabled: true, track_ip: [] },
    spare: { status: 'online', enabled: false },
  }
  const ports = new Map([
    ['wan', 'eth0'],
    ['lw_wan_eth3_7', 'eth3.7'],
  ])
  expect(readWatch({ interfaces }, ports)).toEqual([
    { interface: 'eth0', up: true, lossPercent: 5 },
    { interface: 'eth3.7', up: false, lossPercent: 100 },
    { interface: 'wwan', up: false },
  ])
  for (const strange of [{}, { interfaces: 7 }, { interfaces: { wan: 'x' } }])
    expect(() => readWatch(strange, ports)).not.toThrow()
})
