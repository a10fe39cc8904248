// Printed vouchers as somebody has them read aloud: the structure of the PDF's own bytes, in the order it is read.
import type { PerPage, PrintFormat } from '@/model/guests/voucher-print'
import { drawVouchers, type PrintJob } from '@/server/guests/vouchers/print/draw'
import { languageOf } from '@/server/guests/vouchers/print/tags'
import { type Part, type ReadPdf, textOf, unmarkedIn } from './_pdf'

const alternatives = ['QR code: join Quay', 'QR code: sign in']
const captions = ['1. Wi-Fi', '2. Sign in'] as const
const facts = ['1 day', 'Devices: 2']
const job: PrintJob = {
  ...{ fonts: 'node_modules/@fontsource-variable', format: 'a4', perPage: 18, qr: 'voucher', rtl: false, locale: 'en' },
  ...{ title: 'Weekend – Tom & <Jerry>', heading: 'Harbour', sub: 'Wi-Fi: Quay', label: 'Voucher', facts, captions },
  ...{ alternatives: alternatives.slice(1), vouchers: [] },
}
const vouchersOf = (count: number, both: boolean): PrintJob['vouchers'] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ shown: `NR-${at}`, qrs: [...(both ? ['join'] : []), `code ${at}`], own: ['Valid until May 1'] },
  }))

/** What is heard of a part. */
const heard = ({ alt, text }: Part) => alt ?? text
const sections = ({ pages }: ReadPdf) => pages.flatMap(({ tree }) => tree?.parts[0]?.parts ?? [])
const read = (pdf: Buffer) => sections(textOf(pdf)).map(({ role, parts }) => [role, ...parts.map(heard)])
const unseen = /[\u200e\u200f\u2066-\u2069]/g

test.each<[PrintFormat, PerPage, boolean, number]>([
  ['a4', 8, false, 8],
  ['a4', 8, true, 8],
  ['a4', 18, false, 18],
  ['a4', 18, true, 18],
  ['a4', 32, false, 32],
  ['labels', 18, false, 24],
  ['roll58', 18, false, 1],
  ['roll58', 18, true, 1],
  ['roll80', 18, false, 1],
])(
  '%s with %i, two codes %j: each voucher is a section, read as it is seen, its codes by what they do',
  async (format, perPage, both, each) => {
    const vouchers = vouchersOf(each + 1, both)
    const codes = both ? alternatives.flatMap((alt, at) => [alt, captions[at]]) : alternatives.slice(1)
    const { pdf } = await drawVouchers({
      ...{ ...job, format, perPage, vouchers, qr: both ? 'both' : 'voucher' },
      alternatives: both ? alternatives : alternatives.slice(1),
    })
    const file = textOf(pdf)
    const found = sections(file)
    const head = ['Harbour', 'Wi-Fi: Quay']
    const tail = format.startsWith('roll')
      ? [...facts, 'Valid until May 1']
      : ['1 day · Devices: 2', 'Valid until May 1']
    expect(found.map(({ parts }) => parts.map(heard))).toEqual(
      vouchers.map(({ shown }) =>
        format.startsWith('roll')
          ? [...head, 'Voucher', shown, ...codes, ...tail]
          : [...head, ...codes, 'Voucher', shown, ...tail],
      ),
    )
    expect(new Set(found.map(({ role, parts }) => `${role} ${parts[0]?.role}`))).toEqual(new Set(['Sect H1']))
    expect(found.flatMap(({ parts }) => parts).filter(one => one.role === 'Figure' && !one.bbox)).toEqual([])
    // All that is drawn is read or is decoration, the lines to cut along among it.
    expect(unmarkedIn(pdf)).toEqual([])
    // From the page's top down, and in each line from the side where one begins.
    const placed = file.pages[0]?.places.filter(one => one.text.startsWith('NR-')) ?? []
    expect(placed.toSorted((a, b) => b.y - a.y || a.x - b.x).map(one => one.text)).toEqual(
      vouchers.slice(0, each).map(one => one.shown),
    )
  },
)

test('the file says what it is: its language, its title in its window and as XML, PDF/UA where each character has a shape', async () => {
  const file = textOf((await drawVouchers({ ...job, vouchers: vouchersOf(1, false) })).pdf)
  expect(file).toMatchObject({ tagged: true, titled: true, language: 'en', version: '1.7', title: job.title })
  expect(file.xmp).toContain('<rdf:li xml:lang="x-default">Weekend – Tom &amp; &lt;Jerry&gt;</rdf:li>')
  expect(file.xmp).toContain('<pdfuaid:part>1</pdfuaid:part>')
  const boxes = textOf((await drawVouchers({ ...job, sub: 'A 𓀀 B', vouchers: vouchersOf(1, false) })).pdf)
  expect([boxes.tagged, boxes.xmp.includes('pdfuaid')]).toEqual([true, false])
})

const arabic = { rtl: true, locale: 'ar', heading: 'فندق الميناء', sub: 'Wi-Fi: Quay (الطابق 2)', label: 'قسيمة' }
test.each<[string, Partial<PrintJob>]>([
  ['Arabic', { ...arabic, facts: ['يوم واحد', 'الأجهزة: 2', '500 MB'] }],
  ['Hebrew', { rtl: true, locale: 'he', heading: 'מלון הנמל (24)', label: 'שובר', facts: ['יום אחד', '500 MB'] }],
  ['Thai', { heading: 'บัตรกำนัล น้ำ ที่ผู้ใหญ่' }],
  ['Devanagari', { heading: 'नेटवर्क' }],
  ['Vietnamese', { heading: 'Café Đà Nẵng' }],
  ['Chinese', { heading: '港口酒店 免费上网券' }],
  ['Korean', { heading: '항구 호텔 이용권' }],
])('%s is read as it was written, on cards and on a roll', async (_script, own) => {
  const wanted = { ...job, ...own, vouchers: vouchersOf(2, false) }
  const card = read((await drawVouchers({ ...wanted, perPage: 8 })).pdf)
  const roll = read((await drawVouchers({ ...wanted, format: 'roll80' })).pdf)
  const { heading, sub, label } = wanted
  const row = wanted.facts.join(' · ')
  const code = alternatives[1]
  for (const [at, one] of card.entries()) {
    expect(one).toEqual(['Sect', heading, sub, code, label, `NR-${at}`, row, 'Valid until May 1'])
    expect(one.join('')).not.toMatch(unseen)
  }
  expect(roll).toEqual(
    [0, 1].map(at => ['Sect', heading, sub, label, `NR-${at}`, code, ...wanted.facts, 'Valid until May 1']),
  )
})

test('from the right, vouchers are read from the right', async () => {
  const { pdf } = await drawVouchers({ ...job, ...arabic, perPage: 8, vouchers: vouchersOf(3, false) })
  const { pages } = textOf(pdf)
  const [first, second] = ['NR-0', 'NR-1'].map(code => pages[0]?.places.find(one => one.text === code)?.x ?? 0)
  expect(first).toBeGreaterThan(second as number)
  expect(read(pdf).map(one => one[5])).toEqual(['NR-0', 'NR-1', 'NR-2'])
})

test('what is cut for want of room is read whole', async () => {
  const heading = 'Very long name '.repeat(20).trim()
  const { pdf } = await drawVouchers({ ...job, heading, vouchers: vouchersOf(1, false) })
  const [section] = sections(textOf(pdf))
  expect([section?.parts[0]?.text.endsWith('…'), section?.parts[0]?.alt]).toEqual([true, heading])
})

test('a text in a script of its own is read in the language of that, all else in that of the paper', async () => {
  const { pdf } = await drawVouchers({ ...job, heading: 'מלון הנמל', vouchers: vouchersOf(1, false) })
  expect(sections(textOf(pdf))[0]?.parts.map(one => one.lang)).toEqual(['he', ...Array(6).fill(undefined)])
  const texts = [
    ['en', 'Harbour', undefined],
    ['en', 'ครัว', 'th'],
    ['en', 'Wi-Fi: שלום', undefined],
    ['en', 'みなとホテル 宿泊券', 'ja'],
    ['en', 'Гавань', 'und-Cyrl'],
    ['zh-CN', '港口酒店', undefined],
    ['ar', 'Quay', 'und-Latn'],
    ['en', '24', undefined],
  ] as const
  for (const [locale, text, lang] of texts) expect([text, languageOf(text, locale)]).toEqual([text, lang])
})
