import {
  layoutOf,
  nextPlace,
  type Place,
  pinned,
} from '@/app/(console)/network/[networkId]/insight/topology/_parts/layout'
import { wayOf } from '@/app/(console)/network/[networkId]/insight/topology/_parts/paths'
import {
  carries,
  namedLinks,
  speedOf,
  type Wiring,
} from '@/app/(console)/network/[networkId]/insight/topology/_parts/wiring'
import { wiringOf } from './_wiring'

const overlap = (a: Place, b: Place) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const overlaps = (places: ReadonlyMap<string, Place>) => {
  const all = [...places].toSorted(([, a], [, b]) => a.x - b.x)
  return all.flatMap(([id, place], at) => {
    const found: string[] = []
    for (let next = at + 1; next < all.length; next++) {
      const [other, there] = all[next] as [string, Place]
      if (there.x >= place.x + place.width) break
      if (overlap(place, there)) found.push(`${id} ${other}`)
    }
    return found
  })
}

test.each([1, 2, 7, 40, 300, 1000])('%i devices each have a place of their own, below what they hang on', count => {
  const wiring = wiringOf(count)
  const { places } = layoutOf(wiring)
  expect(places.size).toBe(count)
  expect(overlaps(places)).toEqual([])
  for (const { upper, lower } of wiring.links)
    expect(places.get(lower.node)?.y).toBeGreaterThan(places.get(upper.node)?.y ?? Number.POSITIVE_INFINITY)
})

test('the same wiring gives the same picture, in whatever order it is told', () => {
  const wiring = wiringOf(60)
  const order = wiring.links.map((_, at) => at).reverse()
  const turned: Wiring = {
    nodes: wiring.nodes.toReversed(),
    links: order.map(at => wiring.links[at] as Wiring['links'][number]),
    uplinks: Object.fromEntries(Object.entries(wiring.uplinks).map(([id, at]) => [id, order.indexOf(at)])),
    places: {},
  }
  const sorted = (places: ReadonlyMap<string, Place>) => [...places].toSorted(([a], [b]) => a.localeCompare(b))
  expect(sorted(layoutOf(turned).places)).toEqual(sorted(layoutOf(wiring).places))
})

test('what is linked to nothing stands below the rest and over nobody', () => {
  const wiring = wiringOf(30)
  const loose = { ...wiring.nodes[5], id: 'd900' } as Wiring['nodes'][number]
  const { places } = layoutOf({ ...wiring, nodes: [...wiring.nodes, loose] })
  expect(overlaps(places)).toEqual([])
  const own = places.get('d900')
  expect([...places].every(([id, place]) => id === 'd900' || place.y < (own?.y ?? 0))).toBe(true)
})

test('what a person pinned stands where they put it, and a pin of what is gone moves nobody', () => {
  const wiring = wiringOf(20)
  const { places } = pinned(layoutOf(wiring), { d3: { x: -400, y: 900 }, d999: { x: 0, y: 0 } })
  expect(places.get('d3')).toMatchObject({ x: -400, y: 900 })
  expect(places.size).toBe(20)
})

test('arrow keys go to the nearest node of their direction, and back', () => {
  const wiring = wiringOf(20)
  const layout = layoutOf(wiring)
  const below = nextPlace(layout, 'd1', 'down')
  expect(below && nextPlace(layout, below, 'up')).toBe('d1')
  expect(nextPlace(layout, 'd1', 'up')).toBeUndefined()
  expect(nextPlace(layout, 'd999', 'up')).toBeUndefined()
})

test('each node is reached by the arrow keys', () => {
  const layout = layoutOf(wiringOf(120))
  const seen = new Set(['d1'])
  for (const id of seen)
    for (const direction of ['up', 'down', 'left', 'right'] as const) {
      const next = nextPlace(layout, id, direction)
      if (next) seen.add(next)
    }
  expect(seen.size).toBe(120)
})

test('a link that leads on no way from the gateway goes around, and two between the same are not one line', () => {
  const { places } = layoutOf(wiringOf(20))
  const [a, b] = [places.get('d2'), places.get('d3')] as [Place, Place]
  const paths = [0, 1, 2].map(nth => wayOf(a, b, { extra: true, nth }).path)
  expect(new Set(paths).size).toBe(3)
  for (const path of paths) expect(path).not.toMatch(/NaN|undefined/)
})

test('links keep their names when others come and when their direction turns', () => {
  const { links, uplinks } = wiringOf(4)
  const [first, ...rest] = links as [Wiring['links'][number], ...Wiring['links']]
  const turned = { ...first, upper: first.lower, lower: first.upper }
  const names = namedLinks({ links: [...rest, turned, first], uplinks }).map(one => one.key)
  expect(names.slice(-2)).toEqual([
    namedLinks({ links, uplinks })[0]?.key,
    `${namedLinks({ links, uplinks })[0]?.key} 2`,
  ])
})

test.each([
  [{ speed: 1e9 }, { speed: 1e8 }, 1e8],
  [{ speed: 1e9 }, {}, 1e9],
  [{}, {}, undefined],
])('the speed of %j and %j is %s', (upper, lower, speed) => {
  expect(speedOf({ upper: { node: 'a', ...upper }, lower: { node: 'b', ...lower } })).toBe(speed)
})

test.each([
  [[1, 20], [1, 20], true],
  [[1, 20], [1], false],
  [[1, 20], undefined, true],
  [undefined, undefined, undefined],
])('a link between VLANs %j and %j carries VLAN 20: %s', (upper, lower, carried) => {
  const end = (node: string, vlans: number[] | undefined) => ({ node, ...(vlans && { vlans }) })
  const link = { upper: end('a', upper), lower: end('b', lower), certainty: 'certain' as const, evidence: [] }
  expect(carries(link, 20)).toBe(carried)
})
