import { isUserName, passwordProblem } from '@/model/password'

const rows: [string, ReturnType<typeof passwordProblem>][] = [
  ['Ab1!xyA', 'tooShort'],
  ['Ab1!xpA9', undefined],
  ['Ab1!xpA9Ab1!xpA9', undefined],
  ['Ab1!xpA9Ab1!xpA9z', 'tooLong'],
  ['ABCDx1!p', 'passwordRun'],
  ['Axbxcxdx', 'passwordClasses'],
  ['Ax1x2x3x', 'passwordClasses'],
  ['!x!y!z!w', 'passwordClasses'],
  ['!1!2!3!5', 'passwordClasses'],
  ['aa1!xpz9', 'passwordRun'],
  ['abc!x1z9', 'passwordRun'],
  ['aBc!x1z9', 'passwordRun'],
  ['321!xpz9', 'passwordRun'],
  ['ab1!xpz9', undefined],
  ['a1!\u0000xpz9', 'controlCharacters'],
  ['pässw0rt!', 'passwordRun'],
  ['päswo0rt!', undefined],
]
test.each(rows)('A9: %j is %s', (password, problem) => expect(passwordProblem(password)).toBe(problem))

test.each([
  ['marta.1', true],
  ['marta', false],
  ['123', false],
  ['', false],
  [`a${'1'.repeat(63)}`, true],
  [`a${'1'.repeat(64)}`, false],
])('A7: %j is %s', (name, good) => expect(isUserName(name)).toBe(good))
