import type { Sight } from '@/server/topology/sight'
import { topologyOf } from '@/server/topology/topology'
import { judgeAll } from './_judge'
import { hostMac, switchMac } from './_network'

const at = 1000

/** A switch that has these MACs behind these ports. */
const bridge = (device: number, fdb: Record<string, string[]>, more: Partial<Sight> = {}): Sight => ({
  ...{ device, kind: 'switch', name: `sw${device}`, address: `10.0.0.${device}`, at, stations: [], neighbours: [] },
  ...{ macs: [switchMac(device)], gateway: false },
  ports: Object.keys(fdb).map(key => ({ key, label: `port ${key}`, up: true, speed: 1e9 })),
  fdb: Object.entries(fdb).flatMap(([port, macs]) => macs.map(mac => ({ mac, port }))),
  ...more,
})
const [one, two, three] = [switchMac(1), switchMac(2), switchMac(3)]
const shown = (sights: Sight[]) =>
  topologyOf(sights).links.map(({ upper, lower, certainty }) => [
    `${upper.node} ${upper.port ?? '?'}`,
    `${lower.node} ${lower.port ?? '?'}`,
    certainty,
  ])

test('two switches that hear each other by LLDP are linked for certain, with both ports, speed and age', () => {
  const found = topologyOf([
    bridge(1, { a: [two], b: [] }, { gateway: true, neighbours: [{ localPort: 'a', chassisId: two, portId: 'x' }] }),
    bridge(2, { x: [one] }, { neighbours: [{ localPort: 'x', chassisId: one.toUpperCase(), portId: 'a' }] }),
  ])
  expect(found.links).toEqual([
    {
      upper: { node: 'd1', interface: 'a', port: 'port a', speed: 1e9, up: true },
      lower: { node: 'd2', interface: 'x', port: 'port x', speed: 1e9, up: true },
      certainty: 'certain',
      evidence: expect.arrayContaining([
        { kind: 'lldp', device: 1, at },
        { kind: 'fdb', device: 2, at },
      ]),
    },
  ])
  expect(found.uplinks).toEqual({ d2: 0 })
})

test('without LLDP, forwarding tables alone place a chain, also where a switch has lost the entry of its neighbour', () => {
  const [h1, h2, h3] = [hostMac(1), hostMac(2), hostMac(3)]
  const chain = [
    bridge(1, { d: [two, three, h2, h3], h: [h1] }, { gateway: true }),
    bridge(2, { u: [one, h1], d: [h3], h: [h2] }),
    bridge(3, { u: [one, two, h1, h2], h: [h3] }),
  ]
  expect(shown(chain)).toEqual([
    ['d1 port d', 'd2 port u', 'derived'],
    ['d2 port d', 'd3 port u', 'derived'],
  ])
})

test('several addresses behind a port are an unmanaged switch, inferred; one machine with guests of its own is none', () => {
  expect(shown([bridge(1, { a: [hostMac(1), hostMac(2)], b: [hostMac(3)] })])).toEqual([
    ['d1 port a', 'u1:a ?', 'inferred'],
  ])
  expect(shown([bridge(1, { a: [hostMac(1), '52:54:00:00:00:01', '52:54:00:00:00:02'] })])).toEqual([])
})

test('three switches that look at each other meet in something that tells nothing', () => {
  const [h1, h2, h3] = [hostMac(1), hostMac(2), hostMac(3)]
  const meet = [
    bridge(1, { x: [two, three, h2, h3], h: [h1] }),
    bridge(2, { x: [one, three, h1, h3], h: [h2] }),
    bridge(3, { x: [one, two, h1, h2], h: [h3] }),
  ]
  expect(shown(meet)).toEqual([
    ['d1 port x', 'u1:x ?', 'inferred'],
    ['u1:x ?', 'd2 port x', 'inferred'],
    ['u1:x ?', 'd3 port x', 'inferred'],
  ])
})

test('a host on both switches’ ports to each other tells of an unmanaged switch between them', () => {
  const found = shown([bridge(1, { x: [two, hostMac(9)] }), bridge(2, { y: [one, hostMac(9)] })])
  expect(found.map(([, , certainty]) => certainty)).toEqual(['inferred', 'inferred'])
})

test('what a switch hears by FDP is a link that an end tells of itself', () => {
  const heard = { protocol: 'fdp' as const, localPort: 'a', chassisId: two, portId: 'y' }
  const found = topologyOf([bridge(1, { a: [] }, { neighbours: [heard] }), bridge(2, { y: [] })])
  expect(found.links).toMatchObject([
    {
      certainty: 'certain',
      evidence: expect.arrayContaining([{ kind: 'fdp', device: 1, at: expect.any(Number) }]),
      lower: { node: 'd2', port: 'port y' },
    },
  ])
})

test('who tells of itself and is not managed is shown by its own name', () => {
  const phone = { localPort: 'a', chassisId: hostMac(1), systemName: 'Phone', portId: 'lan', capabilities: ['phone'] }
  const found = topologyOf([bridge(1, { a: [hostMac(1), hostMac(2)] }, { neighbours: [phone] })])
  expect(found.nodes[1]).toMatchObject({ kind: 'stranger', name: 'Phone', capabilities: ['phone'] })
  expect(found.links).toMatchObject([{ upper: { node: 'd1' }, lower: { port: 'lan' }, certainty: 'certain' }])
})

test('an access point without a forwarding table hangs on the port that has its MAC; one on the air on the other one', () => {
  const ap = (device: number, more: Partial<Sight> = {}): Sight => {
    const { fdb, ...rest } = bridge(
      device,
      {},
      { kind: 'ap', ports: [{ key: 'eth0', label: 'eth0', mac: switchMac(device) }] },
    )
    return { ...rest, ...more }
  }
  const mesh = ap(3)
  const sights = [bridge(1, { a: [two] }, { gateway: true }), ap(2, { stations: [{ mac: three, ssid: 'mesh' }] }), mesh]
  expect(topologyOf(sights).links).toMatchObject([
    { upper: { node: 'd1', port: 'port a' }, lower: { node: 'd2', port: 'eth0' }, certainty: 'derived' },
    { upper: { node: 'd2' }, lower: { node: 'd3' }, certainty: 'certain', ssid: 'mesh' },
  ])
})

test('what two tables contradict is not drawn as certain, and nobody’s word makes a device hang on itself', () => {
  const found = topologyOf([
    bridge(1, { a: [two, one], b: [two] }, { neighbours: [{ localPort: 'a', chassisId: one }] }),
    bridge(2, { x: [] }),
  ])
  expect(found.links.filter(link => link.certainty === 'certain')).toEqual([])
})

test('of random networks, drawn links are right, nothing certain is wrong, and nearly all there are is found', () => {
  const found = judgeAll([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 200)
  expect([found.wrongCertain, found.wrongSomewhere]).toEqual([[], []])
  expect(found.right / found.drawn).toBeGreaterThanOrEqual(0.99)
  // Of all that there are, which is more than what the entries that were left determine.
  expect(found.found / found.segments).toBeGreaterThanOrEqual(0.95)
})
