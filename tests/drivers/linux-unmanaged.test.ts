import { adoptBlock, renderAll } from '@/server/drivers/assess'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { unmanagedItems } from '@/server/drivers/linux/ownership/items'
import { ownership } from '@/server/drivers/linux/ownership/ownership'
import { placeOf, readPlace, writePlace } from '@/server/drivers/linux/unmanaged/edit'
import { iniSettings, listed } from '@/server/drivers/linux/unmanaged/ini'
import { addressingOf, ifupdownLinks, linkText, networkdLink, withPrefix } from '@/server/drivers/linux/unmanaged/links'
import { forwards, timeServers, zoneOf } from '@/server/drivers/linux/unmanaged/system'
import type { Observation } from '@/server/drivers/observation'
import type { ImportedItem } from '@/server/drivers/unmanaged'
import { fc } from '../_property'

const network = (...lines: string[]) => networkdLink('/etc/systemd/network/10-lan.network', lines.join('\n'))
const stanzas = (...lines: string[]) => ifupdownLinks('/etc/network/interfaces', lines.join('\n'))

test('systemd.syntax: comments, continued lines, and lists that an empty line begins anew', () => {
  const all = iniSettings('[Time]\n# NTP=no\nNTP=a \\\n  b\n;NTP=no\nFallbackNTP=z\n[Other]\nNTP=other\n[Time]\nNTP=c')
  expect(listed(all, 'Time', 'NTP')).toEqual(['a', 'b', 'c'])
  expect(listed([...all, { section: 'Time', key: 'NTP', value: '' }], 'Time', 'NTP')).toEqual([])
  expect(iniSettings('NTP=in no section')).toEqual([])
})

const lan = ['[Match]', 'Name=eth1', '', '[Network]', 'Address=10.77.0.1/22', 'IPForward=yes']

test('networkd: what a file says of its interface; what settings cannot say is no addressing', () => {
  expect(network(...lan)).toEqual({
    ...{ path: '/etc/systemd/network/10-lan.network', interface: 'eth1', by: 'networkd', text: 'Address=10.77.0.1/22' },
    addressing: { connection: 'static', address: '10.77.0.1', prefix: 22 },
  })
  expect(network(...lan, 'Gateway=10.77.0.254')?.addressing).toMatchObject({ gateway: '10.77.0.254' })
  expect(network('[Match]', 'Name=eth0', '[Network]', 'DHCP=yes')?.addressing).toEqual({ connection: 'dhcp' })
  expect(network(...lan, 'Address=', 'Address=10.78.0.1/24')?.addressing).toMatchObject({ address: '10.78.0.1' })
  expect(network('[Match]', 'Name=br-lan', '[Network]', 'Bridge=br0')).toMatchObject({ text: '' })
})

test.each([
  ['both ways', 'DHCP=ipv4'],
  ['two addresses in a line', 'Address=10.78.0.1/24 10.79.0.1/24'],
  ['a list begun anew with two addresses', 'Address=\nAddress=10.78.0.1/24\nAddress=10.79.0.1/24'],
  ['a list begun anew beside IPv6', 'Address=\nAddress=10.78.0.1/24\nAddress=fd00::1/64'],
  ['a gateway that is none', 'Gateway=_dhcp4'],
  ['a second section', '[Network]\nAddress=10.78.0.1/24'],
  ['a continued line', 'Address=\\\n10.78.0.1/24'],
])('networkd: %s cannot be said in settings', (_, line) => expect(network(...lan, line)?.addressing).toBeUndefined())

test.each<[string, string[], string[]]>([
  [
    'a second address and IPv6',
    ['Address=fd00::1/64', 'Address=10.77.0.1/22', 'Gateway=fe80::1', 'Address=10.78.0.1/24'],
    ['Address=fd00::1/64', 'Address=10.9.0.1/16', 'Gateway=fe80::1', 'Address=10.78.0.1/24'],
  ],
  ['IPv6 by DHCP', ['DHCP=ipv6', 'Address=10.77.0.1/22'], ['DHCP=ipv6', 'Address=10.9.0.1/16']],
  ['a list begun anew', ['Address=10.8.0.1/24', 'Address=', 'Address=10.77.0.1/22'], ['Address=10.9.0.1/16']],
])('networkd: %s stays when the first address changes', (_, former, wanted) => {
  expect(addressingOf('networkd', former.join('\n'))).toEqual({
    ...{ connection: 'static', address: '10.77.0.1', prefix: 22 },
  })
  const link = { by: 'networkd' as const, name: 'eth1', former: former.join('\n') }
  const how = { connection: 'static' as const, address: '10.9.0.1', prefix: 16 }
  expect(linkText(link, how)).toBe(wanted.join('\n'))
  expect(addressingOf('networkd', wanted.join('\n'))).toEqual(how)
})

test.each([
  ['DHCP=yes\nAddress=fd00::1/64', 'DHCP=ipv6\nAddress=fd00::1/64\nAddress=192.0.2.9/24\nGateway=192.0.2.1'],
  ['Gateway=fe80::1\nDHCP=ipv4', 'Gateway=fe80::1\nAddress=192.0.2.9/24\nGateway=192.0.2.1'],
])(
  'networkd: a way with %j keeps its IPv6 when it gets a fixed address, and when it is given back',
  (former, fixed) => {
    const how = { connection: 'static' as const, address: '192.0.2.9', prefix: 24, gateway: '192.0.2.1' }
    expect(addressingOf('networkd', former)).toEqual({ connection: 'dhcp' })
    expect(linkText({ by: 'networkd', name: 'eth0', former }, how)).toBe(fixed)
    expect(addressingOf('networkd', fixed)).toEqual(how)
    const back = linkText({ by: 'networkd', name: 'eth0', former: fixed }, { connection: 'dhcp' })
    expect(addressingOf('networkd', back)).toEqual({ connection: 'dhcp' })
    expect(back.split('\n').filter(line => line.includes(':'))).toEqual(
      former.split('\n').filter(line => line.includes(':')),
    )
    // In a file that says more, each is read back as it was written.
    const place = placeOf('/etc/systemd/network/10-wan.network', 'eth0')
    const file = `[Match]\nName=eth0\n\n[Network]\n# ours\n${former}\nLLMNR=no\n\n[Route]\nGateway=10.0.0.1\n`
    const changed = writePlace(file, place, fixed) ?? ''
    expect(readPlace(changed, place)).toBe(fixed)
    expect(readPlace(writePlace(changed, place, former) ?? '', place)).toBe(former)
    expect(changed).toContain('\n[Route]\nGateway=10.0.0.1\n')
  },
)

test.each(['Name=eth*', 'Name=eth0 eth1', 'Name=!eth0', 'Name=eth0\nType=ether', 'MACAddress=02:00:00:00:00:01'])(
  'networkd: a file that may match other interfaces too is nobody’s single file: %s',
  match => expect(network('[Match]', match, '[Network]', 'Address=10.0.0.1/24')).toBeUndefined(),
)

const interfaces = [
  ...['auto lo', 'iface lo inet loopback', '', 'auto eth0', 'iface eth0 inet static', '  address 203.0.113.2/24'],
  ...['  # the router', '  gateway 203.0.113.1', '  mtu 1400', '', '# next', 'allow-hotplug eth1'],
  ...['iface eth1 inet dhcp', 'iface eth2 inet manual', 'iface eth0 inet6 auto', ''],
].join('\n')

test('ifupdown: the lines of each interface for IPv4', () => {
  const path = '/etc/network/interfaces'
  expect(stanzas(interfaces)).toEqual([
    {
      ...{ path, interface: 'eth0', by: 'ifupdown' },
      addressing: { connection: 'static', address: '203.0.113.2', prefix: 24, gateway: '203.0.113.1' },
      text: 'iface eth0 inet static\naddress 203.0.113.2/24\ngateway 203.0.113.1',
    },
    { path, interface: 'eth1', by: 'ifupdown', addressing: { connection: 'dhcp' }, text: 'iface eth1 inet dhcp' },
  ])
})

test('ifupdown: a mask of its own line counts, and what settings cannot say is no addressing', () => {
  const how = (...lines: string[]) => stanzas('iface eth0 inet static', ...lines)[0]?.addressing
  expect(how('address 10.0.0.2', 'netmask 255.255.252.0')).toMatchObject({ address: '10.0.0.2', prefix: 22 })
  expect(how('address 10.0.0.2/24', 'iface eth0 inet dhcp')).toBeUndefined()
  expect(how('address 10.0.0.2/24', 'iface eth0 inet static inherits other')).toBeUndefined()
  expect(how('address 10.0.0.2/24', 'address 10.0.0.3/24')).toBeUndefined()
  expect(stanzas('iface eth0 inet static inherits other', 'address 10.0.0.2/24')[0]?.addressing).toBeUndefined()
})

describe('lines of a file that settings decide', () => {
  const eth0 = placeOf('/etc/network/interfaces', 'eth0')
  const before = readPlace(interfaces, eth0) ?? ''

  test('put back as they were they leave every byte as it was, and changed ones leave all others', () => {
    expect(writePlace(interfaces, eth0, before)).toBe(interfaces)
    const wanted = before.replace('203.0.113.2', '203.0.113.77')
    const changed = writePlace(interfaces, eth0, wanted) ?? ''
    expect(changed).toBe(interfaces.replace('203.0.113.2', '203.0.113.77'))
    expect(writePlace(changed, eth0, before)).toBe(interfaces)
  })

  test('fewer and more of them', () => {
    const dhcp = writePlace(interfaces, eth0, 'iface eth0 inet dhcp') ?? ''
    expect(dhcp).toBe(
      interfaces
        .replace('eth0 inet static', 'eth0 inet dhcp')
        .replace(/ +address.*\n/, '')
        .replace(/ +gateway.*\n/, ''),
    )
    expect(readPlace(writePlace(dhcp, eth0, before) ?? '', eth0)).toBe(before)
  })

  test('networkd: only the first [Network], never a comment', () => {
    const place = placeOf('/etc/systemd/network/10-lan.network', 'eth1')
    const text =
      '[Match]\nName=eth1\n[Network]\n#Address=1.2.3.4/8\nAddress=10.0.0.1/24\nDNS=10.0.0.9\n[Route]\nGateway=10.0.0.8\n'
    expect(readPlace(text, place)).toBe('Address=10.0.0.1/24')
    expect(writePlace(text, place, 'Address=10.0.0.2/24\nGateway=10.0.0.8')).toBe(
      text.replace('Address=10.0.0.1/24', 'Address=10.0.0.2/24\nGateway=10.0.0.8'),
    )
  })

  test('ifupdown: further stanzas of the interface, for IPv4 and IPv6, stay byte for byte', () => {
    const more = `${interfaces}iface eth0 inet6 static\n  address 2001:db8::2/64\n  gateway 2001:db8::1\n\niface eth0 inet static\n\taddress 198.51.100.2/24\n`
    expect(stanzas(more)[0]).toEqual(stanzas(interfaces)[0])
    const wanted = before.replace('203.0.113.2/24', '203.0.113.77/25')
    const changed = writePlace(more, eth0, wanted) ?? ''
    expect(changed).toBe(more.replace('203.0.113.2/24', '203.0.113.77/25'))
    expect(writePlace(changed, eth0, before)).toBe(more)
  })

  test('a file without such a place is not written', () => {
    expect(writePlace(interfaces, placeOf('/etc/network/interfaces', 'eth9'), before)).toBeUndefined()
    expect(readPlace('', placeOf('/etc/systemd/network/x.network', 'eth0'))).toBeUndefined()
  })

  test('whatever stands around them is left: 2,000 files made by chance', () => {
    const wanted = 'iface eth0 inet static\naddress 10.1.2.3/24'
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constantFrom(...interfaces.split('\n')))), lines => {
        const text = lines.join('\n')
        const out = writePlace(text, eth0, wanted)
        if (out === undefined) return
        expect(readPlace(out, eth0)).toBe(wanted)
        const others = (all: string) => all.split('\n').filter(one => eth0.key(one) === undefined)
        expect(others(out)).toEqual(others(text))
      }),
      { numRuns: 2_000 },
    )
  })
  const line = fc.string({ maxLength: 20 }).map(text => text.replaceAll('\n', ' '))
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
  ['*.* @192.0.2.5', { protocol: 'udp', host: '192.0.2.5', port: 514, level: 'debug' }],
  ['*.*  @@log.example.com:6514', { protocol: 'tcp', host: 'log.example.com', port: 6514, level: 'debug' }],
  ['*.warn @192.0.2.5', { protocol: 'udp', host: '192.0.2.5', port: 514, level: 'warning' }],
  ['*.none @192.0.2.5', { protocol: 'udp', host: '192.0.2.5', port: 514, level: 'none' }],
  ['*.=err @192.0.2.5', undefined],
  ['*.!err @192.0.2.5', undefined],
  ['*.* @[2001:db8::5]:515', { protocol: 'udp', host: '2001:db8::5', port: 515, level: 'debug' }],
  [
    '*.* action(type="omfwd" target="192.0.2.5" port="10514" protocol="tcp")',
    { protocol: 'tcp', host: '192.0.2.5', port: 10_514, level: 'debug' },
  ],
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

test('rsyslog: a target that was taken away comes back as a whole line at the end', () => {
  const place = placeOf('/etc/rsyslog.conf', 'forward')
  const file = 'auth.* /var/log/auth.log\n*.* @192.0.2.9\nmail.* /var/log/mail.log\n'
  const without = writePlace(file, place, '') ?? ''
  expect(readPlace(without, place)).toBe('')
  const back = writePlace(without.replace(/^\n/m, ''), place, '*.* @192.0.2.9')
  expect(back).toBe('auth.* /var/log/auth.log\nmail.* /var/log/mail.log\n*.* @192.0.2.9\n')
  expect(writePlace('', place, '*.* @192.0.2.9')).toBe('*.* @192.0.2.9\n')
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
  expect(stanzas(...Array.from({ length: 5_000 }, (_, at) => `iface eth${at} inet dhcp`))).toHaveLength(64)
  expect(forwards({ path: 'x', text: `*.* @${long}\n`.repeat(3) })).toEqual([])
  expect(iniSettings('\\\n'.repeat(100_000))).toEqual([])
})

describe('what is imported stays as it is', () => {
  const facts = {
    kind: 'gateway' as const,
    hostname: 'gw',
    capabilities: ['root', 'systemd', 'dnsmasq', 'nftables', 'rsyslog'],
  }
  const wired = (name: string, more: object) => ({ key: name, name, type: 'ethernet' as const, ...more })
  const observation: Observation = {
    ...{ takenAt: 0, depth: 'full', facts },
    interfaces: [
      wired('eth0', { defaultRoute: true, configuredBy: '/etc/network/interfaces' }),
      wired('eth1', { addresses: ['10.77.0.1/22'], configuredBy: '/etc/systemd/network/10-lan.network' }),
    ],
  }
  const input = { facts, observation, documents: [], confirmSeconds: 90 }
  const none = { zone: {}, tables: [], managed: [], clocks: [], ours: [] }
  const listed = (files: Record<string, string>) =>
    unmanagedItems({ ...none, files: Object.entries(files).map(([path, text]) => ({ path, text })) }, observation)

  /** Everything that is offered, taken over: what the plan then says of it. */
  function planned(files: Record<string, string>) {
    const all = listed(files)
    const taken = all.map(({ id, options }) => ({
      id,
      options: Object.fromEntries(options.filter(one => one.kind).map(one => [one.option, one.value ?? null])),
    }))
    const documents = linuxDriver.renderers
      .flatMap(one => one.proposes?.(taken, all, input) ?? [])
      .map(({ kind, fields }) => ({ id: kind, kind, name: kind, data: fields }))
    const { blocks, warnings } = renderAll(linuxDriver.renderers, { ...input, documents, imported: taken })
    const own = blocks.filter(block => block.item)
    return {
      taken,
      documents,
      own: own.map(({ id, text }) => ({ id, text })),
      warnings,
    }
  }
  const former = (taken: ImportedItem[]) =>
    taken.flatMap(one => ownership.former(one)).map(({ id, text }) => ({ id, text }))

  test.each([
    ['iface eth0 inet static\n address 203.0.113.2\n netmask 255.255.255.0\n gateway 203.0.113.1\n mtu 1400'],
    ['auto eth0\niface eth0 inet dhcp\n  up true'],
  ])('a way out by ifupdown: %s', text => {
    const { taken, own, warnings } = planned({ '/etc/network/interfaces': text })
    expect(taken.map(one => Object.keys(one.options))).toEqual([['addresses']])
    expect(own).toEqual(former(taken))
    expect(own).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  test('the LAN by networkd and the lines of rsyslog', () => {
    const files = {
      '/etc/systemd/network/10-lan.network': '[Match]\nName=eth1\n[Network]\nAddress=10.77.0.1/22\nDNS=10.77.0.9\n',
      '/etc/rsyslog.d/10-all.conf': '*.*   @@log.example.com\n',
    }
    const { taken, own, warnings } = planned(files)
    expect(own).toEqual(former(taken))
    expect(own.map(one => one.text)).toEqual(['Address=10.77.0.1/22', '*.*   @@log.example.com'])
    expect(warnings).toEqual([])
  })

  test('what somebody changed there since is told in settings, as far as they can say it', () => {
    const lan = planned({
      '/etc/systemd/network/10-lan.network': '[Match]\nName=eth1\n[Network]\nAddress=10.77.0.1/22\n',
    })
    const wan = planned({
      '/etc/network/interfaces': 'iface eth0 inet static\naddress 203.0.113.2/24\ngateway 203.0.113.1',
    })
    const adopted = ({ taken, documents }: typeof lan, text: string) => {
      const [{ id = '' } = {}] = taken
      return adoptBlock(linuxDriver, { ...input, documents, imported: taken }, { id, item: id, text })
    }
    expect(adopted(lan, 'Address=10.77.0.9/23')).toEqual([{ document: 'lan', fields: { address: '10.77.0.9/23' } }])
    expect(adopted(lan, 'Address=10.77.0.9/23\nGateway=10.77.0.1')).toBeUndefined()
    const other = 'iface eth0 inet static\naddress 203.0.113.9/24\ngateway 203.0.113.1'
    expect(adopted(wan, other)).toMatchObject([{ document: 'wan', fields: { address: '203.0.113.9' } }])
    expect(adopted(wan, 'iface eth0 inet dhcp')).toEqual([{ document: 'wan', fields: { connection: 'dhcp' } }])
    expect(adopted(wan, 'iface eth0 inet ppp')).toBeUndefined()
  })

  test('what is too long to be given back is not offered', () => {
    const files = { '/etc/rsyslog.d/10-all.conf': `*.* @${'a'.repeat(100)}\n`, '/etc/hostname': '' }
    expect(listed(files)[0]?.state).toBe('unmanaged')
    const many = Array.from({ length: 200 }, (_, at) => `Address=10.77.0.${at}/22`).join('\n')
    const [long] = listed({ '/etc/systemd/network/10-lan.network': `[Match]\nName=eth1\n[Network]\n${many}\n` })
    expect(long).toMatchObject({ state: 'unsupported', options: [{ option: 'addresses' }] })
    expect(long?.options[0]?.value).toHaveLength(2_000)
  })

  test('a LAN with more addresses: the first is a setting, the others stay, also when it is handed back', () => {
    const own = ['Address=fd00::1/64', 'Address=10.77.0.1/22', 'Address=10.78.0.1/24']
    const { taken, documents, warnings } = planned({
      '/etc/systemd/network/10-lan.network': `[Match]\nName=eth1\n[Network]\n${own.join('\n')}\n`,
    })
    expect(documents).toMatchObject([{ kind: 'lan', data: { address: '10.77.0.1/22' } }])
    expect(warnings).toEqual([])
    expect(former(taken)).toMatchObject([{ text: own.join('\n') }])
    const moved = documents.map(one => ({ ...one, data: { ...one.data, address: '10.9.0.1/16' } }))
    const { blocks } = renderAll(linuxDriver.renderers, { ...input, documents: moved, imported: taken })
    expect(blocks.find(block => block.item)?.text).toBe(own.join('\n').replace('10.77.0.1/22', '10.9.0.1/16'))
  })

  test('an interface with addresses under names of their own is not offered: they would go with a change', () => {
    const items = listed({
      '/etc/network/interfaces': 'iface eth0 inet static\n address 203.0.113.2/24\n gateway 203.0.113.1\n',
      '/etc/network/interfaces.d/more': 'iface eth0:1 inet static\n address 203.0.113.3/24\n',
    })
    expect(items).toMatchObject([{ state: 'unsupported', why: 'aliased', options: [{ option: 'addresses' }] }])
    expect(items[0]?.options[0]).not.toHaveProperty('kind')
  })

  test('what another file is in force for, or an interface without a setting has, is not offered', () => {
    const items = listed({
      '/etc/systemd/network/20-lan.network': '[Match]\nName=eth1\n[Network]\nAddress=10.77.0.1/22\n',
      '/etc/network/interfaces': 'iface eth7 inet static\n address 10.9.0.1/24\n',
    })
    expect(items.map(one => [one.state, one.options[0]?.kind])).toEqual([
      ['unsupported', undefined],
      ['unsupported', undefined],
    ])
  })
})
