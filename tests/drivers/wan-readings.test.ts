import { execFileSync } from 'node:child_process'
import { pathsScript, readUplinks } from '@/server/drivers/linux/base/paths'
import { readWatch } from '@/server/drivers/openwrt/uplinks/mwan3'

// What gateways say of their ways to the internet, read as what the manager shows.

test('Linux: the state and the last rounds of each way, by its document; what is no line of ours is left out', () => {
  expect(readUplinks('d1 1 1111011111\nd2 0 0000\n1\nd3 2 1\nd4 1 \n')).toEqual([
    { document: 'd1', up: true, lossPercent: 10 },
    { document: 'd2', up: false, lossPercent: 100 },
  ])
  // The times of those that came.
  expect(readUplinks('d1 1 1101 99,10.5,12.5,11.5\nd2 1 1 3.2\nd3 1 1 x\nd4 0 00 3,4')).toEqual([
    { document: 'd1', up: true, lossPercent: 25, latencyMs: 11.5, jitterMs: 1.5 },
    { document: 'd2', up: true, lossPercent: 0, latencyMs: 3.2 },
    { document: 'd4', up: false, lossPercent: 100 },
  ])
  expect(readUplinks('')).toEqual([])
  expect(readUplinks(undefined)).toBeUndefined()
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

describe('what proves a way on Linux', () => {
  // The shell's own function stands before the program: each target answers as its name says.
  const pings = `ping() {
for target; do :; done
case $target in
none*) return 1 ;;
busybox-*) echo "round-trip min/avg/max = \${target#*-}/\${target#*-}/\${target#*-} ms" ;;
*) printf '%s\\n' '--- ping statistics ---' "rtt min/avg/max/mdev = $target/$target/$target/0.000 ms" ;;
esac
}`
  const text = pathsScript({ ways: [], routes: [], policies: [], choices: [] })
  const answers = text.slice(text.indexOf('answers() {'), text.indexOf('# judge'))
  const asked = (...targets: string[]) =>
    execFileSync('/bin/sh', [
      '-c',
      `${pings}\n${answers}\nif answers lo ${targets.join(' ')}; then echo "$took"; else echo lost; fi`,
    ])
      .toString()
      .trim()

  test.each([
    ['the nearest of several, whichever stands first', ['7.1', '48.2', '9.20', '110'], '9.20'],
    ['the one that answers', ['7.1', 'none-1', 'none-2', '31.5'], '31.5'],
    ['its gateway, without targets', ['7.1'], '7.1'],
    ['as busybox says it', ['7.1', 'busybox-12.250', '48'], '12.250'],
    ['none', ['7.1', 'none-1', 'none-2'], 'lost'],
    ['nothing without a gateway', ["''", '9.2'], 'lost'],
  ])('%s', (_what, targets, took) => {
    expect(asked(...targets)).toBe(took)
  })
})
