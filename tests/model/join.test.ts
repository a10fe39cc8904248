// What a QR code of a Wi-Fi network says, and purposes to start from.
import { check, type Data } from '@/model/kind'
import { joinText } from '@/model/wifi/join'
import { ssidPresets } from '@/model/wifi/presets'
import { ssid } from '@/model/wifi/ssid'
import { fc } from '../_property'
import { joinFields } from '../_qr'

const key = 'correct horse'

test.each([
  ['open', {}, 'WIFI:T:nopass;S:Harbour;;'],
  ['owe', {}, 'WIFI:T:nopass;S:Harbour;;'],
  ['wep', { key: 'abcde' }, 'WIFI:T:WEP;S:Harbour;P:abcde;;'],
  ['wpa2', { key }, 'WIFI:T:WPA;S:Harbour;P:correct horse;;'],
  ['wpa2wpa3', { key }, 'WIFI:T:WPA;S:Harbour;P:correct horse;;'],
  ['wpa3', { key }, 'WIFI:T:WPA;R:1;S:Harbour;P:correct horse;;'],
  ['wpa2', { key, hidden: true }, 'WIFI:T:WPA;S:Harbour;P:correct horse;H:true;;'],
  // A key that is stored where none is asked for is nobody's.
  ['open', { key }, 'WIFI:T:nopass;S:Harbour;;'],
  ['wpa2', {}, undefined],
  ['ppsk', {}, undefined],
  ['ppskWpa3', {}, undefined],
  ['wpa2Enterprise', {}, undefined],
  ['wpa3Enterprise', { key }, undefined],
])('a network with %s and %j is joined by %s', (security, more, text) => {
  expect(joinText({ name: 'Harbour', security, hidden: false, ...more })).toBe(text)
})

test('what means something in the text is written so that it does not', () => {
  const text = joinText({ name: 'a;b,c:d\\e"f', security: 'wpa2', hidden: false, key: ';;\\;",:::' })
  expect(text).toBe('WIFI:T:WPA;S:a\\;b\\,c\\:d\\\\e\\"f;P:\\;\\;\\\\\\;\\"\\,\\:\\:\\:;;')
})

test('whatever name and key are, a phone reads the same', () => {
  const sign = fc.constantFrom(...';,:\\"abc ÄöΩ漢'.split(''))
  const text = fc.string({ unit: sign, minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(text, text, fc.boolean(), (name, key, hidden) => {
      const fields = joinFields(joinText({ name, security: 'wpa2', hidden, key }) ?? '')
      expect(fields).toEqual({ T: 'WPA', S: name, P: key, ...(hidden && { H: 'true' }) })
    }),
  )
})

test.each(ssidPresets.map(one => [one.id, one.fields] as const))(
  'the preset %s makes a network once it has a name and its key or server',
  (_id, fields) => {
    const own: Data = String(fields.security).endsWith('Enterprise')
      ? { radius: '7f9b2a4e-2c3d-4d5e-8f6a-1b2c3d4e5f60' }
      : { key }
    expect(check(ssid, { name: 'Harbour', ...fields, ...own })).toMatchObject({ data: fields })
  },
)
