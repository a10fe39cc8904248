import type { NativeBlock, RenderInput } from '@/server/devices/driver'
import { wifiRenderer as linux } from '@/server/devices/linux/wifi'
import { parseShow } from '@/server/devices/openwrt/push'
import { wifiRenderer as openwrt } from '@/server/devices/openwrt/wifi'
import { unmarked } from '@/server/devices/unix/secret'

const ssid = { id: 's', kind: 'ssid', name: 'Rooms', data: { name: 'Rooms', security: 'ppsk' } }
const key = (id: string, data: object) => ({
  id,
  kind: 'ppsk',
  name: id,
  data: { name: id, key: `key of ${id}!`, ssid: ssid.data, ...data },
})
const documents = [
  ssid,
  { ...ssid, id: 'o', name: 'Other', data: { name: 'Other', security: 'ppsk' } },
  key('anna', { vlan: 20, key: '  two blanks "quoted"' }),
  key('bert', { mac: '02:00:00:00:00:01', ssid: undefined }),
  key('gone', { enabled: false }),
  key('lost', { vlan: 30 }),
]
const input: RenderInput = {
  facts: { kind: 'ap', capabilities: ['systemd', 'hostapd', 'wifi', 'root'], mac: '02:00:5e:10:00:01' },
  observation: {
    takenAt: 0,
    depth: 'full',
    radios: [
      { key: 'radio0', name: 'radio0', band: '2g', driver: 'nl80211', interface: 'wlan0', country: 'DE', up: true },
    ],
    interfaces: [{ key: 'eth0.20', name: 'eth0.20', type: 'vlan', master: 'br-guest' }],
    networks: [
      { name: 'lan', device: 'br-lan.1' },
      { name: 'guest', device: 'br-lan.20' },
    ],
    ports: [{ number: 1, label: 'lan1', interface: 'lan1', taggedVlans: [20] }],
  },
  documents,
  windowSeconds: 60,
}
const textOf = (blocks: NativeBlock[], end: string) => unmarked(blocks.find(one => one.id.endsWith(end))?.text ?? '')
const codes = (made: { warnings: { code: string; document?: string }[] }) =>
  made.warnings.map(one => [one.code, one.document])

test('Linux: hostapd gets a file of keys with their VLANs, and the VLANs with their bridges', () => {
  const made = linux.render(input)
  const keys = textOf(made.blocks, '-radio0-s.psk').split('\n').slice(1)
  expect(keys).toEqual([
    expect.stringMatching(/^keyid=[0-9a-f]{12} vlanid=20 00:00:00:00:00:00 {3}two blanks "quoted"$/),
    expect.stringMatching(/^keyid=[0-9a-f]{12} 02:00:00:00:00:01 key of bert!$/),
    '',
  ])
  expect(textOf(made.blocks, '-radio0-s.vlans').split('\n').slice(1)).toEqual(['20 wlan0_1.20 br-guest', ''])
  expect(textOf(made.blocks, '-radio0-o.psk').split('\n').slice(1)).toEqual([
    expect.stringContaining('key of bert!'),
    '',
  ])
  expect(textOf(made.blocks, 'radio0.conf')).toContain('\nwpa_psk_file=/etc/hostapd/lanward-radio0-s.psk\n')
  expect(made.blocks.find(one => one.id.endsWith('-s.psk'))?.text).toContain('\uE000key of bert!\uE001')
  expect(codes(made)).toEqual([['privateKeyVlan', 'lost']])
})

test('OpenWrt: a wifi-station for each key and a wifi-vlan for each VLAN; the network has a key that nobody knows', () => {
  const made = openwrt.render(input)
  const ids = made.blocks.filter(one => one.kind === 'ppsk').map(one => one.id.replace(/[0-9a-f]{12}$/, 'ID'))
  expect(ids).toEqual([
    'uci:wireless.lw_o_radio0_kID',
    'uci:wireless.lw_s_radio0_v20',
    'uci:wireless.lw_s_radio0_kID',
    'uci:wireless.lw_s_radio0_kID',
  ])
  expect(textOf(made.blocks, '_v20')).toBe(
    [
      'wireless.lw_s_radio0_v20=wifi-vlan',
      "wireless.lw_s_radio0_v20.iface='lw_s_radio0'",
      "wireless.lw_s_radio0_v20.name='v20'",
      "wireless.lw_s_radio0_v20.vid='20'",
      "wireless.lw_s_radio0_v20.network='guest'",
    ].join('\n'),
  )
  const stations = made.blocks
    .filter(one => one.text.includes('=wifi-station'))
    .map(one =>
      unmarked(one.text)
        .split('\n')
        .map(line => line.replace(/^[^=]*\./, '')),
    )
  expect(stations.slice(1)).toEqual([
    [expect.stringMatching(/=wifi-station$/), "iface='lw_s_radio0'", `key='  two blanks "quoted"'`, "vid='20'"],
    [expect.stringMatching(/=wifi-station$/), "iface='lw_s_radio0'", "key='key of bert!'", "mac='02:00:00:00:00:01'"],
  ])
  const iface = textOf(made.blocks, 'lw_s_radio0')
  expect(iface).toMatch(/encryption='psk2'\n.*\.key='[0-9a-f]{64}'$/m)
  const seen = parseShow(
    made.blocks
      .filter(one => one.id.startsWith('uci:wireless'))
      .map(one => unmarked(one.text))
      .join('\n'),
  )
  expect(seen.blocks.map(one => one.text)).toEqual(
    made.blocks.filter(one => one.id.startsWith('uci:wireless')).map(one => one.text),
  )
  expect(codes(made).filter(([code]) => code?.startsWith('privateKey'))).toEqual([['privateKeyVlan', 'lost']])
})

test.each([
  ['linux', linux],
  ['openwrt', openwrt],
] as const)('%s: a network without a key is told; a change of a key interrupts nobody', (_name, renderer) => {
  const made = renderer.render({ ...input, documents: [ssid] })
  expect(codes(made)).toContainEqual(['privateKeyNone', 's'])
  const own = renderer.render(input).blocks.filter(one => one.kind === 'ppsk')
  const observation = input.observation ?? { takenAt: 0, depth: 'full' as const }
  expect(own.map(block => renderer.interrupts?.(block, observation))).toEqual(own.map(() => undefined))
})
