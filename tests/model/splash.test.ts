// Splash pages: colours that can be read whatever is chosen, texts for each language once.

import { contrast, isColour, on, readable } from '@/model/guests/colours'
import { check } from '@/model/kind'
import { locales } from '@/model/locales'
import { splash } from '@/model/profiles/splash'
import { fc } from '../_property'

const wrong = (given: object) => {
  const parsed = check(splash, { name: 'House', ...given })
  return 'fields' in parsed ? parsed.fields : {}
}
const colour = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: 3, maxLength: 3 })
  .map(parts => `#${parts.map(one => one.toString(16).padStart(2, '0')).join('')}`)

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0b6b80', '#0b6b80', 1],
])('the contrast of %s and %s is %d, as WCAG counts', (a, b, expected) =>
  expect(contrast(a, b)).toBeCloseTo(expected, 2),
)

test('WCAG 1.4.3: on any colour the text is read, and any colour is made so that it is read on any pair of like grounds', () => {
  fc.assert(
    fc.property(colour, one => {
      expect(contrast(on(one), one)).toBeGreaterThanOrEqual(4.5)
      for (const grounds of [['#ffffff', '#eef1f2'], ['#151b1f', '#0b0f11'], ['#0a2c35']])
        for (const ground of grounds) expect(contrast(readable(one, grounds), ground)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readable('#808080', [one]), one)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a colour that is read stays as it is', () => {
  expect(readable('#0b6b80', ['#ffffff', '#eef1f2'])).toBe('#0b6b80')
})

test.each([
  ['#0B6B80', true],
  ['#abc', false],
  ['0b6b80', false],
  ['red', false],
  ['#0b6b80;}', false],
  ['#0b6b8', false],
])('a colour is # and six digits: %s', (text, expected) => {
  expect(isColour(text)).toBe(expected)
  expect(wrong({ colour: text })).toEqual(expected ? {} : { colour: 'colour' })
})

test('texts are one for each language, of 22 at most', () => {
  const texts = locales.map(language => ({ language, title: 'x' }))
  expect(wrong({ texts })).toEqual({})
  expect(wrong({ texts: [{ language: 'de' }, { language: 'de' }] })).toEqual({ 'texts.1.language': 'duplicate' })
  expect(wrong({ texts: [{ language: 'xx' }] })).toEqual({ 'texts.0.language': 'notAllowed' })
  expect(wrong({ texts: [{ language: 'de', title: 'x'.repeat(81) }] })).toEqual({ 'texts.0.title': 'tooLong' })
  expect(wrong({ texts: [{ language: 'de', text: 'x'.repeat(1001), terms: 'x'.repeat(4001) }] })).toEqual({
    'texts.0.text': 'tooLong',
    'texts.0.terms': 'tooLong',
  })
})
