import { vlanBridge } from '@/server/drivers/linux/base/lan-bridge'
import { parseShowmacs, readSwitching } from '@/server/drivers/linux/base/switching'
import { roleOf } from '@/server/drivers/linux/observe/facts'
import { parseAddresses, parseNetDev, readInterfaces, sysInterfaces } from '@/server/drivers/linux/observe/interfaces'
import { parseIwDev, readWifi } from '@/server/drivers/linux/observe/read-wifi'
import { planPush } from '@/server/drivers/linux/push'
import { hostapdSsid } from '@/server/drivers/linux/wifi/hostapd-conf'
import { decodeSsid, parseAllSta, parseHostapdStatus } from '@/server/drivers/unix/hostapd'
import { joinHosts } from '@/server/drivers/unix/hosts'
import { parseOsRelease } from '@/server/drivers/unix/os-release'
import { newMark, parseParts } from '@/server/drivers/unix/parts'
import {
  cpuPercent,
  parseArp,
  parseHealth,
  parseLeases,
  parseLldp,
  parseNeighbours,
} from '@/server/drivers/unix/tables'
import { clean, mac } from '@/server/drivers/unix/text'
import { made, readCase, render } from './_golden'

const mark = newMark()
const parts = (texts: Record<string, string>) =>
  parseParts(
    {
      code: 0,
      stdout: Object.entries({ ...texts, end: '' })
        .map(([name, text]) => `\n${mark} ${name}\n${text}\n${mark} = 0\n`)
        .join(''),
    },
    mark,
  )

describe('what a device says is hostile', () => {
  test('text is one line, bounded, and cannot mark a secret', () => {
    expect(clean(' a\u0000b\u001b[31m\nc ')).toBe('a b [31m c')
    expect(clean('\uE000hidden\uE001\u202e')).toBe('hidden')
    expect(clean('x'.repeat(10_000))).toHaveLength(255)
    expect(clean(7)).toBeUndefined()
  })

  test('a MAC is a MAC', () => {
    expect(mac('AA-BB-CC-00-11-22')).toBe('aa:bb:cc:00:11:22')
    for (const text of ['', 'aa:bb:cc:dd:ee', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '33:33:00:00:00:01', null])
      expect(mac(text)).toBeUndefined()
  })

  test.each([
    ['malformed', 0],
    ['closed', null],
  ])('an answer that is cut short is not used: %s', (reason, code) => {
    const stdout = `\n${mark} uptime\n12 3\n`
    expect(() => parseParts({ code, stdout }, mark)).toThrow(expect.objectContaining({ reason }))
  })

  test('a file cannot forge a part: the mark is new for every reading', () => {
    const forged = parts({ motd: `\nlanward-00000000 hostname\nevil\n` })
    expect(forged.text('hostname')).toBeUndefined()
  })

  test('broken tables give what is whole in them', () => {
    expect(parseLeases('x\n\n1 2 3\n1795272950 b8:27:eb:77:88:99 not-an-address n *\n')).toEqual([])
    expect(parseNeighbours('fe80::1 dev eth0 FAILED\n10.0.0.9 dev eth0 lladdr zz STALE\n')).toEqual([])
    expect(parseLldp('{"lldp":[{"interface":[{"name":"eth0","chassis":"x","port":[7]}, 3]}]}')).toEqual([
      { localPort: 'eth0', capabilities: [] },
    ])
    expect(parseLldp('no json')).toBeUndefined()
    expect(parseNetDev('a\nb\neth0:\n').get('eth0')).toEqual({ bits: 64 })
    expect(sysInterfaces('type=1\nname=\nname=eth0\n')).toHaveLength(1)
    expect(readSwitching(parts({ fdb: '[{"mac":7},null]', 'ovs-ports': '{"data":[[1]]}', vlans: '{}' })).fdb).toEqual(
      [],
    )
  })
})

test('an interface on which the kernel takes IPv6 from routers itself is told as one', () => {
  const text = 'name=eth0\nifindex=2\ntype=1\nhas=accept_ra\nname=eth1\nifindex=3\ntype=1\n'
  const seen = readInterfaces(parts({ interfaces: text }), { bridges: new Set(), members: new Map() })
  expect(seen.map(one => one.takesAdvertisements)).toEqual([true, undefined])
})

test('leases: expiry, no name, DHCPv6, a lease without an end', () => {
  const text = [
    '1795272950 b8:27:eb:77:88:99 192.168.1.229 sensor-07 01:b8',
    '0 00:11:32:aa:bb:01 192.168.1.179 * *',
    'duid 00:01:00:01',
    '1795272950 12345 fd00::7 host 00:01',
  ].join('\n')
  expect(parseLeases(text)).toEqual([
    { mac: 'b8:27:eb:77:88:99', address: '192.168.1.229', hostname: 'sensor-07', expiresAt: 1_795_272_950_000 },
    { mac: '00:11:32:aa:bb:01', address: '192.168.1.179' },
  ])
})

test.each([
  ['REACHABLE', undefined],
  ['DELAY', undefined],
  ['PROBE', undefined],
  ['PERMANENT', undefined],
  ['STALE', true],
  // Busybox.
  ['used 0/0/0 probes 4 STALE', true],
  ['ref 1 used 0/0/0 probes 1 REACHABLE', undefined],
  // iproute2 with -s, in whose 6.1 a blank is missing: proved so many seconds ago.
  [' used 33/30/5 probes 4 STALE', undefined],
  [' used 0/60/0probes 0 STALE', undefined],
  [' used 9/5000/8probes 1 STALE', true],
  ['router used 9/5000/8probes 1 STALE proto zebra', true],
])('a neighbour that is %s is stale: %s; seen in the forwarding table it is not', (words, stale) => {
  const hosts = parseNeighbours(`10.0.0.9 dev br0 lladdr aa:00:00:00:00:01 ${words}\n`)
  expect(hosts.map(host => host.stale)).toEqual([stale])
  const fdb = [{ mac: 'aa:00:00:00:00:01', port: 'p3', source: 'fdb' as const }]
  expect(joinHosts(hosts, fdb, new Set()).map(host => [host.source, host.stale])).toEqual([['both', undefined]])
})

test('hosts: the port of the forwarding table, the address of the neighbours, never the device itself', () => {
  const fdb = [
    { mac: 'aa:00:00:00:00:01', port: 'p3', vlan: 10, source: 'fdb' as const },
    { mac: 'aa:00:00:00:00:02', port: 'p4', source: 'fdb' as const },
    { mac: 'aa:00:00:00:00:0f', port: 'p1', source: 'fdb' as const },
  ]
  const known = parseArp('IP HW\n10.0.0.5 0x1 0x2 aa:00:00:00:00:01 * br0\n')
  expect(joinHosts(known, fdb, new Set(['aa:00:00:00:00:0f']))).toEqual([
    { mac: 'aa:00:00:00:00:01', address: '10.0.0.5', port: 'p3', vlan: 10, source: 'both' },
    { mac: 'aa:00:00:00:00:02', port: 'p4', source: 'fdb' },
  ])
})

test('one MAC in two VLANs has both places; an address goes to the one of its interface’s VLAN', () => {
  const twice = 'aa:00:00:00:00:01'
  const { fdb } = readSwitching(
    parts({
      fdb: JSON.stringify([
        { mac: twice, ifname: 'p1', vlan: 10, flags: [], master: 'br0', state: '' },
        { mac: twice, ifname: 'p2', vlan: 20, flags: [], master: 'br0', state: '' },
      ]),
    }),
  )
  const known = parseNeighbours(
    [`10.0.20.5 dev br0.20 lladdr ${twice} REACHABLE`, `10.0.10.5 dev br0.10 lladdr ${twice} STALE`].join('\n'),
  )
  const p1 = { mac: twice, port: 'p1', vlan: 10 }
  const p2 = { mac: twice, port: 'p2', vlan: 20 }
  expect(joinHosts(known, fdb, new Set())).toEqual([
    { ...p2, address: '10.0.20.5', source: 'both' },
    { ...p1, address: '10.0.10.5', source: 'both' },
  ])
  // Whose VLAN no interface tells is at the first, and the other place stays.
  const untold = parseNeighbours(`10.0.10.5 dev br0 lladdr ${twice} REACHABLE`)
  for (const places of [fdb, fdb.toReversed()])
    expect(joinHosts(untold, places, new Set())).toEqual([
      { ...p1, address: '10.0.10.5', source: 'both' },
      { ...p2, source: 'fdb' },
    ])
})

test('bridges of the kernel: learnt entries and VLANs', () => {
  const found = readSwitching(
    parts({
      fdb: JSON.stringify([
        { mac: 'aa:00:00:00:00:01', ifname: 'lan1', vlan: 20, flags: [], master: 'br0', state: '' },
        { mac: 'aa:00:00:00:00:02', ifname: 'lan1', master: 'br0', flags: [], state: 'permanent' },
        { mac: '33:33:00:00:00:01', ifname: 'lan1', flags: ['self'], state: 'permanent' },
      ]),
      vlans: JSON.stringify([
        {
          ifname: 'lan1',
          vlans: [
            { vlan: 1, flags: ['PVID', 'Egress Untagged'] },
            { vlan: 20, vlanEnd: 22 },
          ],
        },
      ]),
    }),
  )
  expect(found.fdb).toEqual([{ mac: 'aa:00:00:00:00:01', vlan: 20, port: 'lan1', source: 'fdb' }])
  expect(found.vlans.get('lan1')).toEqual({ nativeVlan: 1, taggedVlans: [20, 21, 22] })
})

test('Open vSwitch: access ports, trunks, and the name of a port number', () => {
  const rows = (headings: string[], ...data: unknown[]) => JSON.stringify({ headings, data })
  const found = readSwitching(
    parts({
      'ovs-bridges': rows(['name', 'ports'], ['br0', ['set', []]]),
      'ovs-interfaces': rows(
        ['_uuid', 'name', 'ofport', 'type'],
        [['uuid', 'i1'], 'p1', 1, ''],
        [['uuid', 'i2'], 'p2', 2, ''],
        [['uuid', 'i3'], 'br0', 65534, 'internal'],
      ),
      'ovs-ports': rows(
        ['_uuid', 'name', 'tag', 'trunks', 'vlan_mode', 'interfaces'],
        [['uuid', 'a'], 'p1', 10, ['set', []], ['set', []], ['uuid', 'i1']],
        [['uuid', 'b'], 'p2', ['set', []], ['set', [10, 20]], ['set', []], ['set', [['uuid', 'i2']]]],
      ),
      'ovs-fdb/br0':
        ' port  VLAN  MAC                Age\n    2    20  aa:00:00:00:00:01    3\nLOCAL     0  aa:00:00:00:00:02    0\n',
    }),
  )
  expect(found.vlans.get('p1')).toEqual({ nativeVlan: 10, taggedVlans: [] })
  expect(found.vlans.get('p2')).toEqual({ taggedVlans: [10, 20] })
  expect(found.fdb).toEqual([{ mac: 'aa:00:00:00:00:01', vlan: 20, port: 'p2', source: 'fdb' }])
  expect([...found.bridges, ...found.inner]).toEqual(['br0', 'br0'])
})

test('brctl without port names leaves the port out', () => {
  const text =
    '0x1 lan1\nport no\tmac addr\tis local?\tageing timer\n  1\taa:00:00:00:00:01\tno\t1.00\n  9\taa:00:00:00:00:02\tno\t1.00\n'
  expect(parseShowmacs(text)).toEqual([
    { mac: 'aa:00:00:00:00:01', port: 'lan1', source: 'fdb' },
    { mac: 'aa:00:00:00:00:02', source: 'fdb' },
  ])
})

test('addresses of iproute2 and of busybox', () => {
  const text =
    '2: eth0    inet 192.0.2.1/24 brd 192.0.2.255 scope global eth0\\ valid_lft forever\n3: v20@eth0    inet6 fe80::1/64 scope link \n4: tun0    inet 10.8.0.1 peer 10.8.0.2/32 scope global tun0\n'
  expect([...parseAddresses(text)]).toEqual([
    ['eth0', ['192.0.2.1/24']],
    ['v20', ['fe80::1/64']],
    ['tun0', ['10.8.0.1/32']],
  ])
})

test('hostapd: several networks, escaped names, stations', () => {
  const status =
    'state=ENABLED\nphy=phy0\nfreq=2437\nchannel=6\nbss[0]=wlan0\nbssid[0]=02:00:00:00:00:01\nssid[0]=Caf\\xc3\\xa9 \\"x\\"\nnum_sta[0]=2\nbss[1]=wlan0_1\nssid[1]=Guest\nnum_sta[1]=0\n'
  expect(parseHostapdStatus(status, 'phy0')).toEqual({
    channel: 6,
    bss: [
      {
        key: 'wlan0',
        radio: 'phy0',
        interface: 'wlan0',
        ssid: 'Café "x"',
        bssid: '02:00:00:00:00:01',
        up: true,
        clients: 2,
      },
      { key: 'wlan0_1', radio: 'phy0', interface: 'wlan0_1', ssid: 'Guest', up: true, clients: 0 },
    ],
  })
  const stations =
    '02:00:00:00:00:77\nflags=[AUTH][ASSOC][AUTHORIZED]\nrx_bytes=10\ntx_bytes=20\nsignal=-61\nrx_rate_info=866 vhtmcs 4\nconnected_time=9\ninactive_msec=1500\n02:00:00:00:00:78\nflags=[AUTH][ASSOC][AUTHORIZED]\nsignal=0\n'
  expect(parseAllSta(stations, { key: 'wlan0', ssid: 'Guest' })).toEqual([
    {
      mac: '02:00:00:00:00:77',
      signalDbm: -61,
      rxRate: 86_600_000,
      rxBytes: 10,
      txBytes: 20,
      connectedSeconds: 9,
      silentMs: 1500,
      bss: 'wlan0',
      ssid: 'Guest',
    },
    { mac: '02:00:00:00:00:78', bss: 'wlan0', ssid: 'Guest' },
  ])
  expect(decodeSsid('\\\\x41')).toBe('\\x41')
})

test.each([
  // As recorded of the access point that a station left 15 seconds before.
  ['[AUTH][WMM][HT]', '', 0],
  ['[AUTH][ASSOC][AUTHORIZED][WMM][HT]', 'hostapdWPAPTKState=11\n', 1],
  ['[AUTH][ASSOC][AUTHORIZED][SHORT_PREAMBLE]', '', 1],
  ['[AUTH][ASSOC][WMM]', '', 1],
  // A wrong password.
  ['[AUTH][ASSOC][WMM][HT]', 'hostapdWPAPTKState=3\n', 0],
  ['', '', 0],
])('hostapd: a station with the flags %s is in or not, and counted so', (flags, more, count) => {
  const status = 'state=ENABLED\nbss[0]=wlan0\nssid[0]=Guest\nnum_sta[0]=1\n'
  const stations = `02:00:00:00:00:77\nflags=${flags}\naid=0\n${more}`
  const found = readWifi(parts({ 'hostapd/wlan0': status, 'stations/wlan0': stations }))
  expect(found.stations).toHaveLength(count)
  expect(found.bss).toMatchObject([{ clients: count }])
})

test('iw: channel, width and power now', () => {
  const dev =
    'phy#1\n\tInterface wlan1\n\t\tifindex 5\n\t\ttype AP\n\t\tchannel 36 (5180 MHz), width: 80 MHz, center1: 5210 MHz\n\t\ttxpower 23.00 dBm\nphy#0\n\tInterface wlan0\n\t\ttype managed\n'
  expect(parseIwDev(dev)).toEqual([
    { phy: 'phy1', name: 'wlan1', index: 5, type: 'AP', channel: 36, mhz: 5180, width: 80, power: 23 },
    { phy: 'phy0', name: 'wlan0', type: 'managed' },
  ])
})

test('a radio is known by its own interface, which iw tells after those of its further networks', () => {
  const dev = 'phy#0\n\tInterface wlan0_1\n\t\tifindex 12\n\t\ttype AP\n\tInterface wlan0\n\t\tifindex 7\n\t\ttype AP\n'
  const hostapd = 'MARK hostapd/wlan0\nstate=ENABLED\n\nMARK = 0\nMARK hostapd/wlan0_1\nstate=ENABLED\n\nMARK = 0'
  const conf = 'MARK hostapd-conf\ninterface=wlan0\nfile=/etc/hostapd/lanward-phy0.conf\n\n\nMARK = 0'
  const stdout = `\n${hostapd}\nMARK iw-dev\n${dev}\nMARK = 0\n${conf}\nMARK end\n\nMARK = 0\n`
  const [radio] = readWifi(parseParts({ code: 0, stdout }, 'MARK')).radios
  expect(radio).toMatchObject({ key: 'phy0', interface: 'wlan0' })
  expect(radio?.unmanaged).toBeUndefined()
})

test('processors and memory', () => {
  expect(cpuPercent({ busy: 10, total: 100 }, { busy: 35, total: 200 })).toBe(25)
  expect(cpuPercent({ busy: 10, total: 100 }, { busy: 1, total: 20 })).toBeUndefined()
  expect(cpuPercent(undefined, { busy: 1, total: 20 })).toBeUndefined()
  const old = 'MemTotal: 100 kB\nMemFree: 20 kB\nCached: 30 kB\n'
  expect(parseHealth(old, '0.50 0.1 0.1', 'x\noverlay 1000 250 750 25% /')).toEqual({
    load1: 0.5,
    memoryTotalBytes: 102_400,
    memoryUsedBytes: 51_200,
    storageTotalBytes: 1_024_000,
    storageUsedBytes: 256_000,
  })
  expect(parseHealth()).toEqual({})
})

test('os-release is unquoted', () => {
  expect(parseOsRelease('ID=debian\nPRETTY_NAME="A \\"B\\" C"\nbad key=1\n')).toEqual({
    ID: 'debian',
    PRETTY_NAME: 'A "B" C',
  })
})

test.each([
  ['gateway', ['forwarding', 'nat', 'wifi'], 2, 0],
  ['ap', ['wifi', 'hostapd'], 1, 1],
  ['switch', ['ovs'], 8, 0],
  ['switch', [], 5, 1],
  ['other', ['forwarding'], 1, 0],
] as const)('a %s is known by what it does', (kind, tools, ports, bridges) => {
  expect(roleOf(new Set<string>(tools), ports, bridges)).toBe(kind)
})

// What is made of Wi-Fi networks is in golden/linux/wifi.
describe('rendering', () => {
  test('names with quotes stay whole, others are escaped', () => {
    expect(hostapdSsid('a "b" \\c')).toBe('ssid2="a "b" \\c"')
    expect(hostapdSsid('é"\\')).toBe('ssid2=P"\\xc3\\xa9\\x22\\x5c"\nutf8_ssid=1')
  })

  test('the order in which documents come does not change the plan', () => {
    const name = 'linux/wifi/02-two'
    const { given } = readCase(name)
    expect(given.documents).toHaveLength(2)
    expect(render('linux/wifi', { ...given, documents: given.documents.toReversed() })).toEqual(made(name))
  })

  test('a VLAN is found by the interface that carries it', () => {
    const interfaces = [{ key: 'eth0.20', name: 'eth0.20', type: 'vlan' as const, master: 'br-guest' }]
    expect(vlanBridge(interfaces, 20)).toBe('br-guest')
    expect(vlanBridge(interfaces, 2)).toBeUndefined()
  })

  test('nothing but our own files is ever written', () => {
    for (const path of [
      '/etc/passwd',
      '/etc/hostapd/hostapd.conf',
      '/etc/hostapd/lanward-../x.conf',
      '/etc/hostapd/lanward-a/b.conf',
    ])
      expect(() => planPush('1', { blocks: [] }, { blocks: [{ id: `file:${path}`, text: '' }] }, 60)).toThrow(
        /not ours/,
      )
  })
})
