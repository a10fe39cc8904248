// Vouchers on paper as the eye and a phone's camera see them: each paper drawn as a picture, from the left and from the right.
import jsQR from 'jsqr'
import { type PerPage, type PrintFormat, type QrChoice, voucherLink } from '@/model/guests/voucher-print'
import { boxesOf, sheetOf } from '@/model/guests/voucher-sheet'
import { drawVouchers, type PrintJob } from '@/server/guests/vouchers/print/draw'
import { squaresOf } from '../server/guests/_pdf'
import { cut, type Picture, pagesOf, unlike } from './_paper'

const codes = ['234-567-89C', 'WMW-WMW-WMW', 'RJW-8EA-7HX']
const join = 'WIFI:T:WPA;S:Quay;P:correct horse battery;;'
const qrsOf = (qr: QrChoice, code: string) => [
  ...(qr === 'wifi' || qr === 'both' ? [join] : []),
  ...(qr === 'voucher' || qr === 'both' ? [voucherLink(code)] : []),
]

type Text = Pick<PrintJob, 'locale' | 'rtl' | 'heading' | 'sub' | 'label' | 'facts' | 'captions'> & { own: string }
const english: Text = {
  ...{ locale: 'en', rtl: false, heading: 'Harbour House', sub: 'Wi-Fi: Quay', label: 'Voucher' },
  ...{ facts: ['1 day', 'Devices: 2', '500 MB', 'Ask at the reception'], captions: ['1. Wi-Fi', '2. Sign in'] },
  own: 'Valid until Jan 1, 2027',
}
const arabic: Text = {
  ...{ locale: 'ar', rtl: true, heading: 'فندق الميناء', sub: 'Wi-Fi: Quay (الطابق 2)', label: 'قسيمة' },
  ...{ facts: ['يوم واحد', 'الأجهزة: 2', '500 MB', 'اسأل في الاستقبال'], captions: ['1. Wi-Fi', '2. تسجيل الدخول'] },
  own: 'صالح حتى 1 يناير 2027',
}
const hebrew: Text = {
  ...{ locale: 'he', rtl: true, heading: 'מלון הנמל', sub: 'Wi-Fi: Quay (קומה 2)', label: 'שובר' },
  ...{ facts: ['יום אחד', 'מכשירים: 2', '500 MB', 'שאלו בקבלה'], captions: ['1. Wi-Fi', '2. כניסה'] },
  own: 'בתוקף עד 1 בינואר 2027',
}

const draw = async ({ own, ...text }: Text, format: PrintFormat, perPage: PerPage, qr: QrChoice) => {
  const vouchers = codes.map(shown => ({ shown, qrs: qrsOf(qr, shown), own: [own] }))
  const fonts = 'node_modules/@fontsource-variable'
  return (
    await drawVouchers({
      ...text,
      alternatives: ['QR code', 'QR code'],
      fonts,
      format,
      perPage,
      qr,
      title: 'Papers',
      vouchers,
    })
  ).pdf
}

/** What a phone reads of a picture. */
function scanned({ width, height, pixels }: Picture): string | undefined {
  const colours = new Uint8ClampedArray(pixels.length * 4)
  for (const [at, grey] of pixels.entries()) colours.set([grey, grey, grey, 255], at * 4)
  return jsQR(colours, width, height)?.data
}

const papers: [string, Text, PrintFormat, PerPage, QrChoice][] = [
  ['a4-8', english, 'a4', 8, 'both'],
  ['a4-18', english, 'a4', 18, 'voucher'],
  ['a4-32', english, 'a4', 32, 'wifi'],
  ['a4-plain', english, 'a4', 18, 'none'],
  ['labels', english, 'labels', 18, 'voucher'],
  ['roll58', english, 'roll58', 18, 'both'],
  ['roll80', english, 'roll80', 18, 'voucher'],
  ['a4-arabic', arabic, 'a4', 18, 'both'],
  ['labels-hebrew', hebrew, 'labels', 18, 'voucher'],
  ['roll80-arabic', arabic, 'roll80', 18, 'both'],
]

test.each(papers)('%s looks as it did when somebody looked at it', async (name, text, format, perPage, qr) => {
  const pages = pagesOf(await draw(text, format, perPage, qr), 100)
  expect(pages).toHaveLength(format.startsWith('roll') ? codes.length : 1)
  expect(unlike(pages[0] as Picture, name)).toBe(0)
})

/** As a printer of labels has it. */
const dpi = 203
const inMm = 25.4 / dpi
const points = 72 / dpi

test.each(papers.filter(([, , , , qr]) => qr !== 'none'))(
  '%s: a camera reads each code from the paper, where one who reads that script looks for it',
  async (_name, text, format, perPage, qr) => {
    const pdf = await draw(text, format, perPage, qr)
    const pages = pagesOf(pdf, dpi)
    const expected = codes.flatMap(code => qrsOf(qr, code))
    // With two modules of the quiet zone around each, as far as a page goes.
    const places = squaresOf(pdf)
    const each = expected.length / codes.length
    const read = places.map(({ x, y, width, height }, at) => {
      const page = pages[format.startsWith('roll') ? Math.floor(at / each) : 0] as Picture
      const quiet = width / 12
      const [left, top] = [x - quiet, y - quiet].map(value => Math.max(0, Math.floor(value / points))) as [
        number,
        number,
      ]
      const [wide, high] = [width, height].map(value => Math.ceil((value + 2 * quiet) / points)) as [number, number]
      return scanned(cut(page, left, top, Math.min(wide, page.width - left), Math.min(high, page.height - top)))
    })
    expect(read).toEqual(expected)
    // Each stands in its own box, the first where one begins to read.
    const boxes = boxesOf(sheetOf(format, perPage, qr), text.rtl)
    for (const [at, { x, width }] of places.entries()) {
      const box = boxes[format.startsWith('roll') ? 0 : Math.floor(at / each)]
      const middle = ((x + width / 2) / points) * inMm
      expect([middle > (box?.x ?? 0), middle < (box?.x ?? 0) + (box?.width ?? 0)]).toEqual([true, true])
    }
  },
)
