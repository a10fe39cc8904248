import { facilities } from '@/model/insight/facilities'
import { holds, isPattern, lineText, partsOf, patternOfLine, wholeWords } from '@/model/insight/log-pattern'
import { logRule } from '@/model/insight/log-rule'
import { check, type Data } from '@/model/kind'

const fits = (pattern: string, text: string, tag = '') => holds(lineText(tag, text), partsOf(pattern))

describe('a pattern of a log rule', () => {
  test.each([
    ['failed password', 'Failed password for root from 10.0.0.5', true],
    ['FAILED PASSWORD', 'failed password for root', true],
    ['failed * root', 'Failed password for root', true],
    ['failed*root*failed', 'Failed password for root', false],
    ['root*failed', 'Failed password for root', false],
    ['*link*down*', 'eth0: link is down', true],
    ['link  down', 'link down', false],
    ['a.c', 'abc', false],
    ['[0-9]+', '5', false],
    ['[0-9]+', 'a literal [0-9]+ in the text', true],
    ['straße', 'STRASSE', true],
    ['οδος', 'ΟΔΟΣΑ', true],
    ['***link***', 'link', true],
  ])('%s in “%s”: %s', (pattern, text, found) => expect(fits(pattern, text)).toBe(found))

  test('is looked for in the program, too, and across both', () => {
    expect(fits('sshd*failed', 'Failed password', 'sshd[812]')).toBe(true)
    expect(fits('sshd[812]: failed', 'Failed password', 'sshd[812]')).toBe(true)
    expect(fits('failed*sshd', 'Failed password', 'sshd[812]')).toBe(false)
  })

  test('comes to an end with hostile patterns and lines of 64 kB', () => {
    const line = 'a'.repeat(65_536)
    const hostile = ['a*'.repeat(127), `${'a*'.repeat(126)}b`, '(a+)+$', `${'a'.repeat(254)}b`, '*a'.repeat(127)]
    for (let round = 0; round < 50; round++)
      expect(hostile.map(pattern => fits(pattern, line))).toEqual([true, false, false, false, true])
    expect(fits('needle', `${'ne'.repeat(32_764)}needle`)).toBe(true)
  })

  test('needs three characters besides asterisks and spaces', () => {
    expect(['', '*', '* * *', 'ab', 'a*b'].map(isPattern)).toEqual([false, false, false, false, false])
    expect(['abc', 'a*bc', '** up!'].map(isPattern)).toEqual([true, true, true])
  })

  test('tells the words that each line with it has as a whole', () => {
    expect(wholeWords('ailed password for * from host')).toEqual(['password', 'for', 'from'])
    expect(wholeWords('link')).toEqual([])
    expect(wholeWords('größe des bandes x')).toEqual(['des', 'bandes'])
  })
})

describe('a pattern that is made of a line', () => {
  test.each([
    [
      'sshd[812]',
      'Failed password for root from 10.0.0.5 port 51522 ssh',
      'sshd*Failed password for root from * port * ssh',
    ],
    ['', 'eth0: link is down', 'link is down'],
    ['kernel', '[ 12.5] br0: port 1(eth1) entered blocking state', 'kernel*[ * port * entered blocking state'],
    ['linkDown', 'ifIndex 3, ifDescr p3', 'linkDown*ifIndex * ifDescr'],
    ['', '1 2 3', ''],
    ['', '', ''],
  ])('%s “%s” is %s', (tag, text, pattern) => {
    expect(patternOfLine(tag, text)).toBe(pattern)
    if (pattern) expect(fits(pattern, text, tag)).toBe(true)
  })

  test('fits into the field, ends with a whole word and finds its own line, whatever stands there', () => {
    for (const text of [
      'word '.repeat(2000),
      'x'.repeat(8192),
      `a*b ${'1 '.repeat(4000)}`,
      '*** down ***',
      '\ud800 half',
    ]) {
      const pattern = patternOfLine('app[1]', text)
      expect(pattern.length).toBeLessThanOrEqual(255)
      expect(fits(pattern, text, 'app[1]')).toBe(true)
    }
    expect(patternOfLine('', 'word '.repeat(2000))).toMatch(/ word$/)
  })
})

describe('a log rule', () => {
  const rule = (more: Data = {}) => check(logRule, { name: 'Sign-ins', text: 'failed password', ...more })
  const wrong = (more: Data) => {
    const found = rule(more)
    return 'data' in found ? {} : found.fields
  }

  test('has what most rules need by itself, and no time where one line is enough', () => {
    expect(rule()).toEqual({
      data: {
        ...{ name: 'Sign-ins', enabled: true, text: 'failed password', severity: 'any', facility: 'any' },
        ...{ count: 1, level: '10', quietMinutes: 10 },
      },
    })
    expect(rule({ count: 5 })).toMatchObject({ data: { count: 5, minutes: 10 } })
    expect(wrong({ minutes: 5 })).toEqual({ minutes: 'notUsed' })
  })

  test('looks for something: a text, a severity or a facility', () => {
    expect(wrong({ text: undefined })).toEqual({ text: 'logRuleTerms' })
    expect(wrong({ text: 'a*' })).toEqual({ text: 'logPattern' })
    expect(wrong({ text: '' })).toEqual({ text: 'logPattern' })
    expect(wrong({ text: undefined, severity: '3' })).toEqual({})
    expect(wrong({ text: undefined, facility: 'auth' })).toEqual({})
  })

  test.each([
    [{ name: ' ' }, { name: 'required' }],
    [{ name: 'x'.repeat(65) }, { name: 'tooLong' }],
    [{ text: 'x'.repeat(256) }, { text: 'tooLong' }],
    [{ text: 'a\u0000bcd' }, { text: 'controlCharacters' }],
    [{ count: 0 }, { count: 'tooSmall' }],
    [{ count: 1001 }, { count: 'tooLarge' }],
    [{ count: 2, minutes: 1441 }, { minutes: 'tooLarge' }],
    [{ quietMinutes: 0 }, { quietMinutes: 'tooSmall' }],
    [{ level: '1' }, { level: 'notAllowed' }],
    [{ severity: '8' }, { severity: 'notAllowed' }],
    [{ message: 'x'.repeat(201) }, { message: 'tooLong' }],
    [{ regex: '.*' }, { regex: 'unknownField' }],
  ])('%j is refused at its field', (more, fields) => expect(Object.keys(wrong(more))).toEqual(Object.keys(fields)))

  test('knows the 24 facilities of RFC 5424 by their numbers', () => {
    expect(facilities.length).toBe(24)
    expect([facilities.indexOf('auth'), facilities.indexOf('authpriv'), facilities.indexOf('local7')]).toEqual([
      4, 10, 23,
    ])
  })
})
