// What becomes of the LAN's networks: after a reboot, when they are taken away, and beside what somebody else configured.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan } from './_device'
import { lab, until } from './_lab'
import { apply, begin, confirm, document, guest, office } from './_lan'
import { join, trunkOff } from './_vlan'

beforeAll(begin)
afterAll(trunkOff)

test('all is there after a reboot', async () => {
  await lab.reboot('gw')
  expect(await join(30)).toMatch(/^ip='?192\.168\.30\.77'?$/m)
})

test('a network that is taken away is gone, and comes back with what was not confirmed', async () => {
  const pending = await apply([office])
  expect((await lab.in('gw', ['ip', 'addr', 'show', 'dev', 'lan20'])).code).not.toBe(0)
  await on('gw', session => driver.revert(session, pending))
  await until(async () => (await lab.sh('gw', 'ip -4 addr show dev lan20')).stdout.includes('192.168.20.1/24'))
  expect(await join(20)).toMatch(/^ip='?192\.168\.20\./m)
})

test('everything can be taken away', async () => {
  await confirm(await apply([]))
  expect((await lab.sh('gw', 'ip -br link; ls /etc/lanward; pgrep -f lanward-lan')).stdout).not.toMatch(/lan[23]0/)
})

test('the first network of a device that reboots before it was confirmed leaves nothing behind', async () => {
  const made = async () =>
    (await lab.in('gw', ['ovs-vsctl', '--bare', '--columns=name', 'find', 'Port', 'external_ids:lanward=lan'])).stdout
  await apply([guest])
  expect(await made()).toBe('lan20\n')
  await lab.reboot('gw')
  await until(async () => (await lab.sh('gw', 'ovs-vsctl list-ports br-lan')).code === 0)
  await until(async () => (await made()) === '')
})

test('a network that another interface has is named and stops the push; the one beside it does not', async () => {
  const outer = '192.168.20.57/24'
  await lab.sh('gw', `ip addr add ${outer} dev eth3`)
  await on('gw', async session => {
    const { warnings } = await plan(session, [guest, document(21)])
    const values = { lan: 'LAN 20', interface: 'eth3', address: outer }
    expect(warnings.filter(one => one.blocks)).toEqual([
      { code: 'lanOverlap', kind: 'lan', document: guest.id, blocks: true, values },
    ])
  })
  await lab.sh('gw', `ip addr del ${outer} dev eth3`)
})

test('what somebody else configured is left alone and named', async () => {
  await lab.in('gw', ['systemctl', 'disable', '--now', 'lab-trunk'])
  await lab.reboot('gw')
  await on('gw', async session => {
    const { next, warnings } = await plan(session, [document(1, { address: '10.77.0.1/22', dhcp: false })])
    expect(next.blocks).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'lanForeign', blocks: true, values: { interface: 'eth1', by: '/etc/systemd/network/10-lan.network' } },
    ])
  })
})
