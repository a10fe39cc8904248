// The ports of two switches with a trunk between them, as clients on them see it.
import { lab, until } from './_lab'
import { begin, end, give, one, port, pushed, reaches, save, second, untilReached } from './_switches'

beforeAll(begin)
afterAll(end)

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
