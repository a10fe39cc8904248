// Each page that guests meet, in a language with longer words and in one from right to left, on the narrowest phone.
import type { Page } from 'playwright-core'
import words from '@/locales/en/portal.json'
import type { GuestMethod } from '@/model/guests/methods'
import { guestMethods } from '@/model/guests/methods'
import { awayPages } from '@/server/guests/portal/away-page'
import { codePage, entryPage } from '@/server/guests/portal/entry-page'
import { fullPage } from '@/server/guests/portal/full-page'
import {
  adPage,
  blockedPage,
  hoursPage,
  leadPage,
  onlinePage,
  outPage,
  resumePage,
  troublePage,
} from '@/server/guests/portal/page'
import { speechBy } from '@/server/guests/portal/words'
import type { Place } from '@/server/guests/sessions/place'
import { marks, type Pseudo, pseudoWords } from '../_pseudo'
import { axe, type Browser, launch, scrollsSideways } from './_browser'

const narrow = { width: 320, height: 640 }
let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launch('http://127.0.0.1')
  page = await browser.page(narrow)
})
afterAll(() => browser?.close())
afterEach(() => expect(browser.faults()).toEqual([]))

// What houses and guests say, which no language changes.
const house = 'QUAY7'
const label = 'ROOM8'
const given = [
  house,
  label,
  'wifi.internal',
  'A:01',
  'B:02',
  'x@y.z',
  'join.example',
  'http://news.example/',
  'Q1',
  'Q2',
  'C1',
  'T1',
]
const now = Date.parse('2026-11-23T20:00:00Z')
const proof = { mac: '02:00:00:00:0A:01', sig: 'f'.repeat(64) }
const questions = [
  ...(['text', 'email', 'phone', 'check'] as const).map(type => ({ label: 'Q1', type, required: false })),
  { label: 'Q2', type: 'choice' as const, choices: 'C1', required: true },
]
const methods = Object.keys(guestMethods) as GuestMethod[]
const policy = { methods, questions }

function pagesIn(how: Pseudo, direction: 'ltr' | 'rtl'): Record<string, string> {
  const speech = speechBy({ locale: 'en', direction, messages: pseudoWords(words, how), zone: 'UTC' })
  const about = { speech, house, proof, now }
  const wrong = (field: string) => ({ field, text: speech.say('errors.devicesFull') })
  const place = { lan: 'lan', address: '10.66.0.1/24', policy: { methods: ['voucher'] } } as unknown as Place
  const away = awayPages({ ...about, place, terms: 'T1' })
  const each = methods.map((method): [string, string] => [
    `by ${method}`,
    entryPage({ ...about, policy: { methods: [method], questions }, terms: 'T1' }),
  ])
  const places = ['A:01', 'B:02'].map((mac, at) => ({ name: `n${at}`, mac, activeAt: now - 1000, isIn: at === 0 }))
  const sent = { ...about, other: '/', minutes: 10 }
  return {
    ...Object.fromEntries(each),
    'all ways': entryPage({ ...about, policy, terms: 'T1' }),
    'all wrong': entryPage({
      ...{ ...about, policy, terms: 'T1' },
      wrong: ['', 'terms', 'code', 'password', 'email', 'phone', 'answer0'].map(wrong),
    }),
    'code by email': codePage({ ...sent, way: 'email', to: 'x@y.z', until: speech.moment(now + 90_000_000, now) }),
    'code by text message': codePage({ ...sent, way: 'sms', to: '+49 1', wrong: [wrong('sentCode')] }),
    online: onlinePage({
      ...{ ...about, ends: now + 200_000_000, label, landing: 'http://news.example/', wanted: 'http://news.example/' },
      ...{ bytesLeft: 1e9, byteLimit: 5e9, download: 8000, upload: 2000 },
    }),
    'online by name': onlinePage({ ...about, ends: now + 60_000, label: '', name: 'wifi.internal' }),
    full: fullPage({ ...about, code: 'x', places, gone: true, other: '/' }),
    resume: resumePage({ ...about, other: '/' }),
    lead: leadPage({ ...about, to: 'https://join.example/' }),
    ad: adPage({ ...about, seconds: 2, on: '/' }),
    out: outPage(about),
    blocked: blockedPage({ ...about, until: speech.moment(now, now) }),
    hours: hoursPage({ ...about, next: speech.moment(now, now) }),
    ...Object.fromEntries((['old', 'forged', 'closed', 'away'] as const).map(one => [one, troublePage(about, one)])),
    'away entry': away.entry,
    'away online': away.online,
  }
}

// Nothing is led on from a page that is looked at.
const shown = async (text: string) => {
  await page.setContent(text.replace(/<meta http-equiv="refresh"[^>]*>/, ''))
}
const names = Object.keys(pagesIn('long', 'ltr'))

/** What stands on the page, and its title and labels, without messages and what was given. */
async function untranslated(): Promise<string[]> {
  const texts = await page.evaluate(() => [
    document.title,
    document.body.textContent ?? '',
    ...[...document.querySelectorAll('[aria-label],[placeholder],[alt]')].flatMap(one =>
      ['aria-label', 'placeholder', 'alt'].map(name => one.getAttribute(name) ?? ''),
    ),
  ])
  const message = new RegExp(`${marks.begin}[^${marks.begin}${marks.end}]*${marks.end}`, 'gs')
  const rest = texts.map(text => given.reduce((left, one) => left.replaceAll(one, ''), text.replace(message, '')))
  return rest.filter(text => /\p{L}/u.test(text))
}

/** Elements that do not fit into the window, or whose text does not fit into them. */
const tooWide = () =>
  page.evaluate(
    width =>
      [...document.querySelectorAll('body *')]
        .filter(one => !one.closest('svg'))
        .filter(one => {
          const { left, right } = one.getBoundingClientRect()
          const isInput = one.matches('input,select')
          return (
            left < -0.5 ||
            right > width + 0.5 ||
            (!isInput && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
          )
        })
        .map(one => `${one.tagName} ${one.textContent?.slice(0, 40)}`),
    narrow.width,
  )

test.each(names)('longer words: %s fits, says all of it in the language, and is fit for all', async name => {
  await shown(pagesIn('long', 'ltr')[name] ?? '')
  expect(await untranslated()).toEqual([])
  expect(await tooWide()).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
  expect(await axe(page)).toEqual([])
})

/** Boxes from the side at which reading begins; text within a line goes its own way. */
const boxes = (from: 'left' | 'right') =>
  page.evaluate(
    ([side, width]) =>
      [...document.querySelectorAll('body, body *')]
        .filter(one => !one.closest('svg') && one.getClientRects().length > 0)
        .filter(one => getComputedStyle(one).display !== 'inline')
        .map(one => {
          const { left, right, top, bottom } = one.getBoundingClientRect()
          const [near, far] = side === 'left' ? [left, right] : [width - right, width - left]
          return [one.tagName, ...[near, far, top, bottom].map(Math.round)].join(' ')
        }),
    [from, narrow.width] as const,
  )

test.each(names)('from right to left: %s is turned as a whole, and fits', async name => {
  await shown(pagesIn('mirrored', 'ltr')[name] ?? '')
  const straight = await boxes('left')
  await shown(pagesIn('mirrored', 'rtl')[name] ?? '')
  expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl')
  expect(await boxes('right')).toEqual(straight)
  expect(await tooWide()).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
})

test('the test sees a box that has a side of its own', async () => {
  const turned = async (direction: 'ltr' | 'rtl') => {
    await shown((pagesIn('mirrored', direction)['by free'] ?? '').replace('<h1', '<h1 style="padding-left:9px"'))
    return boxes(direction === 'ltr' ? 'left' : 'right')
  }
  // The padding moves text alone; a picture beside it moves.
  const lifted = async (direction: 'ltr' | 'rtl') => {
    await shown(
      (pagesIn('mirrored', direction).online ?? '').replace('class="mark"', 'class="mark" style="margin-left:9px"'),
    )
    return boxes(direction === 'ltr' ? 'left' : 'right')
  }
  expect(await turned('rtl')).toEqual(await turned('ltr'))
  expect(await lifted('rtl')).not.toEqual(await lifted('ltr'))
})
