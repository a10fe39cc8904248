import { generalName } from '@/model/names'

const problem = (text: string) => generalName(64).safeParse(text).error?.issues[0]?.message

test.each([
  'a',
  '1',
  'x'.repeat(64),
  "O'Neill; $(id) \\ ™ שלום",
  '東館 2F',
  'Café – 2nd floor',
  '  trimmed  ',
  '<b>x</b>',
])('A5: %j is a name', text => expect(problem(text)).toBeUndefined())

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['x'.repeat(65), 'tooLong'],
  ['a\tb', 'controlCharacters'],
  ['---', 'nameLetters'],
  ['…', 'nameLetters'],
])('A5: %j is none: %s', (text, message) => expect(problem(text)).toBe(message))

test.each(['Lobby 😀', '🛰', '1️⃣', 'Flag 🇵🇹', 'Love ❤️', '👨‍👩‍👧'])('N21: %j has an emoji', text =>
  expect(problem(text)).toBe('emoji'),
)
