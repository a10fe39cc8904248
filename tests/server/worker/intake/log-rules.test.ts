// Log rules in the thread that takes lines: what counts, what an alert is, and what a flood costs.
import type { LogRuleTerms } from '@/model/insight/log-rule'
import { logRules, type RuleNews, type ToldRule } from '@/server/worker/intake/log-rules'
import { alertsOf, mostOpen } from '@/server/worker/intake/rule-counter'
import type { Line } from '@/server/worker/intake/store'

const minuteMs = 60_000
const start = Date.UTC(2026, 10, 27)

const terms: LogRuleTerms = {
  ...{ text: 'link*down', severity: 'any', facility: 'any', count: 1, minutes: 10, quietMinutes: 10 },
}
const told = (more: Partial<LogRuleTerms> = {}, about: Partial<ToldRule> = {}): ToldRule => ({
  ...{ id: 'rule', network: 1, terms: { ...terms, ...more }, open: [] },
  ...about,
})
const line = (at: number, more: Partial<Line> = {}): Line => ({
  ...{ at, device: 7, network: 1, way: 'udp', tag: 'kernel', text: 'eth0: link is down', pri: 28 },
  ...more,
})

function rulesOf(...own: ToldRule[]) {
  const news: RuleNews[] = []
  const rules = logRules(one => news.push(one))
  rules.know(own, start)
  return {
    rules,
    news,
    see: (at: number, more: Partial<Line> = {}) => rules.see(line(start + at, more)),
    /** Devices of alerts that began. */
    reached: () => news.flatMap(one => ('reached' in one ? one.device : [])),
    over: () => news.flatMap(one => ('overAt' in one ? one.device : [])),
  }
}

test.each<[string, Partial<LogRuleTerms>, Partial<Line>, boolean]>([
  ['its text', {}, {}, true],
  ['another text', {}, { text: 'eth0: link is up' }, false],
  ['at least its severity', { severity: '4' }, { pri: 28 }, true],
  ['a lesser severity', { severity: '3' }, { pri: 28 }, false],
  ['no severity', { severity: '7' }, { pri: undefined }, false],
  ['no severity where any will do', {}, { pri: undefined }, true],
  ['its facility', { facility: 'daemon' }, { pri: 28 }, true],
  ['another facility', { facility: 'kern' }, { pri: 28 }, false],
  ['a trap, which has no facility', { facility: 'kern' }, { pri: 4, way: 'trap2' }, false],
  ['a trap', { severity: '4' }, { pri: 4, way: 'trap2', tag: 'linkDown', text: 'ifIndex 3' }, true],
  ['another network', {}, { network: 2 }, false],
  ['a sender that is no device', {}, { device: 0, network: 0 }, false],
])('a line with %s', (_, more, about, matches) => {
  const one = rulesOf(told(more))
  one.see(0, about)
  expect(one.reached().length).toBe(matches ? 1 : 0)
})

test('only devices that it is about count, each by itself', () => {
  const one = rulesOf(told({ count: 2 }, { devices: [7, 8] }))
  for (const device of [7, 8, 9, 9, 9]) one.see(0, { device })
  expect(one.reached()).toEqual([])
  one.see(10, { device: 8 })
  expect(one.news).toEqual([{ rule: 'rule', device: 8, reached: { from: start, at: start + 10 } }])
})

test('five within ten minutes: the fifth is the alert, and one that came too long ago counts no more', () => {
  const one = rulesOf(told({ count: 5 }))
  for (const minute of [0, 3, 6, 9]) one.see(minute * minuteMs)
  one.see(10 * minuteMs)
  expect(one.reached()).toEqual([])
  one.see(13 * minuteMs)
  expect(one.reached()).toEqual([])
  one.see(15 * minuteMs)
  expect(one.news).toEqual([
    { rule: 'rule', device: 7, reached: { from: start + 6 * minuteMs, at: start + 15 * minuteMs } },
  ])
})

test('a thousand lines within the time are counted with few entries, and the thousandth is the alert', () => {
  const one = rulesOf(told({ count: 1000, minutes: 10 }))
  for (let at = 0; at < 999; at++) one.see(at * 500)
  expect(one.reached()).toEqual([])
  one.see(999 * 500)
  expect(one.reached()).toEqual([7])
})

test('it is over after the quiet time, and then begins anew', () => {
  const one = rulesOf(told({ quietMinutes: 5 }))
  one.see(0)
  one.see(4 * minuteMs)
  one.rules.settle(start + 8 * minuteMs)
  expect([one.reached(), one.over()]).toEqual([[7], []])
  one.rules.settle(start + 9 * minuteMs)
  expect(one.over()).toEqual([7])
  one.rules.settle(start + 30 * minuteMs)
  expect(one.over()).toEqual([7])
  one.see(31 * minuteMs)
  expect(one.reached()).toEqual([7, 7])
})

test('a flood is one alert, and no line of it is even looked at while that is open', () => {
  const one = rulesOf(told(), told({ text: 'nothing like it' }, { id: 'other', devices: [8] }))
  let looked = 0
  const flooding = (at: number): Line =>
    Object.defineProperty(line(at), 'text', {
      get() {
        looked += 1
        return 'eth0: link is down'
      },
    })
  // Ten seconds of 20,000 lines each.
  for (let at = 0; at < 200_000; at++) one.rules.see(flooding(start + Math.floor(at / 20)))
  expect(one.reached()).toEqual([7])
  expect(looked).toBeLessThanOrEqual(11)
  one.rules.settle(start + 10_000)
  expect(one.over()).toEqual([])
})

test('a flood of many devices opens so many alerts at a time, and no more', () => {
  const one = rulesOf(told())
  for (let device = 1; device <= 5000; device++) one.see(0, { device })
  expect(one.reached().length).toBe(mostOpen)
  one.rules.settle(start + 11 * minuteMs)
  expect(one.over().length).toBe(mostOpen)
  one.see(12 * minuteMs, { device: 4000 })
  expect(one.reached().at(-1)).toBe(4000)
})

test('a rule that is deleted or turned off while it counts is silent, also at its quiet time', () => {
  const one = rulesOf(told({ count: 2 }), told({}, { id: 'second' }))
  one.see(0)
  one.rules.know([], start)
  one.see(1)
  one.rules.settle(start + 60 * minuteMs)
  expect(one.news.map(({ rule }) => rule)).toEqual(['second'])
})

test('counts go on when another rule changes, and begin anew when the rule looks for something else', () => {
  const one = rulesOf(told({ count: 2 }))
  one.see(0)
  one.rules.know([told({ count: 2 }), told({}, { id: 'second', network: 2 })], start)
  one.see(1)
  expect(one.reached()).toEqual([7])
  const two = rulesOf(told({ count: 2 }))
  two.see(0)
  two.rules.know([told({ count: 2, text: 'is down' })], start)
  two.see(1)
  expect(two.reached()).toEqual([])
})

test('an open alert stays open when its rule is changed, and is no more where the device is none of its own', () => {
  const one = rulesOf(told())
  one.see(0)
  one.rules.know([told({ text: 'is down' })], start)
  one.see(2000)
  expect(one.reached()).toEqual([7])
  one.rules.know([told({ text: 'is down' }, { devices: [8] })], start)
  one.rules.settle(start + 60 * minuteMs)
  expect(one.over()).toEqual([])
})

test('after a restart an alert that is open is not raised again, and ends after the quiet time', () => {
  const one = rulesOf(told({}, { open: [7] }))
  one.see(5000)
  expect(one.reached()).toEqual([])
  one.rules.settle(start + 10 * minuteMs + 5000)
  expect(one.over()).toEqual([7])
})

test('a clock that is set back neither keeps an alert open for good nor counts old lines', () => {
  const one = rulesOf(told(), told({ count: 2 }, { id: 'second' }))
  one.see(0, { device: 9 })
  one.rules.see(line(start - 600 * minuteMs, { device: 9 }))
  expect(one.news.map(({ rule }) => rule)).toEqual(['rule'])
  one.rules.settle(start - 600 * minuteMs)
  one.rules.settle(start - 590 * minuteMs)
  expect(one.over()).toEqual([9])
})

test('what it would have raised is counted of lines that came, newest first', () => {
  const lines = [40, 31, 30, 12, 1, 0].map(minute => ({ at: start + minute * minuteMs, device: 7 }))
  expect(alertsOf(terms, lines)).toBe(3)
  expect(alertsOf({ ...terms, count: 2 }, lines)).toBe(2)
  expect(
    alertsOf(
      { ...terms, count: 2 },
      lines.map((one, device) => ({ ...one, device })),
    ),
  ).toBe(0)
  expect(alertsOf(terms, [])).toBe(0)
})
