import { readFileSync } from 'node:fs'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { verifyNetwork } from '@/server/drivers/openwrt/lan/lan-check'
import { networkRoles } from './_network-roles'
import { startOpenwrt } from './openwrt-server'

const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
})

async function open(hide?: RegExp, answers: Record<string, string> = {}, greets = '') {
  const server = await startOpenwrt({ hide, answers, greets })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  running.push({ close: async () => driver.close(session) }, server)
  return { server, session }
}

test('facts of the recorded router', async () => {
  const { session } = await open()
  expect(await driver.facts(session)).toEqual({
    hostname: 'OpenWrt',
    vendor: 'GL.iNet',
    model: 'GL-MT6000',
    firmware: 'OpenWrt 24.10.4 r28959-29397011cc',
    hardware: 'AMD EPYC',
    mac: '02:6f:77:00:00:01',
    description: 'OpenWrt 24.10.4 r28959-29397011cc, mediatek/filogic, Linux 6.18.44-fc-v595',
    uptimeSeconds: 77,
    kind: 'gateway',
    capabilities: ['root', 'uci', 'luci', 'wifi', 'hostapd', 'fw4', 'noPppoe', 'noDhcpv6', 'leds', 'noPassword'],
  })
})

test('the full reading holds what the recording holds', async () => {
  const { session } = await open()
  const seen = await driver.observe(session, 'full')
  expect(seen.networkRoles).toEqual(networkRoles)
  expect(seen.problems).toBeUndefined()
  expect(seen.radios).toEqual([
    {
      key: 'radio0',
      name: 'radio0',
      band: '2g',
      channel: 1,
      widthMhz: 20,
      txPowerDbm: 20,
      noiseDbm: -89,
      utilizationPercent: 23,
      up: true,
    },
    {
      key: 'radio1',
      name: 'radio1',
      band: '5g',
      channel: 36,
      widthMhz: 80,
      txPowerDbm: 20,
      noiseDbm: -92,
      utilizationPercent: 23,
      up: true,
    },
  ])
  expect(
    seen.bss?.map(({ radio, interface: name, ssid, bssid, up, clients }) => [radio, name, ssid, bssid, up, clients]),
  ).toEqual([
    ['radio0', 'phy0-ap0', 'OpenWrt', '02:6f:77:00:00:10', true, 1],
    ['radio1', 'phy1-ap0', 'OpenWrt', '02:6f:77:00:00:20', true, 2],
  ])
  expect(seen.stations).toHaveLength(3)
  expect(seen.stations?.[1]).toEqual({
    mac: 'a4:83:e7:11:22:33',
    bss: 'phy1-ap0',
    ssid: 'OpenWrt',
    signalDbm: -56,
    rxRate: 1_047_000_000,
    txRate: 942_300_000,
    rxBytes: 2_100_000,
    txBytes: 13_200_000,
    connectedSeconds: 16,
    retryPercent: 2,
    silentMs: 479,
  })
  expect(seen.leases?.map(lease => [lease.mac, lease.address, lease.hostname, lease.expiresAt])).toEqual([
    ['b8:27:eb:77:88:99', '192.168.1.229', 'sensor-07', 1_795_272_950_000],
    ['a4:83:e7:11:22:33', '192.168.1.124', 'macbook-anna', 1_795_272_943_000],
    ['3c:22:fb:44:55:66', '192.168.1.228', 'iphone-ben', 1_795_272_943_000],
    ['00:11:32:aa:bb:01', '192.168.1.179', 'nas-01', 1_795_272_888_000],
  ])
  // No LLDP daemon, no PoE, no serial number, no temperature: not provided, which is not "none".
  expect(seen.neighbours).toBeUndefined()
  expect(seen.networks).toEqual([
    { name: 'lan', device: 'br-lan' },
    { name: 'wan', device: 'eth1' },
    { name: 'wan6', device: 'eth1' },
  ])
  expect(seen.poe).toBeUndefined()
  expect(seen.facts?.serial).toBeUndefined()
  expect(seen.health?.temperatureCelsius).toBeUndefined()
  expect(seen.health).toMatchObject({
    load1: 0.38,
    memoryTotalBytes: 24_684_096 * 1024,
    memoryUsedBytes: (24_684_096 - 24_107_924) * 1024,
    storageTotalBytes: 264_212_084 * 1024,
  })
})

test('ports in the order of the case, links and counters', async () => {
  const { session } = await open()
  const { ports, interfaces } = await driver.observe(session, 'full')
  expect(ports?.map(port => [port.number, port.interface])).toEqual([
    [1, 'lan1'],
    [2, 'lan2'],
    [3, 'lan3'],
    [4, 'lan4'],
    [5, 'lan5'],
    [6, 'eth1'],
  ])
  const by = (name: string) => interfaces?.find(one => one.name === name)
  expect(by('lan1')).toMatchObject({ up: true, speed: 10_000_000_000, duplex: 'full', master: 'br-lan' })
  // The link is down: netifd still names the last speed.
  expect(by('lan4')).toMatchObject({ adminUp: true, up: false })
  expect(by('lan4')?.speed).toBeUndefined()
  expect(by('br-lan')).toMatchObject({
    type: 'bridge',
    addresses: ['192.168.1.1/24', 'fdf7:74cc:667b::1/60', 'fe80::6f:77ff:fe00:1/64'],
  })
  expect(by('br-lan')?.counters).toMatchObject({ bits: 64, inOctets: 116_766, outOctets: 116_871, inPackets: 527 })
  expect(by('eth1')?.addresses).toContain('198.51.100.123/24')
  expect(by('phy1-ap0')?.type).toBe('wifi')
})

test('hosts with the port they hang on and their names', async () => {
  const { session } = await open()
  const { hosts } = await driver.observe(session, 'full')
  const by = (address: string) => hosts?.find(host => host.address === address)
  expect(by('192.168.1.179')).toEqual({
    mac: '00:11:32:aa:bb:01',
    address: '192.168.1.179',
    port: 'lan2',
    source: 'both',
    hostname: 'nas-01',
  })
  expect(by('192.168.1.229')).toMatchObject({ port: 'phy0-ap0', hostname: 'sensor-07' })
  expect(by('198.51.100.1')).toMatchObject({ port: 'eth1', source: 'arp' })
  // The device itself is none of its clients.
  expect(hosts?.some(host => host.mac.startsWith('02:6f:77'))).toBe(false)
})

test('without LuCI the same is read from ubus and files', async () => {
  const { session, server } = await open(/ubus call (luci|luci-rpc|iwinfo|rpc-sys) /)
  const seen = await driver.observe(session, 'full')
  expect(server.commands.some(line => line.includes('luci-rpc'))).toBe(false)
  expect(seen.facts).toMatchObject({ vendor: 'GL.iNet', model: 'GL-MT6000', kind: 'gateway' })
  expect(seen.radios?.map(radio => [radio.band, radio.channel])).toEqual([
    ['2g', 1],
    ['5g', 36],
  ])
  expect(seen.radios?.[0]?.txPowerDbm).toBeUndefined()
  expect(seen.stations).toHaveLength(3)
  expect(seen.leases).toHaveLength(4)
  expect(seen.interfaces?.find(one => one.name === 'br-lan')?.addresses).toEqual([
    '192.168.1.1/24',
    'fdf7:74cc:667b::1/60',
  ])
  expect(seen.hosts?.find(host => host.mac === '00:11:32:aa:bb:01')?.hostname).toBe('nas-01')
})

test('the country that a radio is configured for is read as it stands there, 00 too', async () => {
  const status = readFileSync(`${import.meta.dirname}/../recordings/openwrt-24.10/wireless-status.out`, 'utf8')
  const configured = status.replace('"band": "5g"', '"band": "6g", "country": "00"')
  const { session } = await open(undefined, { 'ubus call network.wireless status': configured })
  const { radios } = await driver.observe(session, 'counters')
  expect(radios?.map(radio => [radio.country, radio.configuredCountry])).toEqual([
    [undefined, undefined],
    [undefined, '00'],
  ])
})

test('25.12: a network on the air of two radios under one name is one, and its clients are there once', async () => {
  const status = readFileSync(`${import.meta.dirname}/../recordings/openwrt-24.10/wireless-status.out`, 'utf8')
  const both = status.replaceAll('phy1-ap0', 'phy0-ap0')
  const { session } = await open(undefined, { 'ubus call network.wireless status': both })
  const { bss, stations, radios } = await driver.observe(session, 'counters')
  expect([bss?.map(one => one.key), stations?.map(one => one.bss)]).toEqual([['phy0-ap0'], ['phy0-ap0']])
  expect(radios?.map(one => one.key)).toEqual(['radio0', 'radio1'])
})

test('a poll asks for what changes and no more', async () => {
  const { session, server } = await open()
  const seen = await driver.observe(session, 'counters')
  expect(seen).toMatchObject({ depth: 'counters', uptimeSeconds: 77 })
  expect(seen.stations).toHaveLength(3)
  expect(seen.facts).toBeUndefined()
  // Who is there, where, and as it is called, all the same.
  const { hosts } = await driver.observe(session, 'full')
  const places = (all: typeof hosts) => all?.map(({ mac, address, port }) => [mac, address, port])
  server.commands.length = 0
  expect(places((await driver.observe(session, 'counters')).hosts)).toEqual(places(hosts))
  expect(server.commands.some(line => line.includes('getHostHints') || line.includes('lldpcli'))).toBe(false)
})

test.each([
  ['a line', 'Welcome to hall 2\n'],
  ['a line without an end', 'Welcome'],
  ['lines that look like answers', '{"hostname":"other"}\nnetwork.lan=interface\n'],
])('an account whose shell prints %s before each command is read like any other', async (_, greets) => {
  const quiet = await open()
  const noisy = await open(undefined, {}, greets)
  expect(await driver.facts(noisy.session)).toEqual(await driver.facts(quiet.session))
  const { takenAt, ...seen } = await driver.observe(quiet.session, 'full')
  expect(await driver.observe(noisy.session, 'full')).toMatchObject(seen)
  const listed = async ({ session }: typeof quiet) => driver.ownership?.list(session, [])
  expect(await listed(noisy)).toEqual(await listed(quiet))
})

test('a system without ubus is no OpenWrt', async () => {
  const server = await startOpenwrt({ hide: /^ubus/ })
  running.push(server)
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  await expect(driver.connect(target, new AbortController().signal)).rejects.toMatchObject({ reason: 'unsupported' })
})

test('OpenWrt is known by what it says, not by its SSH server', () => {
  expect(driver.match({ system: { DISTRIB_ID: 'OpenWrt', kernel: 'Linux' } })).toBeGreaterThan(10)
  expect(driver.match({ system: { ID: 'openwrt' } })).toBeGreaterThan(10)
  expect(driver.match({ system: { ID: 'debian', kernel: 'Linux' }, sshBanner: 'SSH-2.0-dropbear' })).toBe(0)
})

test('an interface without its address, or without its protocol, is found by what netifd says of it', async () => {
  const { session } = await open()
  const block = (name: string, ...options: string[]) => {
    const own = name.startsWith('lw_')
    const lines = options.map(option => `network.${name}.${option}`)
    return {
      id: `uci:network.${name}`,
      ...(!own && { item: `uci:network.${name}` }),
      kind: 'lan',
      text: [...(own ? [`network.${name}=interface`] : []), ...lines].join('\n'),
    }
  }
  const codes = async (...blocks: ReturnType<typeof block>[]) =>
    (await verifyNetwork(session, blocks, 0)).map(({ code, values }) => [code, values?.interface])
  expect(await codes(block('lan', "proto='static'", "ipaddr='192.168.1.1'"), block('wan', "proto='dhcp'"))).toEqual([])
  expect(await codes(block('lan', "ipaddr='192.168.1.1/24'"))).toEqual([])
  expect(await codes(block('lan', "ipaddr='192.168.9.1'"), block('wan6', "proto='dhcpv6'"))).toEqual([
    ['lanAddressMissing', 'lan'],
    ['protocolDown', 'wan6'],
  ])
  expect(await codes(block('lw_lan20', "device='br-lw20'", "ipaddr='10.0.0.1'"))).toEqual([
    ['lanAddressMissing', 'lw_lan20'],
  ])
  // This kernel has no 802.1Q, which the plan says.
  expect(await codes(block('lw_lan20', "device='br-lan.20'", "ipaddr='10.0.0.1'"))).toEqual([])
})

test('hostapd keeps who went on, or never got in: neither is a client, nor counted as one', async () => {
  const recorded = readFileSync(`${process.cwd()}/tests/recordings/openwrt-24.10/hostapd-clients-phy0-ap0.out`, 'utf8')
  const readFrom = async (clients: string) => {
    const { session } = await open(undefined, { 'ubus call hostapd.phy0-ap0 get_clients': clients })
    const { bss = [], stations = [] } = await driver.observe(session, 'counters')
    const [first] = bss
    return [first?.clients ?? 0, stations.filter(one => one.bss === first?.key).length]
  }
  const before = await readFrom(recorded)
  for (const flag of ['assoc', 'authorized']) {
    const gone = await readFrom(recorded.replace(`"${flag}": true`, `"${flag}": false`))
    expect(gone).toEqual(before.map(count => count - 1))
  }
})
