import { devices } from '@/db/schema'
import { limits } from '@/model/limits'
import type { Topology } from '@/server/topology/graph'
import { fleetInProcess } from '../_fleet'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'

let manager: Manager
let owner: Browser
let ids: [number, number, number, number]
let elsewhere: number

function device(name: string, networkId: number, at: number): number {
  const place = { organization: 1, network: networkId, name, address: `192.0.2.${at}`, port: 22, driver: 'linux' }
  const row = { ...place, kind: 'switch' as const, status: 0, statusAt: 0, createdAt: 0 }
  return manager.runtime.db.insert(devices).values(row).returning({ id: devices.id }).get().id
}

beforeAll(async () => {
  manager = await startTestManager({ starters: [fleetInProcess()] })
  owner = await finishedWizard(manager)
  ids = [device('a', 1, 1), device('b', 1, 2), device('c', 1, 3), device('d', 1, 4)]
  elsewhere = device('far', network(manager, 'Elsewhere'), 5)
})
afterAll(() => manager.stop())

type Told = Topology & { places: Record<string, { x: number; y: number }> }
const told = async () => (await owner.post('topology/get', { networkId: 1 })).data as Told
const save = (upper: number, lower: number, uplink: boolean) =>
  owner.post('topology/links/save', { networkId: 1, upper, lower, uplink })
const ways = ({ links }: Told) =>
  links.map(({ upper, lower, extra }) => `${upper.node} ${lower.node}${extra ? ' extra' : ''}`)

test('a link by hand is drawn as such, with who said it and when, and makes a way up where there is none', async () => {
  const [a, b] = ids
  expect((await save(a, b, false)).retCode).toBe(0)
  const { links, uplinks } = await told()
  expect(links).toMatchObject([
    {
      upper: { node: `d${a}` },
      lower: { node: `d${b}` },
      certainty: 'manual',
      evidence: [],
      byHand: { uplink: false },
    },
  ])
  expect(Date.now() - (links[0]?.byHand?.at ?? 0)).toBeLessThan(60_000)
  expect(uplinks).toEqual({ [`d${b}`]: 0 })
})

test('an uplink by hand goes before the one there was, which stays as a second link; the same two turn round', async () => {
  const [a, b, c] = ids
  await save(a, c, false)
  await save(b, c, true)
  expect(ways(await told())).toEqual([`d${a} d${b}`, `d${a} d${c} extra`, `d${b} d${c}`])
  const { data } = await owner.post('topology/uplink', { networkId: 1, deviceId: c })
  expect((data as { way: Topology['links'] }).way.map(one => one.upper.node)).toEqual([`d${b}`, `d${a}`])
  await save(c, b, false)
  expect(ways(await told())).toEqual([`d${a} d${b}`, `d${a} d${c}`, `d${c} d${b} extra`])
})

test.each([
  ['an uplink that is below its own device', () => save(ids[2], ids[0], true), { fields: { upper: 'belowDevice' } }],
  ['a device as its own uplink', () => save(ids[0], ids[0], true), { fields: { upper: 'sameDevice' } }],
  ['another network’s device', () => save(elsewhere, ids[0], true), { retCode: 30001 }],
  ['one that is not there', () => save(987_654, ids[0], false), { retCode: 30001 }],
])('%s is refused, and nothing changes', async (_, act, answer) => {
  const before = ways(await told())
  const { retCode, data } = await act()
  expect({ retCode, ...(data as object) }).toMatchObject(answer)
  expect(retCode).not.toBe(0)
  expect(ways(await told())).toEqual(before)
})

test('taken back, it is gone; with a device its links go, too', async () => {
  const [a, b, c, d] = ids
  await save(a, d, true)
  const { links } = await told()
  const own = links.flatMap(one =>
    one.lower.node === `d${b}` || one.lower.node === `d${c}` ? (one.byHand?.id ?? []) : [],
  )
  await owner.post('topology/links/delete', { networkId: 1, ids: own })
  expect(ways(await told())).toEqual([`d${a} d${d}`])
  await owner.post('devices/delete', { networkId: 1, ids: [d] })
  expect(ways(await told())).toEqual([])
})

test('positions are kept for all, and given back one by one or together', async () => {
  const [a, b] = ids
  const places = [
    { node: `d${a}`, x: -20, y: 300 },
    { node: `d${b}`, x: 0, y: 0 },
  ]
  await owner.post('topology/places/save', { networkId: 1, places })
  await owner.post('topology/places/save', { networkId: 1, places: [{ node: `d${a}`, x: 7, y: 8 }] })
  expect((await told()).places).toEqual({ [`d${a}`]: { x: 7, y: 8 }, [`d${b}`]: { x: 0, y: 0 } })
  await owner.post('topology/places/delete', { networkId: 1, nodes: [`d${a}`] })
  expect((await told()).places).toEqual({ [`d${b}`]: { x: 0, y: 0 } })
  await owner.post('topology/places/delete', { networkId: 1 })
  expect((await told()).places).toEqual({})
})

test('bad positions are refused whole', async () => {
  const bad = [
    { node: 'd1', x: 1.5, y: 0 },
    { node: 'd1', x: 2_000_000, y: 0 },
    { node: '', x: 0, y: 0 },
    { node: 'd\n1', x: 0, y: 0 },
  ]
  for (const one of bad) {
    const { retCode } = await owner.post('topology/places/save', {
      networkId: 1,
      places: [{ node: 'd2', x: 1, y: 1 }, one],
    })
    expect(retCode).not.toBe(0)
  }
  const many = Array.from({ length: limits.topologyPlaces }, (_, at) => ({ node: `x${at}`, x: 0, y: 0 }))
  expect((await owner.post('topology/places/save', { networkId: 1, places: many })).retCode).toBe(0)
  const more = await owner.post('topology/places/save', { networkId: 1, places: [{ node: 'one', x: 0, y: 0 }] })
  expect(more.data).toMatchObject({ fields: { places: 'tooMany' }, values: { places: { max: limits.topologyPlaces } } })
  expect(Object.keys((await told()).places)).toHaveLength(limits.topologyPlaces)
})

test('who may only read changes nothing', async () => {
  const reader = await person(manager, { role: 'guestEditor', networks: [1] })
  expect(
    (await reader.post('topology/links/save', { networkId: 1, upper: ids[0], lower: ids[1], uplink: false })).retCode,
  ).not.toBe(0)
  expect(ways(await told())).toEqual([])
})
