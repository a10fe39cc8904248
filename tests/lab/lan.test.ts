// The LAN's networks as a client meets them: its lease, its options and its names.
import type { DesiredDocument } from '@/server/drivers/driver'
import { linuxDriver as driver } from '@/server/drivers/linux/driver'
import { on, plan } from './_device'
import { lab, until } from './_lab'
import { apply, client, confirm, guest, office } from './_lan'
import { join, trunkOff, trunkOn } from './_vlan'

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
