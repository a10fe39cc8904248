// The portal in the visitor's language, and from right to left.
import { entryPage } from '@/server/guests/portal/entry-page'
import { type Online, onlinePage, troublePage } from '@/server/guests/portal/page'
import { speechOf, visitorLocale } from '@/server/guests/portal/words'

test.each([
  ['en-GB,en;q=0.9', undefined, 'en'],
  [null, undefined, 'en'],
  ['', 'en', 'en'],
  ['de;q=0, *;q=0.5', undefined, 'en'],
  [',;q=x,,', undefined, 'en'],
])('L1: %s beside the manager’s %s is %s', (header, own, locale) => {
  expect(visitorLocale(header, own)).toBe(locale)
})

const online: Omit<Online, 'speech'> = {
  ...{ house: 'Quay', label: 'Room 108', proof: {} },
  now: Date.parse('2026-11-23T20:00:00Z'),
  ends: Date.parse('2026-11-24T19:59:00Z'),
}

test('moments are by the clock of the house, with the day unless it is today', async () => {
  const lisbon = await speechOf('en', 'Europe/Lisbon')
  expect(onlinePage({ ...online, speech: lisbon })).toMatch(/Until Tuesday,? (November 24|24 November) at 7:59\sPM\./)
  const tokyo = await speechOf('en', 'Asia/Tokyo')
  const ends = online.now + 3_600_000
  expect(onlinePage({ ...online, ends, speech: tokyo })).toMatch(/Until 6:00\sAM\./)
})

test.each([
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [3_599_000, '59 min'],
  [3_600_000, '1 h 0 min'],
  [86_399_000, '23 h 59 min'],
  [86_400_000, '1 day 0 h'],
  [200_000_000, '2 days 7 h'],
  [-5, 'less than a minute'],
])('%i ms left are told as %s', async (ms, words) => {
  const speech = await speechOf('en', 'UTC')
  expect(onlinePage({ ...online, ends: online.now + ms, speech })).toContain(`<p class="big">${words}</p>`)
})

test.each([
  [0, '0 KB'],
  [1536, '1.5 KB'],
  [1_048_575, '1,024 KB'],
  [5 * 1_048_576, '5 MB'],
  [1.21 * 1024 ** 3, '1.21 GB'],
  [48.8 * 1024 ** 4, '48.8 TB'],
])('U2: %i bytes are %s', async (bytes, words) => {
  expect((await speechOf('en', 'UTC')).bytes(bytes)).toBe(words)
})

test('from right to left the whole page turns, codes and names keep their own way', async () => {
  const speech = await speechOf('ar', 'UTC')
  const page = entryPage({
    speech,
    house: 'بيت',
    terms: 'x',
    policy: { methods: ['voucher'], questions: [] },
    proof: {},
  })
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toMatch(/<input class="code"[^>]* dir="ltr"/)
  expect(page).toContain('<p dir="auto">بيت</p>')
  // Sides are named by the way of reading alone.
  expect(page).not.toMatch(/(margin|padding|border)-(left|right)|[{;](left|right|width|height):/)
})

test('one way in has one button that says what it does; several are told apart', async () => {
  const speech = await speechOf('en', 'UTC')
  const own = { speech, house: 'Quay', proof: { sig: 'a"b' } }
  const alone = entryPage({ ...own, policy: { methods: ['simplePassword'], questions: [] } })
  expect(alone).toContain('Enter the Wi-Fi password of this house.')
  expect(alone.match(/<button/g)).toHaveLength(1)
  expect(alone).toContain('>Go online</button>')
  expect(alone).toContain('name="sig" value="a&quot;b"')
  expect(alone).not.toContain('Terms of use')
  const several = entryPage({ ...own, policy: { methods: ['free', 'voucher'], questions: [] } })
  // A press is offered last: the code comes first whatever order the policy has.
  expect(several.indexOf('Use voucher')).toBeLessThan(several.indexOf('Go online free of charge'))
})

test('each page has a title, one heading and a language', async () => {
  const speech = await speechOf('en', 'UTC')
  for (const what of ['old', 'forged', 'closed'] as const) {
    const page = troublePage({ speech, house: '<Quay>' }, what)
    expect(page).toMatch(/^<!doctype html><html lang="en" dir="ltr">/)
    expect(page).toContain('· &lt;Quay&gt;</title>')
    expect(page.match(/<h1>/g)).toHaveLength(1)
  }
})
