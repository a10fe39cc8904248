// The wiring that is drawn beside the lab's real cables: a gateway, two switches, an access point, and an unmanaged bridge.
import type { LinkEnd, Topology } from '@/server/topology/graph'
import { managerWith, overSnmp, overSsh } from './_change'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>

const begun = Date.now()
beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('gw'), lab.reset('sw1'), lab.reset('ap1'), lab.reset('c2')])
  await lab.reset('sw2')
  const devices = [
    await overSsh('gw', 'gateway'),
    await overSnmp(),
    await overSsh('ap1', 'ap'),
    await overSsh('sw2', 'switch'),
  ]
  one = await managerWith(devices)
})
afterAll(async () => {
  await lab.off('sw2')
  // First: a gateway's reset waits for its clients' leases.
  await lab.reset('c2')
  await one?.end()
})

type Shown = Omit<Topology, 'nodes'> & { nodes: { id: string; kind: string; shown?: { name: string } }[] }

async function read(): Promise<Shown> {
  for (const id of one.ids) await one.known(id)
  return (await one.ok('topology/get')) as Shown
}

/** Links as sentences: the ends with their ports in the order of the alphabet, and how certain it is. */
function told({ nodes, links }: Shown): string[] {
  const names = new Map(nodes.map(node => [node.id, node.shown?.name ?? node.kind]))
  const nameOf = ({ node, port }: LinkEnd) => `${names.get(node)} ${port ?? '?'}`
  return links
    .map(({ upper, lower, certainty }) => `${[nameOf(upper), nameOf(lower)].toSorted().join(' – ')} ${certainty}`)
    .toSorted()
}

const cables = ['ap1 eth0 – sw1 p2 certain', 'gw eth1 – sw1 p1 certain', 'sw1 p6 – sw2 p1 certain']

test('the drawn wiring is that of the cables, by LLDP of both ends, with speed and the age of what was read', async () => {
  const found = await until(
    async () => {
      const shown = await read()
      const lines = told(shown)
      return cables.every(cable => lines.includes(cable)) ? shown : lines.join('; ') && false
    },
    { everyMs: 5000 },
  )
  // Everything else that is said to be certain is a cable, too.
  const real = [...cables, 'gw eth2 – sw1 p5 certain', 'sw1 p7 – sw2 p4 certain']
  expect(told(found).filter(line => line.endsWith(' certain') && !real.includes(line))).toEqual([])
  const gateway = found.nodes.find(node => node.shown?.name === 'gw')
  const uplink = found.links[found.uplinks[found.nodes.find(node => node.shown?.name === 'sw1')?.id ?? ''] ?? -1]
  expect(uplink?.upper.node).toBe(gateway?.id)
  expect(uplink?.evidence.map(({ kind }) => kind)).toContain('lldp')
  for (const { at } of uplink?.evidence ?? []) expect(at).toBeGreaterThan(begun)
})

test('a bridge that tells nothing of itself is inferred from the addresses behind its port', async () => {
  const bridge = [
    'ip link add br0 type bridge',
    'ip link set eth0 master br0',
    'ip link set br0 up',
    ...[1, 2].flatMap(at => [
      `ip link add h${at} address 02:00:5e:10:01:0${at} type veth peer name e${at}`,
      `ip link set e${at} master br0 up`,
      `ip link set h${at} up`,
    ]),
  ]
  await lab.sh('c2', bridge.join(' && '))
  const found = await until(
    async () => {
      await lab.sh('c2', 'for at in 1 2; do ip link set h$at down; ip link set h$at up; done')
      const shown = await read()
      return told(shown).includes('sw1 p4 – unmanaged ? inferred') && shown
    },
    { timeoutMs: 120_000, everyMs: 5000 },
  )
  const node = found.nodes.find(each => each.kind === 'unmanaged')
  expect(node).toMatchObject({ macs: expect.arrayContaining(['02:00:5e:10:01:01', '02:00:5e:10:01:02']) })
})

test('the way to the gateway is asked of one device, and of none that is not there', async () => {
  const { way } = (await one.ok('topology/uplink', { deviceId: one.ids[2] })) as { way: Topology['links'] }
  expect(way.map(({ upper, lower }) => `${lower.port} ${upper.port}`)).toEqual(['eth0 p2', 'p1 eth1'])
  expect(await one.browser.post('topology/uplink', { deviceId: 999 })).toMatchObject({ retCode: 30001 })
})
