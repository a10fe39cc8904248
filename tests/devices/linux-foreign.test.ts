import { iniSettings, listed } from '@/server/devices/linux/foreign/ini'
import { ifupdownLinks, networkdLink, withPrefix } from '@/server/devices/linux/foreign/links'
import { forwards, timeServers, zoneOf } from '@/server/devices/linux/foreign/system'

const network = (...lines: string[]) => networkdLink('/etc/systemd/network/10-lan.network', lines.join('\n'))
const stanzas = (...lines: string[]) => ifupdownLinks('/etc/network/interfaces', lines.join('\n'))

test('systemd.syntax: comments, continued lines, and lists that an empty line begins anew', () => {
  const all = iniSettings('[Time]\n# NTP=no\nNTP=a \\\n  b\n;NTP=no\nFallbackNTP=z\n[Other]\nNTP=other\n[Time]\nNTP=c')
  expect(listed(all, 'Time', 'NTP')).toEqual(['a', 'b', 'c'])
  expect(listed([...all, { section: 'Time', key: 'NTP', value: '' }], 'Time', 'NTP')).toEqual([])
  expect(iniSettings('NTP=in no section')).toEqual([])
})

test('networkd: what a file says of its interface, and what settings cannot say of it', () => {
  const lan = ['[Match]', 'Name=eth1', '', '[Network]', 'Address=10.77.0.1/22', 'IPForward=yes', 'LinkLocalAddressing=no']
  expect(network(...lan)).toMatchObject({
    ...{ interface: 'eth1', by: 'networkd', more: [] },
    addressing: { connection: 'static', address: '10.77.0.1', prefix: 22 },
  })
  expect(network(...lan, 'Gateway=10.77.0.254')?.addressing).toMatchObject({ gateway: '10.77.0.254' })
  expect(network(...lan, '[Route]', 'Gateway=10.77.0.254')?.addressing).toMatchObject({ gateway: '10.77.0.254' })
  expect(network('[Match]', 'Name=eth0', '[Network]', 'DHCP=yes')?.addressing).toEqual({ connection: 'dhcp' })
  expect(network(...lan, 'VLAN=eth1.5', 'DHCPServer=yes')?.more).toEqual(['VLAN=eth1.5', 'DHCPServer=yes'])
  expect(network(...lan, 'DHCP=ipv4')).toMatchObject({ more: ['DHCP=ipv4'] })
  expect(network(...lan, 'DHCP=ipv4')?.addressing).toBeUndefined()
  expect(network(...lan, 'Address=10.78.0.1/24')?.addressing).toBeUndefined()
  expect(network(...lan, 'Address=', 'Address=10.78.0.1/24')?.addressing).toMatchObject({ address: '10.78.0.1' })
  expect(network('[Match]', 'Name=br-lan', '[Network]', 'Bridge=br0')).toMatchObject({ more: ['Bridge=br0'] })
})

test.each(['Name=eth*', 'Name=eth0 eth1', 'Name=!eth0', 'Name=eth0\nType=ether', 'MACAddress=02:00:00:00:00:01'])(
  'networkd: a file that may match other interfaces too is nobody’s single file: %s',
  match => expect(network('[Match]', match, '[Network]', 'Address=10.0.0.1/24')).toBeUndefined(),
)

test('ifupdown: each stanza as it stands, its comments and what comes after it left', () => {
  const text = [
    ...['auto lo', 'iface lo inet loopback', '', 'auto eth0', 'iface eth0 inet static', '  address 203.0.113.2/24'],
    ...['  # the router', '  gateway 203.0.113.1', '', '# next', 'allow-hotplug eth1', 'iface eth1 inet dhcp', 'iface eth2 inet manual'],
  ]
  expect(stanzas(...text)).toEqual([
    {
      ...{ path: '/etc/network/interfaces', interface: 'eth0', by: 'ifupdown', more: [] },
      addressing: { connection: 'static', address: '203.0.113.2', prefix: 24, gateway: '203.0.113.1' },
      text: 'iface eth0 inet static\n  address 203.0.113.2/24\n  # the router\n  gateway 203.0.113.1',
    },
    {
      ...{ path: '/etc/network/interfaces', interface: 'eth1', by: 'ifupdown', more: [], text: 'iface eth1 inet dhcp' },
      addressing: { connection: 'dhcp' },
    },
  ])
})

test('ifupdown: a mask of its own line counts, and what settings cannot say is named', () => {
  const [one] = stanzas('iface eth0 inet static', 'address 10.0.0.2', 'netmask 255.255.252.0')
  expect(one).toMatchObject({ addressing: { connection: 'static', address: '10.0.0.2', prefix: 22 }, more: [] })
  const [two] = stanzas('iface eth0 inet static', 'address 10.0.0.2/24', 'up ip route add 10.9.0.0/16 via 10.0.0.9', 'mtu 9000')
  expect(two?.more).toEqual(['up ip route add 10.9.0.0/16 via 10.0.0.9', 'mtu 9000'])
  expect(stanzas('iface eth0 inet6 static', 'address 2001:db8::1/64')[0]).toMatchObject({ more: ['inet6 static'] })
  expect(stanzas('iface eth0 inet static inherits other', 'address 10.0.0.2/24')[0]?.addressing).toBeUndefined()
})

test.each([
  ['10.0.0.1/24', undefined, 24],
  ['10.0.0.1', '255.255.255.0', 24],
  ['10.0.0.1', '24', 24],
  ['10.0.0.1', '255.0.255.0', undefined],
  ['10.0.0.1', undefined, undefined],
  ['10.0.0.1/31', undefined, undefined],
  ['fe80::1/64', undefined, undefined],
  ['10.0.0.1/24/24', undefined, undefined],
])('an address %s with the mask %s', (address, mask, prefix) => expect(withPrefix(address, mask)?.prefix).toBe(prefix))

test('timesyncd: drop-ins add to the main file, in their order', () => {
  const main = { path: '/etc/systemd/timesyncd.conf', text: '[Time]\n#NTP=\nNTP=a b' }
  const drop = (name: string, text: string) => ({ path: `/etc/systemd/timesyncd.conf.d/${name}.conf`, text })
  expect(timeServers([drop('b', '[Time]\nNTP=d'), drop('a', '[Time]\nNTP=c'), main])).toEqual(['a', 'b', 'c', 'd'])
  expect(timeServers([main, drop('a', '[Time]\nNTP=\nNTP=c')])).toEqual(['c'])
})

test.each([
  ['*.* @192.0.2.5', { protocol: 'udp', host: '192.0.2.5', port: 514 }],
  ['*.*  @@log.example.com:6514', { protocol: 'tcp', host: 'log.example.com', port: 6514 }],
  ['*.* @[2001:db8::5]:515', { protocol: 'udp', host: '2001:db8::5', port: 515 }],
  ['*.* action(type="omfwd" target="192.0.2.5" port="10514" protocol="tcp")', { protocol: 'tcp', host: '192.0.2.5', port: 10_514 }],
  ['auth.* @192.0.2.5', undefined],
  ['*.* @192.0.2.5;Format', undefined],
  ['*.* @@(o)192.0.2.5:514', undefined],
  ['*.* @192.0.2.5:99999', undefined],
  ['*.* action(type="omfwd" target="192.0.2.5" queue.type="disk")', undefined],
])('rsyslog: %s', (line, target) => {
  const [found] = forwards({ path: '/etc/rsyslog.conf', text: `# *.* @no\n${line}\n*.* /var/log/all` })
  expect(found?.target).toEqual(target)
  expect(found?.line).toBe(line)
})

test('rsyslog: lines that write files are none', () =>
  expect(forwards({ path: 'x', text: 'auth.* /var/log/auth.log\n*.* action(type="omfile" file="/x")\n' })).toEqual([]))

test.each([
  ['/usr/share/zoneinfo/Europe/Berlin', undefined, 'Europe/Berlin'],
  ['../usr/share/zoneinfo/Etc/UTC', 'Asia/Tokyo', 'Etc/UTC'],
  [undefined, 'Asia/Tokyo', 'Asia/Tokyo'],
  ['/tmp/x', '$(reboot)', undefined],
])('a zone by its link %s or its name %s', (link, name, zone) => expect(zoneOf(link, name)).toBe(zone))

test('what a hostile device says is bounded', () => {
  const long = 'x'.repeat(1_000_000)
  expect(iniSettings(`[A]\nB=${long}`)[0]?.value.length).toBe(500)
  expect(stanzas(...Array.from({ length: 5_000 }, (_, at) => `iface eth${at} inet dhcp`))).toHaveLength(2_000)
  expect(forwards({ path: 'x', text: `*.* @${long}\n`.repeat(3) })).toEqual([])
  expect(iniSettings('\\\n'.repeat(100_000))).toEqual([])
})
