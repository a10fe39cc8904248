// The language that tests see a page by.
import { createTranslator } from 'next-intl'
import { pseudoText, pseudoWords } from '../_pseudo'

test.each([
  ['Sign in', '⟦Sîgñ~~ îñ~⟧'],
  ['{left} of {all}', '⟦{left} öf~ {all}⟧'],
  ["Must hold '{code}' here", "⟦Mûšţ~~ höļd~~ '{code}' héŕé~~⟧"],
  ['Read <b>this</b>', '⟦Ŕéåd~~ <b>ţhîš~~</b>⟧'],
])('%s', (message, expected) => expect(pseudoText(message, 'long')).toBe(expected))

test('plurals, numbers and choices stay what they are, and only what people read is changed', () => {
  const days = '{days, plural, =0 {no day} one {# day} other {# days of {all}}} left'
  const messages = { a: pseudoText(days, 'long') }
  const say = createTranslator({ locale: 'en', messages })
  expect([0, 1, 2].map(n => say('a', { days: n, all: 'week' }))).toEqual([
    ...['⟦ñö~ dåÿ~~ ļéfţ~~⟧', '⟦1 dåÿ~~ ļéfţ~~⟧', '⟦2 dåÿš~~ öf~ week ļéfţ~~⟧'],
  ])
})

test('from right to left each word is written so, and a value that is filled in is not', () => {
  expect(pseudoWords({ a: { b: 'Until {moment}.' } }, 'mirrored')).toEqual({
    a: { b: '⟦\u202eÜñţîļ~~\u202c {moment}.⟧' },
  })
})
