// What a client moved, against what the kernel of its switch counted at its port: to the byte.
import { managerWith, overSsh } from './_change'
import { lab, until } from './_lab'

const host = { c1: '192.168.55.1', c3: '192.168.55.3' } as const
let one: Awaited<ReturnType<typeof managerWith>>
let mac: string

beforeAll(async () => {
  await lab.up()
  await lab.reset('sw2')
  await lab.reset('c3')
  one = await managerWith([await overSsh('sw2', 'switch')])
  mac = (await lab.in('c3', ['cat', '/sys/class/net/eth0/address'])).stdout.trim()
  for (const [name, address] of Object.entries(host))
    await lab.in(name as 'c1', ['ip', 'addr', 'replace', `${address}/24`, 'dev', 'eth0'])
})
afterAll(async () => {
  await Promise.all([lab.off('c3'), lab.off('sw2')])
  await one?.end()
  await lab.off('sw2')
  await lab.in('c1', ['ip', 'addr', 'del', `${host.c1}/24`, 'dev', 'eth0'])
})

const speak = (...more: string[]) => lab.in('c3', ['ping', '-c', '1', '-W', '1', ...more, host.c1])

/** To and from the client, as the kernel counts them at its port. */
async function kernel() {
  const statistics = '/sys/class/net/p2/statistics'
  const { stdout } = await lab.in('sw2', ['cat', `${statistics}/tx_bytes`, `${statistics}/rx_bytes`])
  const [down, up] = stdout.split('\n').map(Number)
  return { down, up }
}

/** Reads the switch while nothing passes the port; answers what the kernel had counted then. */
const readStill = () =>
  until(async () => {
    const before = await kernel()
    await one.known(one.id)
    const after = await kernel()
    return before.down === after.down && before.up === after.up && after
  })

type Octets = { down: number; up: number }
const dayOf = async () =>
  ((await one.ok('clients/history', { mac, range: '1d' })) as { totals: { '1d': Octets } }).totals['1d']

test('bytes of a client that is alone on its port are the kernel’s own, in chart, list and totals', async () => {
  await until(async () => {
    await speak()
    await one.known(one.id)
    const { result } = (await one.ok('clients/list')) as { result: { mac: string; port?: string }[] }
    return result.some(found => found.mac === mac && found.port === 'p2')
  })
  // What the network floods to everybody never ends.
  await lab.sh('sw2', 'ovs-ofctl mod-port "$(ovs-vsctl port-to-br p2)" p2 no-flood')
  const begin = await readStill()
  const before = await dayOf()
  await speak('-s', '1400', '-c', '20', '-i', '0.05')
  const end = await readStill()
  const after = await dayOf()
  const passed = { down: Number(end.down) - Number(begin.down), up: Number(end.up) - Number(begin.up) }
  expect(passed.up).toBeGreaterThan(20 * 1400)
  expect({ down: after.down - before.down, up: after.up - before.up }).toEqual(passed)
  const { result } = (await one.ok('clients/list', { sort: { field: 'traffic', direction: 'desc' } })) as {
    result: { mac: string; day?: Octets }[]
  }
  expect(result[0]).toMatchObject({ mac, day: after })
  const exported = await one.browser.raw('exports/clients?networkId=1', { method: 'GET' })
  const line = (await exported.text()).split('\r\n').find(text => text.startsWith(mac))
  expect(line?.split(',').slice(-6)).toEqual(Array(3).fill([after.down, after.up].map(String)).flat())
  const chart = (await one.ok('clients/history', { mac, range: '1w' })) as { downBps: (number | null)[] }
  expect(chart.downBps.filter(value => value !== null)).toHaveLength(1)
})
