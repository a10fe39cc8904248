// Vouchers: rules G8 to G15, G21 and S1 at their edges, codes and states.
import type * as z from 'zod'
import {
  everyVoucherState,
  isVoucherRate,
  lastingOf,
  lastingProblem,
  lastingSeconds,
  mayRenew,
  quantity,
  stateOf,
  usedNow,
  voucherTerms,
} from '@/model/guests/voucher'
import { codeAlphabet, codeCharacters, codeOf, normalCode, shownCode } from '@/model/guests/voucher-code'
import { resetsOf } from '@/model/reset-cycle'
import { fc } from '../_property'

const accepts = (type: z.ZodType, value: unknown) => type.safeParse(value).success
type Edge = [rule: string, field: z.ZodType, right: unknown[], wrong: unknown[]]

test.each<Edge>([
  ['G8 group name', voucherTerms.name, ['a', 'ä'.repeat(64)], ['', ' ', 'a'.repeat(65), 'a\nb']],
  ['G9 quantity', quantity, [1, 1000], [0, 1001, 1.5, '5']],
  ['G10 devices', voucherTerms.maxDevices, [0, 1, 10_000], [-1, 10_001, 1.5]],
  ['G12 validity', voucherTerms.validityDays, [1, 1095], [0, 1096]],
  ['G13 bytes', voucherTerms.byteLimitMb, [null, 1, 1_048_576], [0, 1_048_577]],
  ['G13 download', voucherTerms.downloadKbps, [null, 1, 1023, 2000, 1_023_000], [0, 1024, 1500, 1_024_000, 1.5]],
  ['G13 upload', voucherTerms.uploadKbps, [null, 1, 1023, 1_023_000], [0, 1024, 1_024_000]],
  ['G15 reset day', voucherTerms.resetDays, [0, 1, 365], [-1, 366]],
  ['G15 reset hour', voucherTerms.resetHour, [0, 12, 23], [-1, 24]],
  ['G21 days', voucherTerms.days, [0, 365], [-1, 366]],
  ['G21 hours', voucherTerms.hours, [0, 23], [-1, 24]],
  ['G21 minutes', voucherTerms.minutes, [0, 59], [-1, 60]],
  [
    'notes',
    voucherTerms.notes,
    ['', 'For the front desk', 'x'.repeat(255)],
    ['x'.repeat(256), 'two\nlines', 'a\u0007'],
  ],
])('%s', (_rule, field, right, wrong) => {
  expect(right.filter(value => !accepts(field, value))).toEqual([])
  expect(wrong.filter(value => accepts(field, value))).toEqual([])
})

test.each([
  [0, 0, 0, 'voucherDuration'],
  [0, 0, 1, undefined],
  [365, 0, 0, undefined],
  [365, 0, 1, 'voucherDuration'],
  [364, 23, 59, undefined],
])('G11: %i days, %i hours, %i minutes: %s', (days, hours, minutes, problem) => {
  expect(lastingProblem({ days, hours, minutes })).toBe(problem)
  expect(lastingOf(lastingSeconds({ days, hours, minutes }))).toEqual({ days, hours, minutes })
})

test('G13: a rate is a number from 1 to 1,023 of Kbps or of Mbps', () => {
  const ofKbps = (kbps: number) => kbps >= 1 && kbps <= 1023
  const ofMbps = (kbps: number) => kbps % 1000 === 0 && ofKbps(kbps / 1000)
  for (const kbps of [...Array(3000).keys(), 1_022_999, 1_023_000, 1_023_001, 1_024_000])
    expect([kbps, isVoucherRate(kbps)]).toEqual([kbps, ofKbps(kbps) || ofMbps(kbps)])
})

test('S1: in use and used are renewed, unused and expired are not', () => {
  expect(everyVoucherState.map(state => [state, mayRenew(state)])).toEqual([
    [0, false],
    [1, true],
    [2, true],
    [3, false],
  ])
})

const bounds = { seconds: 3600, validityDays: 2, byteLimitMb: 10, bytesPer: 'voucher' as const }
const fresh = { validFrom: 0, firstUsedAt: null, usedSeconds: 0, usedBytes: 0, countedAt: null }
const used = { ...fresh, firstUsedAt: 1000, countedAt: 2000 }
const day = 86_400_000

test.each([
  ['made', fresh, bounds, 1000, 0],
  ['to the last moment of its validity', fresh, bounds, 2 * day - 1, 0],
  ['at its end', fresh, bounds, 2 * day, 3],
  ['let somebody in', used, bounds, 3000, 1],
  ['one second left', { ...used, usedSeconds: 3599 }, bounds, 3000, 1],
  ['no second left', { ...used, usedSeconds: 3600 }, bounds, 3000, 2],
  ['one byte left', { ...used, usedBytes: 10_485_759 }, bounds, 3000, 1],
  ['no byte left', { ...used, usedBytes: 10_485_760 }, bounds, 3000, 2],
  ['bytes of each device', { ...used, usedBytes: 10_485_760 }, { ...bounds, bytesPer: 'device' as const }, 3000, 1],
  ['bytes without a limit', { ...used, usedBytes: 10_485_760 }, { ...bounds, byteLimitMb: null }, 3000, 1],
  ['used, and its validity over', { ...used, usedSeconds: 3600 }, bounds, 2 * day, 3],
] as const)('a voucher that is %s', (_what, use, terms, now, state) => expect(stateOf(use, terms, now)).toBe(state))

test('what was used before the last reset counts no more, what came after it does', () => {
  const full = { ...used, usedSeconds: 3600, countedAt: 5000 }
  expect(stateOf(full, bounds, 6000, 5000)).toBe(2)
  expect(stateOf(full, bounds, 6000, 5001)).toBe(1)
  expect(usedNow(full, 5001)).toEqual({ seconds: 0, bytes: 0 })
})

describe('G15: the reset', () => {
  const at = (text: string) => Date.parse(text)
  const cycle = { resetDays: 1, resetHour: 4, createdAt: at('2026-10-20T15:00:00Z') }
  const lisbon = 'Europe/Lisbon'

  test.each([
    ['before the hour', '2026-10-22T02:59:59Z', '2026-10-21T03:00:00Z', '2026-10-22T03:00:00Z'],
    ['at the hour', '2026-10-22T03:00:00Z', '2026-10-22T03:00:00Z', '2026-10-23T03:00:00Z'],
    ['when clocks go back, by the clock', '2026-10-25T12:00:00Z', '2026-10-25T04:00:00Z', '2026-10-26T04:00:00Z'],
  ])('%s', (_when, now, last, next) =>
    expect(resetsOf(cycle, lisbon, at(now))).toEqual({ last: at(last), next: at(next) }),
  )

  test('every seven days from the day the group was made; 0 is never', () => {
    const weekly = { ...cycle, resetDays: 7, resetHour: 0 }
    expect(resetsOf(weekly, 'UTC', at('2026-10-30T00:00:00Z'))).toEqual({
      last: at('2026-10-27T00:00:00Z'),
      next: at('2026-11-03T00:00:00Z'),
    })
    expect(resetsOf({ ...cycle, resetDays: 0 }, lisbon, at('2026-10-30T00:00:00Z'))).toBeUndefined()
  })

  test('last is never after now, and next always is', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const zone = fc.constantFrom('UTC', lisbon, 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia')
    const since = fc.integer({ min: 0, max: 400 * 24 * 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), hour, zone, since, (resetDays, resetHour, name, minutes) => {
        const now = cycle.createdAt + minutes * 60_000
        const { last, next } = resetsOf({ ...cycle, resetDays, resetHour }, name, now) ?? { last: 0, next: 0 }
        return last <= now && now < next
      }),
    )
  })
})

describe('codes', () => {
  const random = fc.array(fc.integer({ min: 0, max: codeAlphabet.length - 1 }), {
    minLength: codeCharacters - 1,
    maxLength: codeCharacters - 1,
  })
  const code = random.map(codeOf)

  test('case, dashes and spaces do not matter, nor what looks the same', () => {
    const made = codeOf([0, 3, 4, 6, 20, 1, 9, 12])
    expect(normalCode(made)).toBe(made)
    expect(shownCode(made)).toMatch(/^(\w{3})-(\w{3})-(\w{3})$/)
    const said = made.replaceAll('2', 'z').replaceAll('5', 's').replaceAll('6', 'G').replaceAll('8', 'b')
    expect(said).toMatch(/[zsGb]/)
    for (const typed of [shownCode(made), shownCode(made).toLowerCase(), said, ` ${made.split('').join(' ')}\n`])
      expect(normalCode(typed)).toBe(made)
    expect(normalCode(shownCode(made).replaceAll('-', '\u2013'))).toBe(made)
  })

  test('one wrong character, two that changed places, one too many or too few: no code', () => {
    fc.assert(
      fc.property(code, fc.nat(codeCharacters - 1), fc.nat(codeAlphabet.length - 1), (right, at, other) => {
        const chars = [...right]
        const wrong = chars.with(at, codeAlphabet[other] ?? '').join('')
        const turned = chars
          .with(at, chars.at(at - 1) ?? '')
          .with(at - 1, chars[at] ?? '')
          .join('')
        return (
          normalCode(right) === right &&
          (wrong === right || normalCode(wrong) === undefined) &&
          (turned === right || at === 0 || normalCode(turned) === undefined) &&
          normalCode(right.slice(1)) === undefined &&
          normalCode(`${right}2`) === undefined
        )
      }),
    )
  })

  test('what nobody would take for one is none', () => {
    const nonsense = ['', '-', '\0'.repeat(9), '💶'.repeat(9), "' OR 1=1 --", 'x'.repeat(100_000), '2'.repeat(8)]
    expect(nonsense.filter(text => normalCode(text) !== undefined)).toEqual([])
  })

  test('nothing in them can be taken for another, or makes a word', () => {
    expect(new Set(codeAlphabet).size).toBe(23)
    expect(codeAlphabet).not.toMatch(/[01ILOQZSGBAEIU]/)
  })
})
