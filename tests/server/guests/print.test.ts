// Printed vouchers, read back: the PDF's text in every script, and its QR codes as a phone sees them.

import { codes } from '@/model/codes'
import { normalCode } from '@/model/guests/voucher-code'
import { voucherLink } from '@/model/guests/voucher-print'
import { type Box, boxesOf, sheetOf } from '@/model/guests/voucher-sheet'
import { drawVouchers, type PrintJob } from '@/server/guests/vouchers/print/draw'
import { drawWith } from '@/server/guests/vouchers/print/prints'
import { redeem } from '@/server/guests/vouchers/redeem'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { person } from '../_people'
import { codesOf, squaresOf, textOf } from './_pdf'

const job: PrintJob = {
  ...{
    fonts: 'node_modules/@fontsource-variable',
    format: 'a4',
    perPage: 18,
    qr: 'voucher',
    rtl: false,
    locale: 'en',
    title: 'Test',
  },
  ...{ heading: 'Harbour', sub: 'Wi-Fi: Quay', label: 'Voucher', facts: ['1 day', 'Devices: 2'] },
  captions: ['1. Wi-Fi', '2. Sign in'],
  alternatives: ['QR code'],
  vouchers: [{ shown: '234-567-89C', qrs: [voucherLink('23456789C')], own: ['Valid until Jan 1, 2027'] }],
}
const many = (count: number): PrintJob['vouchers'] =>
  Array.from({ length: count }, (_, at) => ({ shown: `NR-${at}`, qrs: [`code ${at}`], own: ['soon'] }))
const inMm = 25.4 / 72
const mm = (points: number) => Math.round(points * inMm)

test.each([
  ['a4', 8, [210, 297], 8],
  ['a4', 18, [210, 297], 18],
  ['a4', 32, [210, 297], 32],
  ['labels', 18, [210, 297], 24],
  ['roll58', 18, [58, 74], 1],
  ['roll80', 18, [80, 92], 1],
] as const)(
  '%s with %i: pages of %j mm with %i vouchers, each whole and its code readable',
  async (format, perPage, size, each) => {
    const vouchers = many(each + 1)
    const done: number[] = []
    const { pdf } = await drawVouchers({ ...job, format, perPage, vouchers }, count => done.push(count))
    const { pages, title } = textOf(pdf)
    expect([title, pages.map(page => page.size.map(mm))]).toEqual(['Test', [size, size]])
    expect(pages.map(page => page.text.filter(text => text.startsWith('NR-')).length)).toEqual([each, 1])
    expect(pages[0]?.text.join(' ')).toMatch(/Harbour .*Wi-Fi: Quay .*Voucher .*1 day.* Devices: 2.* soon/s)
    expect(codesOf(pdf)).toEqual(vouchers.flatMap(one => one.qrs))
    expect(done).toEqual([0, each, each + 1])
  },
)

test.each([
  ['ar', ['يوم واحد', '500 MB', 'اسأل']],
  ['he', ['יום אחד', '500 MB', 'שאלו']],
  ['en', ['1 day', '500 MB', 'Ask']],
])('%s: a unit stands to the right of its number, and facts in the order in which one reads', async (locale, facts) => {
  const { pdf } = await drawVouchers({ ...job, locale, rtl: locale !== 'en', facts })
  const places = textOf(pdf).pages[0]?.places ?? []
  const [number, unit] = ['500', 'MB'].map(text => places.find(place => place.text.includes(text)))
  const start = (place: typeof number, text: string) =>
    (place?.x ?? 0) + ((place?.width ?? 0) * (place?.text.indexOf(text) ?? 0)) / (place?.text.length ?? 1)
  expect(start(number, '500')).toBeLessThan(start(unit, 'MB'))
  expect(number?.y).toBe(unit?.y)
  const order = facts.map(
    fact => places.find(place => fact.includes(place.text.trim()) && place.y === number?.y)?.x ?? 0,
  )
  expect(order).toEqual(order.toSorted((a, b) => (locale === 'en' ? a - b : b - a)))
})

/** As long as a network's name and key make it. */
const joining = `WIFI:T:WPA;S:${'Quay '.repeat(6)};P:${'k'.repeat(63)};;`
const most = ['1 day 12 hours', 'Devices: 2', '500 MB', 'Ask at the reception']

test.each([
  ['a4', 8, false, [210, 297], 8],
  ['a4', 18, false, [210, 297], 18],
  ['a4', 18, true, [210, 297], 18],
  ['roll58', 18, false, [58, 118], 1],
  ['roll80', 18, false, [80, 136], 1],
] as const)(
  'both codes on %s with %i (from the right: %j): the one to join first, each of 14 mm or more with its caption, inside its card and clear of all text',
  async (format, perPage, rtl, size, each) => {
    const own = ['Valid until Jan 1, 2027', 'Wi-Fi key 23456789CABCD']
    const vouchers = Array.from({ length: each + 1 }, (_, at) => ({
      ...{ shown: 'WMW-WMW-WMW', qrs: [joining, `code ${at}`], own },
    }))
    const { pdf } = await drawVouchers({ ...job, format, perPage, rtl, qr: 'both', facts: most, vouchers })
    const { pages } = textOf(pdf)
    expect(pages.map(page => page.size.map(mm))).toEqual([size, size])
    expect(codesOf(pdf)).toEqual(vouchers.flatMap(one => one.qrs))
    const texts = pages[0]?.text.join(' ') ?? ''
    // Nothing is left out for want of room, the code above all.
    for (const text of ['WMW-WMW-WMW', '1. Wi-Fi', '2. Sign in', ...most, ...own])
      expect(texts.split(text)).toHaveLength(each + 1)
    const squares = squaresOf(pdf)
    const boxes = boxesOf(sheetOf(format, perPage, 'both'), rtl)
    for (const [at, square] of squares.slice(0, 2 * each).entries()) {
      const box = boxes[Math.floor(at / 2)] as Box
      expect(square.width * inMm).toBeGreaterThanOrEqual(14)
      expect(square.width).toBeCloseTo(square.height, 1)
      expect(square.x * inMm).toBeGreaterThanOrEqual(box.x)
      expect((square.x + square.width) * inMm).toBeLessThanOrEqual(box.x + box.width)
      expect(square.y * inMm).toBeGreaterThanOrEqual(box.y)
      expect((square.y + square.height) * inMm).toBeLessThanOrEqual(box.y + box.height)
    }
    const height = (pages[0]?.size[1] ?? 0) as number
    for (const { x, y, width, text } of pages[0]?.places ?? [])
      for (const square of squares.slice(0, 2 * each)) {
        const beside = x + width <= square.x || x >= square.x + square.width
        const base = height - y
        expect([text, beside || base <= square.y || base - 5 >= square.y + square.height]).toEqual([text, true])
      }
  },
)

/** Letters in the order one reads them, whatever shapes and directions they are drawn in. */
const letters = (text: string) => [...text.normalize('NFKC').replace(/[^\p{L}\p{N}\p{M}]/gu, '')].sort().join('')

test.each([
  ['Latin, Vietnamese, Turkish', 'Café Đà Nẵng İstanbul'],
  ['Greek and Cyrillic', 'Λιμάνι Гавань Лука'],
  ['Arabic', 'قسيمة الدخول صالحة لمدة 3 أيام (24)'],
  ['Hebrew', 'שובר כניסה בתוקף 3 ימים (24)'],
  ['Thai', 'บัตรกำนัล น้ำ ที่ผู้ใหญ่'],
  ['Devanagari', 'नेटवर्क'],
  ['Chinese', '港口酒店 免费上网券'],
  ['Japanese', 'みなとホテル 宿泊券'],
  ['Korean', '항구 호텔 이용권'],
])('%s is printed with letters of its own', async (_script, heading) => {
  const { pdf, missing } = await drawVouchers({ ...job, format: 'a4', perPage: 8, heading })
  expect(missing).toEqual([])
  const { pages } = textOf(pdf)
  const printed = (pages[0]?.text ?? []).join('')
  for (const letter of new Set(letters(heading)))
    expect([letter, letters(printed)]).toEqual([letter, expect.stringContaining(letter)])
  expect(printed).not.toContain('\u0000')
})

test('right to left, words stand in the order they are read, numbers and brackets as well', async () => {
  const heading = 'שלום עולם (24)'
  const { pages } = textOf((await drawVouchers({ ...job, format: 'a4', perPage: 8, heading, facts: [], sub: '' })).pdf)
  const text = pages[0]?.text ?? []
  // As it stands on paper, from the left: the last word first.
  const drawn = text.slice(0, text.indexOf('Voucher')).join('')
  expect(drawn.indexOf('24')).toBeLessThan(drawn.indexOf('ע'))
  expect(drawn.search(/[עולם]/)).toBeLessThan(drawn.lastIndexOf('ש'))
})

test('a long name is cut with dots, and what no font has is named', async () => {
  const { pdf, missing } = await drawVouchers({ ...job, heading: `${'Very long name '.repeat(20)}`, sub: 'A 𓀀 B' })
  expect(missing).toEqual(['𓀀'])
  expect(textOf(pdf).pages[0]?.text.join('')).toContain('…')
})

describe('by the calls', () => {
  let one: Manager
  let owner: Browser
  let groupId: number
  beforeAll(async () => {
    one = await startTestManager()
    owner = await finishedWizard(one)
    drawWith(one.runtime, drawVouchers)
    const terms = { days: 1, hours: 12, minutes: 0, validityDays: 30, maxDevices: 2, byteLimitMb: 500 }
    const { data } = await owner.post('vouchers/groups/save', { name: 'Weekend', quantity: 3, ...terms })
    groupId = data.id as number
  })
  afterAll(() => one.stop())

  async function printed(input: object, browser = owner): Promise<Buffer> {
    const { retCode, data } = await browser.post('vouchers/groups/print', { groupId, format: 'a4', ...input })
    expect([retCode, data.fields]).toEqual([0, undefined])
    const { jobId } = data
    await until(
      async () => (await browser.post('vouchers/groups/print/result', { networkId: 1, jobId })).data.state === 'done',
    )
    const file = await browser.raw(`vouchers/groups/print/file?networkId=1&jobId=${jobId}`, { method: 'GET' })
    expect(file.headers.get('content-type')).toBe('application/pdf')
    return Buffer.from(await file.arrayBuffer())
  }
  const addSsid = async (name: string, own: object) =>
    (await owner.post('settings/ssid/save', { name, ...own })).data.id as string

  test('each code that is printed lets somebody in, by what is read and by what is scanned', async () => {
    const pdf = await printed({})
    const { pages, title } = textOf(pdf)
    expect(title).toBe('Weekend – Harbour House')
    const text = pages[0]?.text.join(' ') ?? ''
    expect(text).toContain('1 day 12 hours')
    expect(text).toContain('Devices: 2')
    expect(text).toContain('500 MB')
    const shown = (pages[0]?.text ?? []).filter(word => normalCode(word))
    expect(shown).toHaveLength(3)
    const scanned = codesOf(pdf).map(link => new URL(link ?? '').searchParams.get('voucher') ?? '')
    expect(scanned).toEqual(shown.map(normalCode))
    const use = (code: string) => redeem(one.runtime, { network: 1, code, mac: '02:00:00:00:00:01', now: Date.now() })
    expect(scanned.map(code => use(code).group)).toEqual([groupId, groupId, groupId])
  })

  test('a phone joins the open Wi-Fi network by the code; one with a key is for whoever may change it', async () => {
    const open = await addSsid('Quay "free"', { security: 'open' })
    const pdf = await printed({ ssid: open, qr: 'wifi' })
    expect(new Set(codesOf(pdf))).toEqual(new Set(['WIFI:T:nopass;S:Quay \\"free\\";;']))
    expect(textOf(pdf).pages[0]?.text.join(' ')).toContain('Wi-Fi: Quay "free"')
    const closed = await addSsid('Staff', { security: 'wpa2', key: 'correct horse' })
    expect(codesOf(await printed({ ssid: closed, qr: 'wifi' }))[0]).toBe('WIFI:T:WPA;S:Staff;P:correct horse;;')
    const desk = await person(one, { role: 'guestEditor', networks: [1] })
    const asked = await desk.post('vouchers/groups/print', {
      networkId: 1,
      groupId,
      format: 'a4',
      ssid: closed,
      qr: 'wifi',
    })
    expect(asked.data.fields).toEqual({ qr: 'noAuthority' })
    expect(codesOf(await printed({ networkId: 1, ssid: open, qr: 'none' }, desk))).toEqual([])
  })

  test('both codes: the phone joins by the first and signs in by the second', async () => {
    const ssid = await addSsid('Deck', { security: 'open' })
    const [join, link, ...rest] = codesOf(await printed({ ssid, qr: 'both', perPage: 8 }))
    expect(join).toBe('WIFI:T:nopass;S:Deck;;')
    expect(normalCode(new URL(link ?? '').searchParams.get('voucher') ?? '')).toBeDefined()
    expect(rest).toHaveLength(4)
  })

  test('what cannot be printed is said at its field', async () => {
    const ask = async (input: object) =>
      (await owner.post('vouchers/groups/print', { groupId, format: 'a4', ...input })).data.fields
    expect(await ask({ qr: 'wifi' })).toEqual({ ssid: 'required' })
    expect(await ask({ qr: 'both' })).toEqual({ ssid: 'required' })
    expect(await ask({ qr: 'both', format: 'labels' })).toEqual({ qr: 'noRoom' })
    expect(await ask({ qr: 'both', perPage: 32 })).toEqual({ qr: 'noRoom' })
    expect(await ask({ format: 'a3' })).toEqual({ format: 'notAllowed' })
    expect(await ask({ ids: [987_654] })).toEqual({ ids: 'nothingToPrint' })
    const file = await owner.raw('vouchers/groups/print/file?jobId=00000000-0000-4000-8000-000000000000', {
      method: 'GET',
    })
    expect(((await file.json()) as { retCode: number }).retCode).toBe(codes.jobNotFound)
  })
})
