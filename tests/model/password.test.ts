import { isUserName, type PasswordRule, passwordProblems } from '@/model/password'

const rows: [string, PasswordRule[]][] = [
  ['Ab1!xyA', ['passwordShort']],
  ['Ab1!xpA9', []],
  ['Ab1!xpA9Ab1!xpA9', []],
  ['Ab1!xpA9Ab1!xpA9z', ['passwordLong']],
  ['Axbxcxd!', ['passwordDigit']],
  ['Ax1x2x3x', ['passwordSymbol']],
  ['!1!2!3!5', ['passwordLetter']],
  ['!!!!!!!!', ['passwordLetter', 'passwordDigit', 'passwordRepeated']],
  ['abc', ['passwordShort', 'passwordDigit', 'passwordSymbol', 'passwordConsecutive']],
  ['ABCDx1!p', ['passwordConsecutive']],
  ['abc!x1z9', ['passwordConsecutive']],
  ['aBc!x1z9', ['passwordConsecutive']],
  ['321!xpz9', ['passwordConsecutive']],
  ['ab1!xpz9', []],
  ['aaa1!xpz', ['passwordRepeated']],
  ['aAa1!xpz', ['passwordRepeated']],
  ['aa1!xpz9', []],
  ['Summer2024!', []],
  ['pässw0rt!', []],
  ['a1!\u0000xpz9', ['passwordControl']],
]
test.each(rows)('A9: of %j all that is wrong is told: %j', (password, problems) =>
  expect(passwordProblems(password)).toEqual(problems),
)

test.each([
  ['marta.1', true],
  ['marta', false],
  ['123', false],
  ['', false],
  [`a${'1'.repeat(63)}`, true],
  [`a${'1'.repeat(64)}`, false],
])('A7: %j is %s', (name, good) => expect(isUserName(name)).toBe(good))
