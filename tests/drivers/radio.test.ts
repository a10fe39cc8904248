// What is made of settings of radios is in golden/linux/radio; here is what channels are, and what cards say of themselves.
import { centre, isChannel, listenSeconds, parts } from '@/model/wifi/channels'
import { parseIwPhy } from '@/server/drivers/linux/base/iw-phy'

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
