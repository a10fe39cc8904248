// What is made of Wi-Fi networks is in golden/openwrt/wifi; here is what follows from it, and what is read.
import { ssid } from '@/model/wifi/ssid'
import { renderAll } from '@/server/drivers/assess'
import type { RenderInput } from '@/server/drivers/driver'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { roleOf, splitModel } from '@/server/drivers/openwrt/observe/facts'
import { boardPorts, bridgeHosts, bridgeVlans, prefixLength } from '@/server/drivers/openwrt/observe/interfaces'
import { noise } from '@/server/drivers/openwrt/observe/read-wifi'
import { wifiFields } from '@/server/drivers/openwrt/options/wifi-fields'
import { equal, parseShow, planPush } from '@/server/drivers/openwrt/push'
import { parseSections } from '@/server/drivers/openwrt/uci/show'
import { networkFor, wifiRenderer } from '@/server/drivers/openwrt/wifi/wifi'
import { unmarked } from '@/server/drivers/unix/secret'
import { networkRoles } from './_network-roles'

const document = (id: string, data: Record<string, unknown>) => ({
  id,
  kind: 'ssid',
  name: String(data.name),
  data: { security: 'wpa2', key: 'correct horse', ...data },
})
const radio = (key: string, band: '2g' | '5g') => ({ key, name: key, band, country: 'DE', up: true })

/** The bridge tells VLANs apart: 20 is a network of the device, 40 comes in on a port. */
const filtering = {
  networkRoles,
  networks: [
    { name: 'lan', device: 'br-lan.1' },
    { name: 'guest', device: 'br-lan.20' },
  ],
  ports: [{ number: 1, label: 'lan1', interface: 'lan1', taggedVlans: [20, 40] }],
}

const render = (documents: RenderInput['documents']) =>
  wifiRenderer.render({
    facts: { kind: 'ap', capabilities: [] },
    observation: { takenAt: 0, depth: 'full', radios: [radio('radio0', '2g'), radio('radio1', '5g')], ...filtering },
    ...{ documents, confirmSeconds: 90 },
  })

/** Fields that no option of a wifi-iface says, and where they stand. */
const elsewhere: Readonly<Record<string, string>> = {
  bands: 'a section stands on each radio of a band',
  vouchers: 'no keys of vouchers here, of which a warning tells',
  schedule: 'the hours switch sections off and on',
  portal: 'the gateway of the VLAN asks for it',
  minRssi: 'hostapd has it once for a radio, of which a warning tells',
  minRate: 'hostapd has it once for a radio, of which a warning tells',
  beaconInterval: 'hostapd has it once for a radio, of which a warning tells',
}

test('each field of a network has a row of the table, or stands elsewhere', () => {
  const rows = wifiFields.map(one => one.field)
  const all = Object.keys(ssid.fields.shape)
  expect([...new Set<string>([...rows, ...Object.keys(elsewhere)])].toSorted()).toEqual(all.toSorted())
  expect(rows.filter(field => field in elsewhere)).toEqual([])
})

test('an option that the scripts read as a list is written as one, with one value, too', () => {
  const one = { macFilter: 'block', macList: ['02:00:00:00:00:01'], fastRoaming: true }
  const { blocks } = render([document('1', { name: 'One', ...one })])
  const text = planPush('1', { blocks: [] }, { blocks }, 60)
    .writes.map(write => write.text)
    .join('')
  const listed = [...text.matchAll(/^add_list wireless\.lw_1_radio0\.(\w+)=/gm)].map(([, option]) => option)
  expect(listed).toEqual(['maclist', 'r0kh', 'r1kh'])
})

test('what `uci show` prints is read back as it was planned, key marked, foreign sections left out', () => {
  const { blocks } = render([document('x-1', { name: "It's $(id)", key: 'a\'b\\c "d"' })])
  const shown = blocks.map(block => unmarked(block.text)).join('\n')
  const seen = parseShow(
    `wireless.radio0=wifi-device\nwireless.radio0.band='2g'\n${shown}\nwireless.default_radio0=wifi-iface\n`,
  )
  expect(seen.blocks.map(block => block.id)).toEqual(blocks.map(block => block.id))
  expect(seen.blocks.map(block => block.text)).toEqual(blocks.map(block => block.text))
  expect(shown).toContain("ssid='It'\\''s $(id)'")
  expect(blocks.every((block, at) => seen.blocks[at] && equal(block, seen.blocks[at]))).toBe(true)
  const [first] = blocks
  if (!first) throw new Error('nothing was planned')
  expect(equal(first, { ...first, text: first.text.split('\n').toReversed().join('\n') })).toBe(true)
  expect(equal(first, { ...first, text: first.text.replace('psk2', 'none') })).toBe(false)
})

const plain = { name: 'lan', device: 'br-lan' }
const ether = (name: string, master?: string) => ({
  key: name,
  name,
  type: 'ethernet' as const,
  ...(master && { master }),
})
test.each<[string, number | undefined, Partial<Observation>, string | undefined]>([
  [
    'the LAN, whatever it is called',
    undefined,
    {
      networks: [plain, { name: 'office', device: 'br-office' }],
      networkRoles: { ...networkRoles, lan: 'office' },
    },
    'office',
  ],
  ['a VLAN of a bridge that filters', 20, filtering, 'guest'],
  ['a VLAN that comes in on a port', 40, filtering, 'lw_lan40'],
  ['a VLAN that does not come in', 30, filtering, undefined],
  ['a VLAN of a plain bridge', 20, { networks: [plain] }, 'lw_lan20'],
  [
    'the device has a bridge for it',
    20,
    { networks: [plain, { name: 'g', device: 'br-g' }], interfaces: [ether('eth0.20', 'br-g')] },
    'g',
  ],
  [
    'the device has it for itself, on no bridge',
    20,
    { networks: [plain, { name: 'g', device: 'br-lan.20' }] },
    undefined,
  ],
  ['no LAN', 20, { networks: [{ name: 'x', device: 'wwan0.20' }] }, undefined],
  ['no VLAN, on the LAN bridge', undefined, { networks: [plain] }, 'lan'],
  ['no VLAN, on a LAN without a bridge', undefined, { networks: [{ name: 'lan', device: 'eth0' }] }, undefined],
  [
    'no VLAN, on a LAN that is a socket by a bridge’s name',
    undefined,
    { networks: [plain], interfaces: [ether('br-lan')] },
    undefined,
  ],
])('which network is joined: %s', (_what, vlan, seen, network) =>
  expect(networkFor(vlan, { takenAt: 0, depth: 'full', networkRoles, ...seen })).toBe(network),
)

test('a VLAN of a plain bridge gets a bridge that radios can join, once', () => {
  const seen = { networks: [plain], networkRoles, interfaces: [ether('eth0.1', 'br-lan')] }
  const two = [document('1', { name: 'a', vlan: 30 }), document('2', { name: 'b', vlan: 30 })]
  const whole = (kind: 'ap' | 'gateway', documents: RenderInput['documents']) => {
    const observation = { takenAt: 0, depth: 'full' as const, radios: [radio('radio0', '2g')], ...seen }
    return renderAll(driver.renderers, {
      facts: { kind, capabilities: ['wifi'] },
      observation,
      documents,
      confirmSeconds: 90,
    })
  }
  const { blocks } = whole('ap', two)
  // On a router the VLAN's own LAN network is there for it.
  const lan = { id: 'l', kind: 'lan', name: 'l', data: { name: 'l', vlan: 30, address: '10.0.30.1/24', dhcp: false } }
  const networks = whole('gateway', [...two, lan]).blocks.filter(block => block.id.startsWith('uci:network.'))
  expect(networks.map(block => [block.id, block.kind])).toEqual([
    ['uci:network.lw_br30', 'lan'],
    ['uci:network.lw_lan30', 'lan'],
  ])
  expect(blocks.map(block => block.id)).toEqual([
    'uci:network.lw_br30',
    'uci:network.lw_lan30',
    'uci:wireless.lw_1_radio0',
    'uci:wireless.lw_2_radio0',
  ])
  expect(blocks.slice(0, 2).map(block => block.text)).toEqual([
    `network.lw_br30=device
network.lw_br30.name='br-lw30'
network.lw_br30.type='bridge'
network.lw_br30.ports='eth0.30'
network.lw_br30.bridge_empty='1'`,
    `network.lw_lan30=interface
network.lw_lan30.proto='none'
network.lw_lan30.device='br-lw30'`,
  ])
  expect(blocks[2]?.text).toContain(".network='lw_lan30'")
})

test('a push drops and writes sections of ours only', () => {
  const before = render([document('1', { name: 'old' }), document('3', { name: 'gone' })])
  const next = render([document('1', { name: 'new' })])
  const plan = planPush('id', before, next, 60)
  expect(plan.apply.match(/uci -q delete wireless\.\w+/g)?.toSorted()).toEqual([
    'uci -q delete wireless.lw_1_radio0',
    'uci -q delete wireless.lw_1_radio1',
    'uci -q delete wireless.lw_3_radio0',
    'uci -q delete wireless.lw_3_radio1',
  ])
  expect(plan.writes[0]?.text).toContain("set wireless.lw_1_radio0.ssid='new'\n")
  expect(plan.writes[0]?.text).not.toMatch(/[\uE000\uE001]/)
  const foreign = { blocks: [{ id: 'uci:wireless.default_radio0', text: '' }] }
  expect(() => planPush('id', { blocks: [] }, foreign, 60)).toThrow(/not ours/)
})

test('makers and models', () => {
  expect(splitModel('glinet,gl-mt6000', 'GL.iNet GL-MT6000')).toEqual({ vendor: 'GL.iNet', model: 'GL-MT6000' })
  expect(splitModel('tplink,archer-c7-v2', 'TP-Link Archer C7 v2')).toEqual({
    vendor: 'TP-Link',
    model: 'Archer C7 v2',
  })
  expect(splitModel('asus,rt-n56u', 'ASUS RT-N56U')).toEqual({ vendor: 'ASUS', model: 'RT-N56U' })
  expect(splitModel('ubnt,unifi-6-lr', 'Ubiquiti UniFi 6 LR')).toEqual({ vendor: 'Ubiquiti', model: 'UniFi 6 LR' })
  expect(splitModel('qemu-standard-pc', 'QEMU Standard PC')).toEqual({ model: 'QEMU Standard PC' })
  expect(splitModel(undefined, undefined)).toEqual({})
})

test.each([
  [164, -92],
  [-92, -92],
  [0, undefined],
  ['x', undefined],
  [100, undefined],
])('noise %p is %p dBm', (given, dbm) => expect(noise(given)).toBe(dbm))

test('an access point routes through its LAN bridge, a gateway out of its WAN', () => {
  const route = [{ target: '0.0.0.0', mask: 0 }]
  const dumb = { interface: [{ interface: 'lan', up: true, l3_device: 'br-lan', route }] }
  const router = { interface: [{ interface: 'wan', up: true, l3_device: 'pppoe-wan', route }] }
  const unplugged = { interface: [{ interface: 'wan', up: false }] }
  const dhcp = parseSections("dhcp.lan=dhcp\ndhcp.lan.interface='lan'\ndhcp.wan=dhcp\ndhcp.wan.ignore='1'")
  const off = parseSections("dhcp.lan=dhcp\ndhcp.lan.ignore='1'")
  const rest = { radios: 2, ports: 5 }
  expect(roleOf({ dump: dumb, dhcp: off, ...rest })).toBe('ap')
  expect(roleOf({ dump: router, dhcp: off, ...rest })).toBe('gateway')
  expect(roleOf({ dump: unplugged, dhcp, ...rest })).toBe('gateway')
  expect(roleOf({ dump: dumb, dhcp: off, radios: 0, ports: 8 })).toBe('switch')
})

test('VLANs of a bridge, ports of the board', () => {
  const section = (name: string, vlan: string, ports: string) =>
    `network.${name}=bridge-vlan\nnetwork.${name}.vlan='${vlan}'\nnetwork.${name}.ports=${ports}\n`
  const shown = `${section('a', '1', "'lan1:u*' 'lan2'")}${section('@bridge-vlan[0]', '20', "'lan1:t' 'lan2:t'")}`
  const vlans = bridgeVlans(parseSections(shown))
  expect(vlans.get('lan1')).toEqual({ nativeVlan: 1, taggedVlans: [20] })
  const interfaces = ['lan1', 'lan2', 'wan'].map(name => ({ key: name, name, type: 'ethernet' as const }))
  const board = { network: { wan: { device: 'wan' }, lan: { ports: ['lan1', 'lan2', 'lan9'] } } }
  expect(boardPorts(board, interfaces, vlans)?.map(port => [port.number, port.label, port.nativeVlan])).toEqual([
    [1, 'lan1', 1],
    [2, 'lan2', 1],
    [3, 'wan', undefined],
  ])
  // A board with a swconfig switch has one device for all its sockets: what is not known is not drawn.
  expect(boardPorts({ ...board, switch: {} }, interfaces, vlans)).toBeUndefined()
})

test('members that share one MAC name no port', () => {
  const member = (name: string) => ({ key: name, name, type: 'ethernet' as const, mac: '02:00:00:00:00:01' })
  const macs = 'port no\n 1\t02:00:00:00:00:01\tyes\t0\n 1\taa:00:00:00:00:01\tno\t1\n'
  expect(bridgeHosts(macs, new Map(), [member('lan1'), member('lan2')])).toEqual([
    { mac: 'aa:00:00:00:00:01', source: 'fdb' },
  ])
  expect(bridgeHosts(macs, new Map([['1', 'lan2']]), [])).toMatchObject([{ port: 'lan2' }])
  expect([prefixLength('255.255.252.0'), prefixLength('ffff:ffff:ffff:ffff::'), prefixLength(7)]).toEqual([
    22,
    64,
    undefined,
  ])
})
