// Ports of a Linux as its driver alone sets them, and gives them back.
import { check } from '@/model/kind'
import { portProfile } from '@/model/profiles/port'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'
import { port } from './_switches'

beforeAll(async () => {
  await lab.up()
  await Promise.all([lab.reset('sw2'), lab.reset('ap1')])
})
afterAll(() => Promise.all([lab.off('sw2'), lab.reset('ap1')]))

test('a device that reboots before it was confirmed has its ports as they were', async () => {
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
