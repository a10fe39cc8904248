// The LAN's networks as a client meets them: c2 hangs on a trunk of the gateway, in the VLAN that its port is set to.
import type { DesiredDocument, Pending } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan, push } from './_device'
import { lab, until } from './_lab'
import { join, trunkOff, trunkOn } from './_vlan'

const document = (vlan: number, data: Record<string, unknown> = {}): DesiredDocument => ({
  id: `00000000-0000-4000-8000-0000000000${vlan}`,
  kind: 'lan',
  name: `LAN ${vlan}`,
  data: {
    name: `LAN ${vlan}`,
    vlan,
    address: `192.168.${vlan}.1/24`,
    poolStart: `192.168.${vlan}.100`,
    poolEnd: `192.168.${vlan}.150`,
    ...data,
  },
})
const guest = document(20, {
  domain: 'guest.test',
  lease: 7,
  wins: ['192.168.20.5', '192.168.20.6'],
  options: [
    { code: 42, type: 'address', value: '192.168.20.7, 192.168.20.8' },
    { code: 43, type: 'hex', value: '0104c0a8140a' },
    { code: 66, type: 'text', value: 'a "b\\, $(c):d' },
    { code: 224, type: 'text', value: '1500' },
    { code: 225, type: 'text', value: '5' },
  ],
})
const office = document(30, { leases: [{ mac: '02:00:5e:10:00:c2', address: '192.168.30.77', name: 'printer' }] })

const client = async (command: string) => (await lab.sh('c2', command)).stdout
const reaches = async (address: string) => (await lab.sh('c2', `ping -c 1 -W 2 ${address}`)).code === 0

async function apply(documents: DesiredDocument[]): Promise<Pending> {
  return on('gw', async session => {
    const { next, warnings } = await plan(session, documents)
    expect(warnings.filter(warning => warning.blocks)).toEqual([])
    const pending = await push(session, next, 120)
    expect(await driver.selfCheck(session, next)).toEqual([])
    const seen = await driver.read(session)
    const order = (blocks: { id: string; text: string }[]) =>
      blocks.map(({ id, text }) => ({ id, text })).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(order(seen.blocks)).toEqual(order(next.blocks))
    return pending
  })
}
const confirm = (pending: Pending) => on('gw', session => driver.confirm(session, pending))

beforeAll(trunkOn)
afterAll(trunkOff)

test('a client in a VLAN gets its lease, the options as they were written, and the internet', async () => {
  await confirm(await apply([guest, office]))
  const lease = await join(20)
  expect(lease).toMatch(/^ip='?192\.168\.20\.1[0-5]\d'?$/m)
  expect(lease).toMatch(/^router='?192\.168\.20\.1'?$/m)
  expect(lease).toMatch(/^dns='?192\.168\.20\.1'?$/m)
  expect(lease).toMatch(/^lease='?420'?$/m)
  expect(lease).toMatch(/^domain='?guest\.test'?$/m)
  expect(await client('busybox nslookup www.internet.test 192.168.20.1')).toContain('203.0.113.1')
  expect(await client('timeout 10 busybox wget -q -O - http://203.0.113.1/')).toContain('the internet of the lab')
})

test('a gateway that forwards no more is told by the proof of a push', async () => {
  await on('gw', async session => {
    const { next } = await plan(session, [guest, office])
    await lab.sh('gw', 'echo 0 >/proc/sys/net/ipv4/ip_forward')
    expect(new Set((await driver.selfCheck(session, next)).map(({ code }) => code))).toEqual(new Set(['forwardingOff']))
    await lab.sh('gw', 'echo 1 >/proc/sys/net/ipv4/ip_forward')
    expect(await driver.selfCheck(session, next)).toEqual([])
  })
})

test('the static lease that was set is the one that is given, and is seen as one', async () => {
  expect(await join(30)).toMatch(/^ip='?192\.168\.30\.77'?$/m)
  const seen = await on('gw', session => driver.observe(session, 'full'))
  expect(seen.leases).toContainEqual(
    expect.objectContaining({ mac: '02:00:5e:10:00:c2', address: '192.168.30.77', static: true }),
  )
})

test('the options reach the client byte by byte', async () => {
  await join(20)
  const capture = lab.sh('c2', `timeout 50 tcpdump -c 1 -vvv -xx -ni eth0 'udp src port 67' 2>/run/tcpdump`)
  await until(async () => (await lab.sh('c2', 'cat /run/tcpdump')).stdout.includes('listening on'))
  await lab.sh(
    'c2',
    'busybox udhcpc -n -q -i eth0 -s /bin/true -O ntpsrv -O tftp -O wins -O 43 -O 46 -O 224 -O 225 >/dev/null 2>&1',
  )
  const bytes =
    (await capture).stdout
      .match(/^\s+0x[0-9a-f]+: .*$/gm)
      ?.join('')
      .replace(/0x[0-9a-f]+:|\s/g, '') ?? ''
  expect(bytes).toContain('2a08c0a81407c0a81408')
  expect(bytes).toContain('2b060104c0a8140a')
  expect(bytes).toContain('2c08c0a81405c0a81406')
  expect(bytes).toContain('2e0108')
  // dnsmasq ends a server's name with a NUL.
  expect(bytes).toContain(`420e${Buffer.from('a "b\\, $(c):d').toString('hex')}00`)
  expect(bytes).toContain(`e004${Buffer.from('1500').toString('hex')}`)
  expect(bytes).toContain('e10135')
})

test('networks reach each other until one is isolated, and again when it no longer is', async () => {
  await join(20)
  await until(() => reaches('192.168.30.1'))
  await confirm(await apply([{ ...guest, data: { ...guest.data, isolation: true } }, office]))
  await until(() => reaches('192.168.20.1'))
  await until(() => reaches('203.0.113.1'))
  expect(await reaches('192.168.30.1')).toBe(false)
  await confirm(await apply([guest, office]))
  await until(() => reaches('192.168.30.1'))
})

test('a rule about two networks parts them, and leaves the internet and the way back', async () => {
  const rule: DesiredDocument = {
    id: 'parted',
    kind: 'wiredRule',
    name: 'parted',
    data: { name: 'parted', from: 'lan', fromLan: guest.data, to: 'lan', toLan: office.data, action: 'reject' },
  }
  await confirm(await apply([guest, office, rule]))
  const host = /^ip='?([\d.]+)/m.exec(await join(30, 'c1'))?.[1]
  await lab.sh('c1', 'mkdir -p /tmp/www; echo office >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
  await join(20)
  const [outside, inside] = ['http://203.0.113.1/', `http://${host}:8000/`]
  const get = async (url: string, client: 'c1' | 'c2' = 'c2') =>
    (await lab.sh(client, `curl -s -o /dev/null -m 5 ${url}`)).code
  await until(async () => (await get(outside)) === 0)
  // The gateway's own address in the other network is no host of it.
  await until(() => reaches('192.168.30.1'))
  expect(await get(inside)).toBe(7)
  await until(async () => (await get(outside, 'c1')) === 0)
  await confirm(await apply([guest, office]))
  await until(async () => (await get(inside)) === 0)
})

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
  afterAll(() => lab.reset('inet'))

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

test('name servers of a fixed way are asked for the clients’ names', async () => {
  await lab.sh(
    'inet',
    'dnsmasq -C /dev/null --no-resolv --listen-address=203.0.113.1 --bind-interfaces --address=/only.test/192.0.2.5 --pid-file=/run/d.pid',
  )
  const way: DesiredDocument = {
    id: 'way',
    kind: 'wan',
    name: 'way',
    data: {
      ...{ name: 'way', interface: 'eth3', connection: 'static', address: '198.51.100.150', prefix: 25 },
      ...{ gateway: '198.51.100.129', metric: 2, dns1: '203.0.113.1' },
    },
  }
  await confirm(await apply([way, guest, office]))
  await join(20)
  await until(async () => (await client('busybox nslookup only.test 192.168.20.1')).includes('192.0.2.5'))
  await confirm(await apply([guest, office]))
  await lab.sh('inet', 'kill $(cat /run/d.pid)')
})

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
