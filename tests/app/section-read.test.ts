import { sectionRead } from '@/app/_form/section-read'

// Four sections of 400, 900, 200 and 100 px below 300 px of heads, in a window of 800 px.
const begins = [300, 700, 1600, 1800]
const whole = 1900
const height = 800
const at = (y: number) =>
  sectionRead(
    begins.map(top => top - y),
    { height, y, furthest: whole - height },
  )

test.each([
  ['at the top the first', 0, 0],
  ['in the middle what lies there', 550, 1],
  ['at the end the last, though it never comes to the top', 1100, 3],
  ['beyond the end, as a page that springs back', 1150, 3],
  ['before the top', -40, 0],
])('%s', (_, y, section) => expect(at(y)).toBe(section))

test('scrolled through, each section has its turn, in their order', () => {
  const seen = Array.from({ length: 111 }, (_, step) => at(step * 10))
  expect([...new Set(seen)]).toEqual([0, 1, 2, 3])
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
})

test('on a page without a need to scroll it is the first', () =>
  expect(sectionRead([300, 500, 700], { height, y: 0, furthest: 0 })).toBe(0))
