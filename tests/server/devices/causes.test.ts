import { rootOf, type Standing } from '@/server/devices/incidents/causes'
import { parentsOf } from '@/server/devices/incidents/wiring'
import type { Certainty, Topology } from '@/server/topology/graph'
import { originOf } from '@/server/topology/origin'
import type { Sight } from '@/server/topology/sight'
import { times } from '../../_sample'
import { wrongRoots } from './_outages'

// 1 gateway – 2 core – 3 access – 4 access point
const parents = new Map([
  [2, { parent: 1 }],
  [3, { parent: 2 }],
  [4, { parent: 3 }],
])
const up = (seenAt: number): Standing => ({ down: false, since: 0, seenAt })
const down = (since: number, seenAt = since - 60): Standing => ({ down: true, since, seenAt })

test.each<[string, Record<number, Standing>, number]>([
  ['alone, where those above answer', { 1: up(200), 2: up(200), 3: up(200), 4: down(100) }, 4],
  ['the one above that is silent, too', { 1: up(200), 2: up(200), 3: down(110), 4: down(100) }, 3],
  ['the topmost of several', { 1: up(200), 2: down(120), 3: down(110), 4: down(100) }, 2],
  ['beyond one that was not asked since', { 1: up(200), 2: down(120), 3: up(90), 4: down(100) }, 2],
  ['not beyond one that has answered since', { 1: up(200), 2: down(120), 3: up(130), 4: down(100) }, 4],
  ['not one that was silent while it answered', { 1: up(200), 2: down(10), 3: up(130), 4: down(100, 60) }, 4],
  ['itself, where nothing is known of it', {}, 4],
])('the cause is %s', (_, standings, root) => {
  expect(rootOf(4, parents, new Map(Object.entries(standings).map(([id, one]) => [Number(id), one])))).toBe(root)
})

test('a ring of parents ends', () => {
  const ring = new Map([
    [1, { parent: 2 }],
    [2, { parent: 1 }],
  ])
  expect(
    rootOf(
      1,
      ring,
      new Map([
        [1, down(100)],
        [2, down(100)],
      ]),
    ),
  ).toBe(2)
})

test('of random outages at least 98 % are named by their cause', () => {
  const seeds = Array.from({ length: times(1000, 50) }, (_, at) => 20_261_123 + at)
  expect(wrongRoots(seeds).length).toBeLessThanOrEqual(seeds.length / 50)
  // By the device itself alone most are wrong.
  expect(wrongRoots(seeds, device => device).length).toBeGreaterThan(seeds.length / 3)
})

describe('through whom a device is reached', () => {
  const link = (upper: string, port: string, lower: string, certainty: Certainty = 'certain') => ({
    ...{ upper: { node: upper, port }, lower: { node: lower, port: 'up' }, certainty, evidence: [] },
  })
  const node = (device: number) => ({ id: `d${device}`, kind: 'device' as const, device })
  const wiring: Topology = {
    nodes: [{ ...node(1), gateway: true }, node(2), node(3), node(4), { id: 'u1', kind: 'unmanaged', macs: [] }],
    links: [
      link('d1', 'lan', 'd2'),
      link('d2', '7', 'u1', 'inferred'),
      link('u1', '', 'd3', 'inferred'),
      link('d1', 'lan', 'd4', 'somewhere'),
    ],
    uplinks: { d2: 0, u1: 1, d3: 2, d4: 3 },
  }

  test('from the gateway, past what is not managed, with the port of the parent', () => {
    expect([...parentsOf(wiring)]).toEqual([
      [2, { parent: 1, port: 'lan' }],
      [3, { parent: 2, port: '7' }],
      [4, { parent: 1, port: 'lan' }],
    ])
  })

  const sight = (device: number, fdb: Sight['fdb']) => ({ ...({} as Sight), device, ...(fdb && { fdb }) })
  const own = '02:00:00:00:00:aa'
  const linked = [
    { ...link('d1', 'lan', 'd2'), upper: { node: 'd1', interface: 'lan' }, lower: { node: 'd2', interface: 'up' } },
  ]

  test.each([
    [
      'the one that has it behind a port without a link',
      [sight(1, [{ mac: own, port: 'lan' }]), sight(2, [{ mac: own, port: '5' }])],
      2,
    ],
    [
      'nobody, where none has it',
      [sight(1, [{ mac: '02:00:00:00:00:bb', port: 'lan' }]), sight(2, undefined)],
      undefined,
    ],
    [
      'nobody, where two claim it',
      [sight(1, [{ mac: own, port: '9' }]), sight(2, [{ mac: own, port: '5' }])],
      undefined,
    ],
  ])('the manager hangs at %s', (_, sights, device) => {
    expect(originOf(sights, { links: linked }, [own.toUpperCase()])).toBe(device)
  })

  test('from where the manager hangs, which turns the ways round', () => {
    expect([...parentsOf(wiring, 3)]).toEqual([
      [1, { parent: 2, port: 'up' }],
      [2, { parent: 3, port: 'up' }],
      [4, { parent: 1, port: 'lan' }],
    ])
  })
})
