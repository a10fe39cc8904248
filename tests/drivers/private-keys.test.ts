import type { NativeBlock, RenderInput } from '@/server/drivers/driver'
import { wifiRenderer as linux } from '@/server/drivers/linux/wifi'
import { parseShow } from '@/server/drivers/openwrt/push'
import { wifiRenderer as openwrt } from '@/server/drivers/openwrt/wifi'
import { unmarked } from '@/server/drivers/unix/secret'

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

const wpa3 = { ...ssid, data: { name: 'Rooms', security: 'ppskWpa3' } }
const wpa3Keys = [
  ['anna', { mac: '02:00:00:00:00:0a', vlan: 20, key: 'with | and "quotes" ' }],
  ['bert', { mac: '02:00:00:00:00:0b' }],
  ['lost', { mac: '02:00:00:00:00:0c', vlan: 30 }],
  ['anybody', {}],
  ['raw', { mac: '02:00:00:00:00:0d', key: '0123456789abcdef'.repeat(4) }],
  ['twice', { mac: '02:00:00:00:00:0e', key: 'a|mac=02:00:00:00:00:0f' }],
  ['remark', { mac: '02:00:00:00:00:10', key: '# eight!' }],
].map(([id, data]) => key(id as string, { ssid: wpa3.data, ...(data as object) }))
const left = [
  ['privateKeyWpa3', 'anybody'],
  ['privateKeyVlan', 'lost'],
  ['privateKeyWpa3', 'raw'],
  ['privateKeyWpa3', 'remark'],
  ['privateKeyWpa3', 'twice'],
]
const ofKeys = (made: Parameters<typeof codes>[0]) => codes(made).filter(([code]) => code?.startsWith('privateKey'))

test('Linux, WPA3: each key stands with its MAC address and VLAN in the radio’s file; what SAE cannot tell apart is said', () => {
  const made = linux.render({ ...input, documents: [wpa3, ...wpa3Keys] })
  const conf = made.blocks.find(one => one.id.endsWith('radio0.conf'))?.text ?? ''
  expect(unmarked(conf).match(/^sae_password=.*$/gm)).toEqual([
    'sae_password=with | and "quotes" |mac=02:00:00:00:00:0a|vlanid=20',
    'sae_password=key of bert!|mac=02:00:00:00:00:0b',
  ])
  expect(conf).toContain('sae_password=\uE000key of bert!')
  expect(conf).toMatch(/^wpa_key_mgmt=SAE$/m)
  expect(unmarked(conf)).toMatch(/^wpa_passphrase=[0-9a-f]{63}$/m)
  expect(conf).not.toContain('wpa_psk_file')
  expect(made.blocks.filter(one => one.kind === 'ppsk').map(one => one.id)).toEqual([
    'file:/etc/hostapd/lanward-radio0-s.vlans',
  ])
  expect(textOf(made.blocks, '-s.vlans').split('\n').slice(1)).toEqual(['20 wlan0.20 br-guest', ''])
  expect(ofKeys(made)).toEqual(left)
})

test('OpenWrt, WPA3: the same stations under SAE', () => {
  const made = openwrt.render({ ...input, documents: [wpa3, ...wpa3Keys] })
  const stations = made.blocks.filter(one => one.text.includes('=wifi-station')).map(one => one.document)
  expect(stations).toEqual(['anna', 'bert'])
  expect(textOf(made.blocks, 'lw_s_radio0')).toMatch(/encryption='sae'\n.*\.key='[0-9a-f]{63}'$/m)
  expect(ofKeys(made)).toEqual(left)
})

test.each([
  ['linux', linux, 'noSaeKeys'],
  ['openwrt', openwrt, 'noSaeKeys'],
  ['openwrt', openwrt, 'noSae'],
] as const)(
  '%s: a device that cannot tell passwords of SAE apart leaves the network out and says so',
  (_name, of, lack) => {
    const facts = { ...input.facts, capabilities: [...input.facts.capabilities, lack] }
    const made = of.render({ ...input, facts, documents: [wpa3, ...wpa3Keys] })
    expect(made.blocks.filter(one => one.text.includes('Rooms'))).toEqual([])
    expect(codes(made)).toContainEqual(['securityMissing', 's'])
  },
)
