// IPv6 in the LAN's networks as a client meets it: a unique local prefix, and what the gateway itself has of its provider.
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on } from './_device'
import { lab, until } from './_lab'
import { apply, begin, client, confirm, guest, office } from './_lan'
import { beginProvider, kept, listens, way } from './_lan-provider'
import { join, trunkOff } from './_vlan'

beforeAll(async () => {
  await begin()
  await beginProvider()
  await join(20)
})
afterAll(() => Promise.all([lab.reset('inet'), trunkOff()]))

test('clients get an address of the unique local prefix', async () => {
  const pending = await apply([{ ...guest, data: { ...guest.data, ipv6: 'ula' } }, office])
  await listens()
  await until(async () => /inet6 fd[0-9a-f:]+\/64/.test(await client('ip -6 addr show dev eth0')))
  await on('gw', session => driver.revert(session, pending))
})

test('a prefix from the provider which the kernel itself takes stays the gateway’s own when it begins to forward', async () => {
  await lab.sh(
    'gw',
    `sysctl -qw net.ipv6.conf.all.forwarding=0 net.ipv6.conf.eth3.disable_ipv6=0 net.ipv6.conf.eth3.accept_ra=1
    ip link set eth3 down; ip link set eth3 up`,
  )
  const own6 = async () => (await lab.sh('gw', 'ip -6 route show default dev eth3')).stdout.includes('proto ra')
  await until(own6)
  const local = { ...guest, data: { ...guest.data, ipv6: 'ula' } }
  await confirm(await apply([kept, way({ connection: 'kept' }), local, office]))
  expect(await own6()).toBe(true)
  expect((await lab.sh('gw', 'sysctl -n net.ipv6.conf.all.forwarding net.ipv6.conf.eth3.accept_ra')).stdout).toBe(
    '1\n2\n',
  )
  await confirm(await apply([guest, office]))
})
