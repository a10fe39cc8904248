// IPv6 in the LAN's networks as a client meets it: a prefix from the provider.
import { lab, until } from './_lab'
import { apply, begin, client, confirm, guest, office } from './_lan'
import { beginProvider, kept, listens, way } from './_lan-provider'
import { join, trunkOff } from './_vlan'

beforeAll(async () => {
  await begin()
  await beginProvider()
})
afterAll(() => Promise.all([lab.reset('inet'), trunkOff()]))

const own = { ...guest, data: { ...guest.data, ipv6: 'delegated', dhcp6: true } }
const web = 'http://[2001:db8:f::1]/'
const get = async (client: 'c2' | 'inet', url: string) =>
  (await lab.sh(client, `curl -s -o /dev/null -m 5 '${url}'`)).code
const address = async (prefix: string) =>
  new RegExp(`inet6 (${prefix}:[0-9a-f:]+)/\\d+ scope global`).exec(await client('ip -6 addr show dev eth0'))?.[1]

test('a prefix from the provider reaches the clients, who reach the internet; strangers reach them by a rule alone', async () => {
  await confirm(await apply([kept, way({ ipv6: 'auto' }), own, office]))
  await join(20)
  await listens()
  const made = await until(() => address('2001:db8:50'))
  await until(async () => (await get('c2', web)) === 0)
  await lab.sh('c2', 'mkdir -p /tmp/www; echo c2 >/tmp/www/index.html; busybox httpd -p 8000 -h /tmp/www')
  expect(await get('inet', `http://[${made}]:8000/`)).toBe(28)
  const rule = { name: 'in', action: 'allow', from: 'wan', to: 'lan', protocol: 'tcp', ports: '8000' }
  const opened = [kept, way({ ipv6: 'auto' }), own, office]
  await confirm(await apply([...opened, { id: 'in', kind: 'wiredRule', name: 'in', data: rule }]))
  await until(async () => (await get('inet', `http://[${made}]:8000/`)) === 0)
})

test('it is given out by DHCPv6, too', async () => {
  const asked = 'dhclient -6 -1 -v -sf /bin/true -lf /run/l6 -pf /run/p6 eth0 2>&1; cat /run/l6'
  expect(await client(asked)).toMatch(/iaaddr 2001:db8:50:[0-9a-f:]*:1[0-9a-f]{3} /)
})

test('it may be a fixed one, of which a LAN has the part of its VLAN', async () => {
  const fixed = { address6: '2001:db8:f::2', prefix6: 64, gateway6: '2001:db8:f::1', delegated: '2001:db8:50::/56' }
  await confirm(await apply([kept, way({ ipv6: 'static', ...fixed }), own, office]))
  await until(async () => (await lab.sh('gw', 'ip -6 addr show dev lan20')).stdout.includes('2001:db8:50:14::1/64'))
  await until(() => address('2001:db8:50:14'))
  await until(async () => (await get('c2', web)) === 0)
  await confirm(await apply([guest, office]))
})
