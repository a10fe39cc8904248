import { diffConfigs, diffLines, masked } from '@/server/devices/change/plan/diff'
import { secretClose, secretOpen } from '@/server/drivers/driver'
import { fc } from '../../_property'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 })

test('the lines that are kept and dropped are the old text, those kept and added the new one', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = diffLines(before, after)
      expect(diff.filter(line => line.sign !== '+').map(line => line.text)).toEqual(before)
      expect(diff.filter(line => line.sign !== '-').map(line => line.text)).toEqual(after)
    }),
  )
})

test('what is equal is kept whole, and a change in the middle is two lines', () => {
  expect(diffLines(['a', 'b'], ['a', 'b']).every(line => line.sign === ' ')).toBe(true)
  expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
    { sign: ' ', text: 'a' },
    { sign: '-', text: 'b' },
    { sign: '+', text: 'x' },
    { sign: ' ', text: 'c' },
  ])
})

test('very long texts are shown whole instead of compared for ever', () => {
  const before = Array.from({ length: 20_000 }, (_, n) => `old ${n}`)
  expect(diffLines(before, ['new'])).toHaveLength(20_001)
})

const secret = (text: string) => `${secretOpen}${text}${secretClose}`

test('a secret is hidden where it is marked, and where it stands bare in the other text', () => {
  expect(masked(`key=${secret('harbour1')}\nagain=harbour1`, ['harbour1'])).toBe('key=••••••••\nagain=••••••••')
  const planned = { blocks: [{ id: 'f', text: `key=${secret('new-secret')}\n` }] }
  const seen = { blocks: [{ id: 'f', text: 'key=new-secret\nold=1\n' }] }
  const shown = JSON.stringify(diffConfigs(planned, seen, new Set()))
  expect(shown).not.toContain('new-secret')
  expect(shown).toContain('old=1')
})

test('whatever the secret, it never shows', () => {
  const text = fc.string({ minLength: 8, maxLength: 63, unit: 'grapheme-ascii' }).filter(one => !/^[•\s]+$/.test(one))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const config = (key: string) => ({ blocks: [{ id: 'f', text: `ssid=x\nwpa_passphrase=${secret(key)}\n` }] })
      const shown = diffConfigs(config(after), config(before), new Set())
      for (const line of shown.flatMap(block => block.lines)) {
        expect(line.text.replace('wpa_passphrase=', '').includes(before) && before !== 'wpa_passphrase=').toBe(false)
        expect(line.text.endsWith(after)).toBe(false)
      }
    }),
  )
})

test('added, changed and removed blocks, each under its name; equal ones are not shown', () => {
  const planned = {
    blocks: [
      { id: 'new', text: 'n' },
      { id: 'same', text: 's' },
      { id: 'other', text: '2' },
    ],
  }
  const seen = {
    blocks: [
      { id: 'same', text: 's' },
      { id: 'other', text: '1' },
      { id: 'gone', text: 'g' },
    ],
  }
  const shown = diffConfigs(planned, seen, new Set(['same'])).map(({ id, action }) => [id, action])
  expect(shown).toEqual([
    ['new', 'add'],
    ['other', 'change'],
    ['gone', 'remove'],
  ])
})

test('a mark that stands where no secret begins or ends shows no secret, and hides no line', () => {
  const text = `ssid=Staff${secretOpen}\nbridge=br0\nkey=${secret('harbour-master')}\nname=${secretClose}x\nup=1\n`
  const shown = JSON.stringify(diffConfigs({ blocks: [{ id: 'f', text }] }, { blocks: [] }, new Set()))
  expect(shown).not.toContain('harbour-master')
  expect(shown).toContain('bridge=br0')
  expect(shown).toContain('up=1')
})

test('secrets of the settings are hidden where nothing marks them, and those of several lines by each line', () => {
  const config = { blocks: [{ id: 'f', text: `a=plain-secret\nb=${secret('first-line\nlast-line')}\n` }] }
  const shown = JSON.stringify(diffConfigs(config, { blocks: [] }, new Set(), () => ['plain-secret']))
  for (const one of ['plain-secret', 'first-line', 'last-line']) expect(shown).not.toContain(one)
})
