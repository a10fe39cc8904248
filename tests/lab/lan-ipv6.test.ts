// IPv6 in the LAN's networks as a client meets it: a unique local prefix, and one from the provider.
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on } from './_device'
import { lab, until } from './_lab'
import { apply, begin, client, confirm, guest, office } from './_lan'
import { join, trunkOff } from './_vlan'

beforeAll(async () => {
  await begin()
  await join(20)
})
afterAll(() => Promise.all([lab.reset('inet'), trunkOff()]))

test('clients get an address of the unique local prefix', async () => {
  const pending = await apply([{ ...guest, data: { ...guest.data, ipv6: 'ula' } }, office])
  await lab.sh(
    'c2',
    'sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0 net.ipv6.conf.eth0.accept_ra=2; ip link set eth0 down; ip link set eth0 up',
  )
  await until(async () => /inet6 fd[0-9a-f:]+\/64/.test(await client('ip -6 addr show dev eth0')))
  await on('gw', session => driver.revert(session, pending))
})

describe('a prefix from the provider', () => {
  const way = (more: object): DesiredDocument => ({
    id: 'way',
    kind: 'wan',
    name: 'way',
    data: { name: 'way', interface: 'eth3', metric: 2, ...more },
  })
  const kept: DesiredDocument = {
    id: 'kept',
    kind: 'wan',
    name: 'kept',
    data: { name: 'kept', interface: 'eth0', connection: 'kept' },
  }
  const own = { ...guest, data: { ...guest.data, ipv6: 'delegated', dhcp6: true } }
  const web = 'http://[2001:db8:f::1]/'
  const get = async (client: 'c2' | 'inet', url: string) =>
    (await lab.sh(client, `curl -s -o /dev/null -m 5 '${url}'`)).code
  const address = async (prefix: string) =>
    new RegExp(`inet6 (${prefix}:[0-9a-f:]+)/\\d+ scope global`).exec(await client('ip -6 addr show dev eth0'))?.[1]

  beforeAll(async () => {
    // A provider: it announces itself, gives one prefix of 56 bits, and sends that to whoever has it.
    const dhcpd = 'subnet6 2001:db8:f::/64 { prefix6 2001:db8:50:: 2001:db8:50:: /56; }'
    const router = '-6 route replace 2001:db8:50::/56 via fe80::5eff:fe10:f4 dev eth1'
    await lab.sh(
      'inet',
      `ip -6 addr add 2001:db8:f::1/64 dev eth1; ip ${router}; echo '${dhcpd}' >/run/pd.conf; >/run/pd.leases
      dnsmasq -C /dev/null --port=0 --interface=eth1 --bind-dynamic --enable-ra --dhcp-range=2001:db8:f::,ra-only --pid-file=/run/ra.pid
      dhcpd -6 -q -cf /run/pd.conf -lf /run/pd.leases -pf /run/pd.pid eth1`,
    )
    // A device's own firewall that lets IPv6 in is a person's decision.
    for (const hook of ['input', 'forward'])
      await lab.in('gw', ['nft', 'insert', 'rule', 'inet', 'filter', hook, 'iifname', 'eth3', 'accept'])
  })

  test('which the kernel itself takes stays the gateway’s own when it begins to forward', async () => {
    await lab.sh(
      'gw',
      `sysctl -qw net.ipv6.conf.all.forwarding=0 net.ipv6.conf.eth3.disable_ipv6=0 net.ipv6.conf.eth3.accept_ra=1
      ip link set eth3 down; ip link set eth3 up`,
    )
    const own6 = async () => (await lab.sh('gw', 'ip -6 route show default dev eth3')).stdout.includes('proto ra')
    await until(own6)
    const data = { name: 'way', interface: 'eth3', connection: 'kept', metric: 2 }
    const local = { ...guest, data: { ...guest.data, ipv6: 'ula' } }
    await confirm(await apply([kept, { id: 'way', kind: 'wan', name: 'way', data }, local, office]))
    expect(await own6()).toBe(true)
    expect((await lab.sh('gw', 'sysctl -n net.ipv6.conf.all.forwarding net.ipv6.conf.eth3.accept_ra')).stdout).toBe(
      '1\n2\n',
    )
    await confirm(await apply([guest, office]))
  })

  test('reaches the clients, who reach the internet; strangers reach them by a rule alone', async () => {
    await confirm(await apply([kept, way({ ipv6: 'auto' }), own, office]))
    await join(20)
    await lab.sh(
      'c2',
      'sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0 net.ipv6.conf.eth0.accept_ra=2; ip link set eth0 down; ip link set eth0 up',
    )
    const made = await until(() => address('2001:db8:50'))
    await until(async () => (await get('c2', web)) === 0)
    await lab.sh('c2', 'mkdir -p /tmp/www; echo c2 >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
    expect(await get('inet', `http://[${made}]:8000/`)).toBe(28)
    const rule = { name: 'in', action: 'allow', from: 'wan', to: 'lan', protocol: 'tcp', ports: '8000' }
    const opened = [kept, way({ ipv6: 'auto' }), own, office]
    await confirm(await apply([...opened, { id: 'in', kind: 'wiredRule', name: 'in', data: rule }]))
    await until(async () => (await get('inet', `http://[${made}]:8000/`)) === 0)
  })

  test('is given out by DHCPv6, too', async () => {
    const asked = 'dhclient -6 -1 -v -sf /bin/true -lf /run/l6 -pf /run/p6 eth0 2>&1; cat /run/l6'
    expect(await client(asked)).toMatch(/iaaddr 2001:db8:50:[0-9a-f:]*:1[0-9a-f]{3} /)
  })

  test('may be a fixed one, of which a LAN has the part of its VLAN', async () => {
    const fixed = { address6: '2001:db8:f::2', prefix6: 64, gateway6: '2001:db8:f::1', delegated: '2001:db8:50::/56' }
    await confirm(await apply([kept, way({ ipv6: 'static', ...fixed }), own, office]))
    await until(async () => (await lab.sh('gw', 'ip -6 addr show dev lan20')).stdout.includes('2001:db8:50:14::1/64'))
    await until(() => address('2001:db8:50:14'))
    await until(async () => (await get('c2', web)) === 0)
    await confirm(await apply([guest, office]))
  })
})
