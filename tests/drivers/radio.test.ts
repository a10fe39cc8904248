import { centre, isChannel, listenSeconds, parts } from '@/model/wifi/channels'
import type { RenderInput } from '@/server/drivers/driver'
import { parseIwPhy } from '@/server/drivers/linux/iw-phy'
import { wifiRenderer } from '@/server/drivers/linux/wifi'
import type { Radio, RadioBand } from '@/server/drivers/observation'

test.each([
  ['5g', 36, 80, [36, 40, 44, 48], 42],
  ['5g', 64, 160, [36, 40, 44, 48, 52, 56, 60, 64], 50],
  ['5g', 140, 80, [132, 136, 140, 144], 138],
  ['5g', 161, 40, [157, 161], 159],
  ['5g', 149, 160, undefined, 149],
  ['5g', 165, 40, undefined, 165],
  ['6g', 37, 80, [33, 37, 41, 45], 39],
  ['6g', 229, 40, [225, 229], 227],
  ['6g', 233, 40, undefined, 233],
] as const)('IEEE 802.11 annex E: %s channel %i of %i MHz', (band, channel, width, taken, middle) => {
  expect(parts(band, channel, width)).toEqual(taken)
  expect(centre(band, channel, width)).toBe(middle)
})

test.each([
  ['5g', 48, 80, 0],
  ['5g', 48, 160, 60],
  ['5g', 52, 20, 60],
  ['5g', 112, 40, 60],
  ['5g', 116, 40, 600],
  ['5g', 116, 160, 600],
  ['5g', 124, 20, 600],
  ['5g', 149, 80, 0],
  ['2g', 6, 20, 0],
  ['6g', 53, 80, 0],
] as const)('%s channel %i of %i MHz listens for radar %i s', (band, channel, width, seconds) => {
  expect(listenSeconds(band, channel, width)).toBe(seconds)
  expect(isChannel(band, channel)).toBe(true)
})

const phy = `Wiphy phy1
	Band 1:
		Capabilities: 0x11ef
			HT20/HT40
		Frequencies:
			* 2412.0 MHz [1] (20.0 dBm)
			* 2467.0 MHz [12] (disabled)
			* 2472.0 MHz [13] (20.0 dBm) (no IR)
	Band 2:
		Capabilities: 0x11ef
			HT20/HT40
		VHT Capabilities (0x339071b2):
			Supported Channel Width: 160 MHz
		HE Iftypes: managed, AP
		Frequencies:
			* 5180 MHz [36] (23.0 dBm)
			* 5260 MHz [52] (20.5 dBm) (radar detection)
			* 5745 MHz [149] (disabled)
	valid interface combinations:
		 * #{ managed } <= 2, #{ AP, mesh point } <= 8,
		   total <= 8
Wiphy phy2
	Band 1:
		Frequencies:
			* 2412 MHz [1] (17.0 dBm)
`

test('iw: what each card can do on each band', () => {
  expect([...parseIwPhy(phy)]).toEqual([
    [
      'phy1',
      {
        maxBss: 8,
        can: {
          '2g': { channels: [1], widths: [20, 40], maxPowerDbm: 20 },
          '5g': { channels: [36, 52], widths: [20, 40, 80, 160], maxPowerDbm: 23, ax: true },
        },
      },
    ],
    ['phy2', { band: '2g', can: { '2g': { channels: [1], widths: [20], maxPowerDbm: 17 } } }],
  ])
  expect(parseIwPhy('Wiphy x\n\tBand 1:\n\t\t* what MHz [1]\n').get('x')).toEqual({})
})

const all5: RadioBand = { channels: [36, 40, 44, 48, 52, 149], widths: [20, 40, 80], maxPowerDbm: 23 }
const card: Radio = { key: 'phy0', name: 'phy0', driver: 'nl80211', interface: 'wlan0', bridge: 'br-lan' }
const document = (kind: string, data: object) => ({ id: kind, kind, name: '', data: data as Record<string, unknown> })

function render(radio: Partial<Radio>, set?: object, more: Partial<RenderInput> = {}) {
  const made = wifiRenderer.render({
    facts: { kind: 'ap', capabilities: ['systemd', 'hostapd', 'root', 'wifi'] },
    observation: { takenAt: 0, depth: 'full', radios: [{ ...card, country: 'DE', ...radio }] },
    documents: [
      document('ssid', { name: 'Harbour', security: 'open', bands: ['2g', '5g', '6g'] }),
      ...(set ? [document('radio', set)] : []),
    ],
    windowSeconds: 90,
    ...more,
  })
  const conf = made.blocks.find(block => block.id.endsWith('.conf'))?.text ?? ''
  const power = made.blocks.find(block => block.id.endsWith('.power'))?.text
  const line = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(conf)?.[1]
  return { ...made, conf, line, power, codes: made.warnings.map(one => one.code) }
}

const five = { band: '5g' as const, can: { '5g': all5 } }

test.each([
  [{}, '36', '1', '42', '[HT40+]'],
  [{ channel5g: 48, width5g: '40' }, '48', '0', '46', '[HT40-]'],
  [{ channel5g: 149, width5g: '80' }, '149', '1', '155', '[HT40+]'],
  [{ channel5g: 36, width5g: '20' }, '36', '0', undefined, undefined],
  [{ channel5g: 0, width5g: '80' }, '0', '1', undefined, '[HT40+]'],
])('5 GHz with %j: channel %s', (set, channel, width, middle, ht) => {
  const { line, codes } = render(five, set)
  expect([line('channel'), line('vht_oper_chwidth'), line('vht_oper_centr_freq_seg0_idx'), line('ht_capab')]).toEqual([
    channel,
    width,
    middle,
    ht,
  ])
  expect([codes, line('ieee80211h'), line('country_code')]).toEqual([[], '1', 'DE'])
})

test('a radio follows as far as it can, and says where not', () => {
  const { line, power, warnings } = render(five, { channel5g: 100, width5g: '160', power5g: 30 })
  expect([line('channel'), line('vht_oper_chwidth'), power]).toEqual([
    '36',
    '1',
    "exec iw phy 'phy0' set txpower limit 2300\n",
  ])
  expect(warnings).toEqual([
    { code: 'radioChannel', kind: 'radio', values: { radio: 'phy0', asked: 100, channel: 36, country: 'DE' } },
    { code: 'radioWidth', kind: 'radio', values: { radio: 'phy0', asked: 160, width: 80 } },
    { code: 'radioPower', kind: 'radio', values: { radio: 'phy0', asked: 30, power: 23 } },
  ])
  // Nobody set anything: the default is no promise.
  expect(render({ band: '5g' }).codes).toEqual([])
  expect(render({ band: '5g' }).line('vht_oper_chwidth')).toBe('0')
})

test("another country's channels are not judged by the present one's", () => {
  const { line, codes, power } = render(five, { country: 'US', channel5g: 157, power5g: 30 })
  expect([line('channel'), line('country_code'), codes]).toEqual(['157', 'US', []])
  expect(power).toContain('3000')
})

test('with radar detection the push waits longer', () => {
  expect(render(five, { channel5g: 52, width5g: '20' }).slowSeconds).toBe(60)
  expect(render(five, { channel5g: 36 }).slowSeconds).toBe(0)
})

test('a radio that is switched off gets no configuration, the others theirs', () => {
  expect(render(five, { enabled5g: false }).blocks).toEqual([])
  expect(render(five, { enabled2g: false }).line('channel')).toBe('36')
})

test('old rates off: none of 802.11b is left', () => {
  const { line } = render({ band: '2g' }, { oldRates: false })
  expect([line('supported_rates'), line('basic_rates')]).toEqual(['60 90 120 180 240 360 480 540', '60'])
  expect(render({ band: '2g' }, { oldRates: true }).line('supported_rates')).toBeUndefined()
})

test('2.4 GHz of 40 MHz; 802.11ax where the card has it', () => {
  const { line } = render(
    { band: '2g', can: { '2g': { channels: [9], widths: [20, 40], ax: true } } },
    { channel2g: 9, width2g: '40' },
  )
  expect([line('channel'), line('ht_capab'), line('ieee80211ax')]).toEqual(['9', '[HT40-]', '1'])
})

test('hostapd without a radio has nothing to choose', () => {
  const { conf, power, codes } = render(
    { driver: 'none', band: undefined },
    { channel2g: 0, power2g: 5, country: 'US' },
  )
  expect(conf).toMatch(/^channel=6$/m)
  expect(conf).not.toMatch(/country_code|ieee80211/)
  expect([power, codes]).toEqual([undefined, ['withoutRadio']])
})
