// Two switches and a trunk between them: sw1 over SNMP, sw2 a Linux with Open vSwitch. Clients tell what their ports do.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { managerWithSwitch } from './_change'
import { on, plan, push, target } from './_device'
import { lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWithSwitch>>
let second: number
const ids: Record<string, string> = {}

const vsctl = async (...words: string[]) => (await lab.in('sw2', ['ovs-vsctl', ...words])).stdout.trim()
const port = (name: string) => vsctl('get', 'port', name, 'tag', 'trunks', 'protected')
const host = { c1: '192.168.55.1', c2: '192.168.55.2', c3: '192.168.55.3' } as const
type Client = keyof typeof host
const reaches = async (from: Client, to: Client) =>
  (await lab.in(from, ['ping', '-c', '1', '-W', '1', host[to]])).code === 0
const untilReached = (from: Client, to: Client) => until(() => reaches(from, to), { everyMs: 100 })

async function save(name: string, fields: object): Promise<void> {
  const rows = (await one.ok('settings/portProfile/list', { page: 1, pageSize: 50 })) as {
    result: { id: string; name: string }[]
  }
  const before = rows.result.find(row => row.name === name)
  const stored = before && (await one.ok('settings/portProfile/get', { id: before.id }))
  const { position: _p, changedAt: _a, changedBy: _b, ...own } = stored ?? {}
  const made = { name, ports: [], assign: { all: false, groups: [], devices: [] }, ...own, ...fields }
  ids[name] = String((await one.ok('settings/portProfile/save', made)).id)
}
const give = (deviceId: number, ports: string[], profile: string | null) =>
  one.ok('devices/switch/port-save', { deviceId, ports, profile: profile && ids[profile] })
/** To both switches, though it interrupts the manager's own way to the second. */
async function pushed(...devices: number[]): Promise<void> {
  for (const id of devices)
    expect(await one.pushed({ deviceIds: [id], cut: [second] })).toMatchObject({ state: 'applied', detail: '' })
}

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('sw1'), lab.reset('sw2'), lab.reset('ap1')])
  await lab.reset('c3')
  // Where the answer to a change is lost on the way that it changes, that is waited for before the proof.
  one = await managerWithSwitch(90)
  second = await one.adopt({ found: await target('sw2'), name: 'sw2', driver: 'linux', kind: 'switch' })
  for (const [name, address] of Object.entries(host))
    await lab.in(name as Client, ['ip', 'addr', 'replace', `${address}/24`, 'dev', 'eth0'])
})
afterAll(async () => {
  // First those that are off again: a switch that begins anew has no neighbour that is gone.
  await Promise.all([lab.off('c3'), lab.off('sw2')])
  await one?.end()
  for (const client of ['c1', 'c2'] as const)
    await lab.in(client, ['ip', 'addr', 'del', `${host[client]}/24`, 'dev', 'eth0'])
  await lab.reset('ap1')
})

test('clients of two switches reach each other in their VLAN alone, over the trunk', async () => {
  await save('Trunk', { nativeVlan: 1, allowedVlans: '20,30' })
  await save('Office', { nativeVlan: 20 })
  await save('Guests', { nativeVlan: 30 })
  await give(one.id, ['p6'], 'Trunk')
  await give(one.id, ['p3'], 'Office')
  await give(one.id, ['p4'], 'Guests')
  await give(second, ['p1'], 'Trunk')
  await give(second, ['p2'], 'Office')
  await until(async () => {
    await one.known(second)
    const preview = await one.ok('devices/push/preview', { deviceId: second })
    return (preview.cuts as { block: string }[]).some(cut => cut.block === 'file:/etc/lanward/ports/p1.conf')
  })
  await pushed(one.id, second)
  await untilReached('c3', 'c1')
  expect(await reaches('c3', 'c2')).toBe(false)
  expect(await port('p1')).toBe('0\n[0, 20, 30]\nfalse')
  await give(second, ['p2'], 'Guests')
  await pushed(second)
  await untilReached('c3', 'c2')
  expect(await reaches('c3', 'c1')).toBe(false)
})

/** How much of a flood of broadcasts from c3 comes out at c2. */
async function flood(): Promise<number> {
  const count = async () => Number((await lab.sh('c2', 'cat /sys/class/net/eth0/statistics/rx_bytes')).stdout)
  const before = await count()
  await lab.sh('c3', 'ping -b -q -c 200 -i 0.002 -W 1 -s 1400 192.168.55.255')
  return ((await count()) - before) / (200 * 1442)
}

test('isolated ports reach each other no more, and again when they are not', async () => {
  // A busy machine loses some of it.
  await until(async () => (await flood()) > 0.8)
  await save('Trunk', { isolation: 'on' })
  await save('Guests', { isolation: 'on' })
  await pushed(second)
  expect(await reaches('c3', 'c2')).toBe(false)
})

test('a storm is held back, and nothing else', async () => {
  await save('Guests', { isolation: 'keep', stormLimit: '64 Kbps', description: 'Storm "$(id)"' })
  await pushed(second)
  await untilReached('c3', 'c2')
  expect(await flood()).toBeLessThan(0.5)
  expect((await lab.sh('sw2', 'cat /sys/class/net/p2/ifalias')).stdout).toBe('Storm "$(id)"\n')
  await untilReached('c3', 'c2')
})

test('a port goes down and up; taken out of all profiles, everything is as it was', async () => {
  await save('Guests', { enabled: false })
  await pushed(second)
  expect((await lab.sh('c3', 'cat /sys/class/net/eth0/carrier')).stdout).toBe('0\n')
  await give(second, ['p2'], null)
  await pushed(second)
  expect((await lab.sh('c3', 'cat /sys/class/net/eth0/carrier')).stdout).toBe('1\n')
  expect(await port('p2')).toBe('[]\n[]\nfalse')
  expect(await lab.sh('sw2', 'cat /sys/class/net/p2/ifalias; ls /var/lib/lanward/ports')).toMatchObject({
    stdout: 'p1\n',
  })
  expect((await lab.in('sw2', ['ovs-ofctl', '-O', 'OpenFlow13', 'dump-meters', 'br0'])).stdout).not.toContain('meter=')
})

test('two links become one by LACP: one of them cut, traffic goes on', async () => {
  const aggregate = 'lacp=active bond_mode=balance-tcp other_config:lacp-time=fast other_config:lacp-fallback-ab=true'
  const vlans = 'vlan_mode=native-untagged tag=1 trunks=1,20,30'
  await lab.sh(
    'sw1',
    `ovs-vsctl del-port p6 -- del-port p7 -- add-bond br0 far p6 p7 -- set port far ${aggregate} ${vlans}`,
  )
  await save('Trunk', { lag: 2, lacpTimeout: 'fast' })
  await save('Guests', { enabled: true })
  await give(second, ['p4'], 'Trunk')
  await give(second, ['p2'], 'Guests')
  await pushed(second)
  const lacp = async () => (await lab.in('sw2', ['ovs-appctl', 'lacp/show', 'lag2'])).stdout
  await until(async () => (await lacp()).match(/: current attached/g)?.length === 2)
  await untilReached('c3', 'c2')
  await lab.in('sw1', ['ip', 'link', 'set', 'p6', 'down'])
  await untilReached('c3', 'c2')
  await lab.in('sw1', ['ip', 'link', 'set', 'p6', 'up'])
  await lab.reboot('sw2')
  await untilReached('c3', 'c2')
  expect((await vsctl('list-ports', 'br0')).split('\n').sort()).toEqual(['lag2', 'p2', 'p3'])
})

test('a device that reboots before it was confirmed has its ports as they were', async () => {
  await lab.reset('sw2')
  const checked = check(portProfile, { name: 'Desk', ports: ['p2', 'p3'], nativeVlan: 20, enabled: false })
  const data = 'data' in checked ? checked.data : {}
  await on('sw2', async session => {
    const { next } = await plan(session, [{ id: 'desk', kind: 'portProfile', name: 'Desk', data }])
    await push(session, next, 120)
    expect(await linuxDriver.selfCheck(session, next)).toEqual([])
  })
  expect(await port('p2')).toBe('20\n[]\nfalse')
  // Open vSwitch is there later than everything else.
  await lab.sh('sw2', `sed -i '1a sleep 3' /etc/lab/switch`)
  await lab.reboot('sw2')
  await until(async () => (await port('p2')) === '[]\n[]\nfalse')
  await until(
    async () => (await lab.sh('sw2', 'ls -A /var/lib/lanward/ports /etc/lanward/ports')).stdout.match(/^p\d/m) === null,
  )
})

test('a port of a kernel’s bridge: isolated, and its storms held back; all of it given back', async () => {
  const rules = 'nft list table netdev lanward_ports 2>/dev/null; bridge -d link show dev eth0'
  const octets = async () => {
    const { stdout } = await lab.sh('ap1', 'cd /sys/class/net; cat eth0/statistics/rx_bytes br-lan/statistics/rx_bytes')
    return stdout.split('\n').map(Number) as [number, number]
  }
  const checked = check(portProfile, { name: 'Up', ports: ['eth0'], isolation: 'on', stormLimit: '64 Kbps' })
  const data = 'data' in checked ? checked.data : {}
  await on('ap1', async session => {
    const { next } = await plan(session, [{ id: 'up', kind: 'portProfile', name: 'Up', data }])
    const pending = await push(session, next, 120)
    expect(await linuxDriver.selfCheck(session, next)).toEqual([])
    expect((await lab.sh('ap1', rules)).stdout).toMatch(/limit rate over 8000 bytes.*isolated on/s)
    const [eth0, bridge] = await until(async () => {
      const before = await octets()
      await lab.tool(...'ping -b -q -c 200 -i 0.002 -W 1 -s 1400 10.77.3.255'.split(' '))
      const [eth0 = 0, bridge = 0] = (await octets()).map((now, at) => now - (before[at] ?? 0))
      return eth0 > 200 * 1400 * 0.8 && ([eth0, bridge] as const)
    })
    expect(bridge).toBeLessThan(eth0 / 2)
    await linuxDriver.revert(session, pending)
  })
  const after = (await lab.sh('ap1', rules)).stdout
  expect(after).toContain('isolated off')
  expect(after).not.toContain('lanward_ports')
})
