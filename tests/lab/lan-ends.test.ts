// What becomes of the LAN's networks: after a reboot, when they are taken away, and beside what somebody else configured.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan } from './_device'
import { lab, until } from './_lab'
import { apply, begin, client, confirm, document, guest, office, reaches } from './_lan'
import { join, trunkOff } from './_vlan'

beforeAll(begin)
afterAll(trunkOff)

const gateway = '192.168.20.1'
const addressOf = async (link: string) => (await lab.in('gw', ['cat', `/sys/class/net/${link}/address`])).stdout.trim()

test('all is there after a reboot, for a client that knows the gateway’s interface too', async () => {
  await join(20)
  // It never asks anew.
  await lab.in('c2', `ip neigh replace ${gateway} lladdr ${await addressOf('lan20')} nud permanent dev eth0`.split(' '))
  await lab.reboot('gw')
  await until(() => reaches(gateway))
  await lab.in('c2', `ip neigh del ${gateway} dev eth0`.split(' '))
  expect(await join(30)).toMatch(/^ip='?192\.168\.30\.77'?$/m)
})

test('an interface that Open vSwitch gave an address gets the bridge’s, and clients are told', async () => {
  await join(20)
  const former = '02:00:5e:10:20:99'
  await lab.sh(
    'gw',
    `ovs-vsctl clear Interface lan20 mac; ip link set lan20 address ${former}; echo 0 >/proc/sys/net/ipv4/conf/lan20/arp_notify`,
  )
  await lab.in('c2', ['ip', 'neigh', 'flush', 'dev', 'eth0'])
  expect(await reaches(gateway)).toBe(true)
  const known = () => client(`ip neigh show ${gateway}`)
  expect(await known()).toContain(former)
  await lab.in('gw', ['systemctl', 'restart', 'lanward-vlans'])
  const bridge = await addressOf('br-lan')
  expect(await addressOf('lan20')).toBe(bridge)
  expect(await addressOf('lan30')).toBe(bridge)
  await until(async () => (await known()).includes(bridge))
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
      { code: 'lanUnmanaged', blocks: true, values: { interface: 'eth1', by: '/etc/systemd/network/10-lan.network' } },
    ])
  })
})
