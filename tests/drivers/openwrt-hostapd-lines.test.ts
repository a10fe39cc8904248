import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readImported } from '@/server/drivers/openwrt/uci/imported'
import { sectionsOf } from '@/server/drivers/openwrt/uci/sections'
import { commands, former, input, observation, take, texts } from './_imported'

// Lines for hostapd itself (hostapd_bss_options) in a network that was imported: its owner's stay beside ours.

const text = (raw: string) => `network.lan=interface
network.lan.device='br-lan'
wireless.radio0=wifi-device
wireless.radio0.band='2g'
wireless.w=wifi-iface
wireless.w.device='radio0'
wireless.w.mode='ap'
wireless.w.network='lan'
wireless.w.ssid='Rooms'
wireless.w.encryption='psk2'
wireless.w.key='hunter2 hunter2'
${raw && `wireless.w.hostapd_bss_options=${raw}`}`

const key: DesiredDocument = { id: 'k', kind: 'ppsk', name: 'k', data: { name: 'k', key: 'key of room 20', vlan: 20 } }
const seen = {
  ...observation,
  networks: [
    { name: 'lan', device: 'br-lan.1' },
    { name: 'guest', device: 'br-lan.20' },
  ],
  ports: [{ number: 1, label: 'lan1', interface: 'lan1', taggedVlans: [20] }],
}
const blocked: DesiredDocument = { id: 'b', kind: 'blockedClient', name: 'b', data: { mac: '02:00:00:00:00:0a' } }

/** The network after an import, with other documents beside its own. */
function planned(raw: string, more: DesiredDocument[], data: object, capabilities: string[], left?: string) {
  const { taken, documents } = take(text(raw), /wireless\.w$/)
  const own = documents.map(one => ({ ...one, data: { ...one.data, ...data } }))
  const items = taken.map(item => {
    const { [left ?? '']: _, ...options } = item.options
    return { ...item, options }
  })
  const made = renderAll(driver.renderers, {
    ...input([...own, ...more], items),
    ...{ observation: seen, facts: { kind: 'ap', capabilities: ['wifi', ...capabilities] } },
  })
  const ofItem = (config: NativeConfig): NativeConfig => ({
    blocks: config.blocks.filter(block => block.id === 'uci:wireless.w'),
  })
  const device = readImported(sectionsOf(text(raw)), items)
  const lines = (before: NativeConfig, after: NativeConfig) =>
    commands(ofItem(before), ofItem(after))
      .split('\n')
      .filter(line => line.includes('hostapd_bss_options'))
  return {
    pushed: lines(device, made),
    back: lines(made, former(items)),
    nothing: texts(ofItem(made))['uci:wireless.w'] === texts(device)['uci:wireless.w'],
    warnings: made.warnings.filter(one => one.code === 'ssidImportedLeft.options'),
  }
}
const rooms = { security: 'ppsk', key: undefined }
const add = (line: string) => `add_list wireless.w.hostapd_bss_options='${line}'`
const drop = 'delete wireless.w.hostapd_bss_options'

test.each([
  ['none of its own', '', [add('vlan_no_bridge=1')], [drop]],
  ['one', "'a=1'", [drop, add('a=1'), add('vlan_no_bridge=1')], [drop, add('a=1')]],
  [
    'several',
    "'a=1 2' 'b=3'",
    [drop, add('a=1 2'), add('b=3'), add('vlan_no_bridge=1')],
    [drop, add('a=1 2'), add('b=3')],
  ],
  ['ours among them', "'vlan_no_bridge=1' 'b=3'", [], []],
])('a network with %s gets what the VLAN of a private key needs, and its own back', (_name, raw, pushed, back) => {
  expect(planned(raw, [key], rooms, [])).toMatchObject({ pushed, back, warnings: [] })
})

test.each([
  ['a network without private keys', [], {}, []],
  ['clients that are apart', [blocked], { isolation: true }, ['ucodeWifi', 'fw4', 'nftBridge']],
  ['a filter in the bridge and nobody blocked', [], {}, ['ucodeWifi', 'fw4', 'nftBridge']],
  ['scripts that bring clients through the bridge', [blocked], {}, ['fw4', 'nftBridge']],
  ['no filter in the bridge', [blocked], {}, ['ucodeWifi', 'fw4']],
])('%s: the lines stay as they are', (_name, more, data, capabilities) => {
  expect(planned("'a=1' 'b=2'", more, data, capabilities)).toMatchObject({ pushed: [], back: [], warnings: [] })
})

test('taking it over changes nothing, whatever lines it has', () => {
  expect(planned("'a=1' 'a=1'", [], {}, ['ucodeWifi', 'fw4', 'nftBridge'])).toMatchObject({ nothing: true })
})

test('who is blocked is judged in the bridge, also towards clients of the same access point', () => {
  const { pushed, back } = planned("'a=1'", [blocked], {}, ['ucodeWifi', 'fw4', 'nftBridge'])
  expect(pushed).toEqual([drop, add('a=1'), add('ap_isolate=1')])
  expect(back).toEqual([drop, add('a=1')])
})

test.each([
  ['were not chosen', "'a=1'", 'hostapd_bss_options'],
  ['are one value with blanks, of which nobody knows what it says', "'a=1 b=2'", undefined],
])('lines that %s stay, and the plan names what is missing', (_name, raw, left) => {
  const { pushed, warnings } = planned(raw, [key], rooms, [], left)
  expect(pushed).toEqual([])
  expect(warnings).toMatchObject([{ values: { ssid: 'Rooms', options: 'hostapd_bss_options' } }])
})
