// Print templates by the calls, and what they make of printed vouchers.
import { deflateSync } from 'node:zlib'
import { codes } from '@/model/codes'
import { isLogo } from '@/model/guests/voucher-template'
import { limits } from '@/model/limits'
import { drawVouchers } from '@/server/guests/vouchers/print/draw'
import { drawWith } from '@/server/guests/vouchers/print/prints'
import { until } from '../../lab/_lab'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, person } from '../_people'
import { codesOf, textOf } from './_pdf'

let one: Manager
let owner: Browser
let groupId: number
beforeAll(async () => {
  one = await startTestManager()
  owner = await finishedWizard(one)
  drawWith(one.runtime, drawVouchers)
  const terms = { days: 1, hours: 0, minutes: 0, validityDays: 30, maxDevices: 2, byteLimitMb: 500 }
  groupId = (await owner.post('vouchers/groups/save', { name: 'Weekend', quantity: 2, ...terms })).data.id as number
})
afterAll(() => one.stop())

/** A red PNG with that many pixels along an edge; `said`: what its head says instead. */
function png(side: number, said = side): string {
  const crcs = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const chunk = (type: string, body: Buffer) => {
    const data = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const crc = data.reduce((sum, byte) => ((crcs[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8)) >>> 0, 0xffffffff)
    const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(body.length)
    end.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
    return Buffer.concat([length, data, end])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(said, 0)
  head.writeUInt32BE(said, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(
    Array.from({ length: side }, () => Buffer.from([0, ...Array(side).fill([255, 0, 0]).flat()])),
  )
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const whole = [start, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat(whole).toString('base64')}`
}

let made = 0
const save = (own: object = {}, browser = owner) => {
  made += 1
  return browser.post('vouchers/templates/save', { name: `Template ${made}`, format: 'a4', ...own })
}
async function saved(own: object = {}): Promise<number> {
  const { retCode, data } = await save(own)
  expect([retCode, data.fields]).toEqual([0, undefined])
  return data.id as number
}
async function printed(templateId: number): Promise<Buffer> {
  const { retCode, data } = await owner.post('vouchers/groups/print', { groupId, templateId })
  expect([retCode, data.fields]).toEqual([0, undefined])
  const { jobId } = data
  await until(async () => (await owner.post('vouchers/groups/print/result', { jobId })).data.state === 'done')
  const file = await owner.raw(`vouchers/groups/print/file?networkId=1&jobId=${jobId}`, { method: 'GET' })
  return Buffer.from(await file.arrayBuffer())
}
const wordsOf = async (templateId: number) => textOf(await printed(templateId)).pages[0]?.text.join(' ') ?? ''

test('what a template leaves out is not printed, what it says is', async () => {
  const all = await wordsOf(await saved())
  for (const text of ['Weekend', '1 day', 'Devices: 2', '500 MB', 'Valid until']) expect(all).toContain(text)
  const few = await saved({ heading: 'Harbour House', text: 'Ask at the reception', facts: ['lasting'], qr: 'none' })
  const pdf = await printed(few)
  const words = textOf(pdf).pages[0]?.text.join(' ') ?? ''
  expect(words).toContain('Harbour House')
  expect(words).toContain('1 day · Ask at the reception')
  expect(words).not.toMatch(/Weekend|Devices|500 MB|Valid until/)
  expect(codesOf(pdf)).toEqual([])
})

test.each(['a4', 'labels', 'roll58', 'roll80'] as const)(
  '%s: the logo is in the PDF, and nothing is missing for it',
  async format => {
    const plain = await printed(await saved({ format }))
    const pdf = await printed(await saved({ format, logo: png(40) }))
    const images = (file: Buffer) => file.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0
    expect([images(plain), images(pdf)]).toEqual([0, 1])
    expect(textOf(pdf).pages.map(page => page.text.length)).toEqual(textOf(plain).pages.map(page => page.text.length))
    expect(codesOf(pdf)).toHaveLength(2)
  },
)

test.each([
  ['no name', { name: '' }, 'name'],
  ['a name that is taken', { name: 'template 1' }, 'name'],
  ['a paper that there is none of', { format: 'a5' }, 'format'],
  ['both codes on labels', { format: 'labels', qr: 'both' }, 'qr'],
  ['both codes on cards of 32 a page', { format: 'a4', perPage: 32, qr: 'both' }, 'qr'],
  ['two lines', { text: 'a\nb' }, 'text'],
  ['a long heading', { heading: 'x'.repeat(limits.templateCharacters + 1) }, 'heading'],
  ['G18: a picture of another format', { logo: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }, 'logo'],
  [
    'G18: a PNG that is none',
    { logo: `data:image/png;base64,${Buffer.from('x'.repeat(64)).toString('base64')}` },
    'logo',
  ],
  ['G18: a picture that unpacks to a vast one', { logo: png(2, 20_000) }, 'logo'],
  ['G18: a large picture', { logo: `${png(2)}${'A'.repeat(limits.templateLogoCharacters)}` }, 'logo'],
  ['an address elsewhere', { logo: 'https://example.test/logo.png' }, 'logo'],
])('%s is refused at its field', async (_what, wrong, field) => {
  const { retCode, data } = await save(wrong)
  expect([retCode === 0, Object.keys((data.fields ?? {}) as object)]).toEqual([false, [field]])
})

describe('a template whose Wi-Fi could not be printed', () => {
  const ssid = async (own: object) => {
    made += 1
    const { data } = await owner.post('settings/ssid/save', { name: `Wi-Fi ${made}`, assign: { all: true }, ...own })
    return data.id as string
  }
  const fieldsOf = async (own: object) => (await save(own)).data.fields

  test.each(['wifi', 'both'])('a code that joins (%s) needs a network when it is saved', async qr => {
    expect(await fieldsOf({ qr })).toEqual({ ssid: 'required' })
    expect(await fieldsOf({ qr, ssid: await ssid({ security: 'open' }) })).toBeUndefined()
  })

  test('a network that is gone is refused at its field, also where it is only named', async () => {
    const gone = '00000000-0000-4000-8000-000000000001'
    for (const qr of ['wifi', 'voucher', 'none'])
      expect(await fieldsOf({ qr, ssid: gone })).toEqual({ ssid: 'notFound' })
  })

  test('a network with keys or logins of one’s own has no code that joins; named it may be', async () => {
    const own = await ssid({ security: 'ppsk' })
    expect(await fieldsOf({ qr: 'wifi', ssid: own })).toEqual({ qr: 'noJoinCode' })
    expect(await fieldsOf({ qr: 'voucher', ssid: own })).toBeUndefined()
  })

  test('what was right is refused when it is changed after its network went', async () => {
    const to = await ssid({ security: 'open' })
    const id = await saved({ name: 'Terrace', qr: 'wifi', ssid: to })
    await owner.post('settings/ssid/delete', { ids: [to] })
    const again = { id, revision: 1, name: 'Terrace', qr: 'wifi', ssid: to }
    expect((await save(again)).data.fields).toEqual({ ssid: 'notFound' })
    expect((await save({ ...again, qr: 'voucher', ssid: undefined })).retCode).toBe(0)
  })
})

test('a picture is what its bytes are', () => {
  expect(isLogo(png(2))).toBe(true)
  expect(isLogo(`data:image/jpeg;base64,${png(2).split(',')[1]}`)).toBe(false)
})

test('changed with the revision that was read, deleted whole or not at all, printed with one that is gone: refused', async () => {
  const id = await saved({ name: 'Reception' })
  const edit = { id, revision: 1, name: 'Reception', format: 'roll58' }
  expect((await save(edit)).data).toEqual({ id, revision: 2 })
  expect((await save(edit)).retCode).toBe(codes.staleRevision)
  expect((await owner.post('vouchers/templates/delete', { ids: [id, 9999] })).retCode).toBe(
    codes.voucherTemplateNotFound,
  )
  const { result } = (await owner.post('vouchers/templates/list', { search: 'recep' })).data
  expect(result).toEqual([expect.objectContaining({ id, name: 'Reception', format: 'roll58', revision: 2 })])
  expect((await owner.post('vouchers/templates/delete', { ids: [id] })).retCode).toBe(0)
  expect((await owner.post('vouchers/groups/print', { groupId, templateId: id })).retCode).toBe(
    codes.voucherTemplateNotFound,
  )
  expect((await owner.post('vouchers/groups/print', { groupId })).data.fields).toEqual({ format: 'required' })
})

test('of another network it is not there; the file has them as they are saved', async () => {
  const id = await saved({ name: 'Own', text: 'Here' })
  const far = network(one, 'Far')
  const there = await person(one, { role: 'guestEditor', networks: [far] })
  expect((await there.post('vouchers/templates/list', { networkId: far })).data.total).toBe(0)
  expect((await there.post('vouchers/templates/delete', { networkId: far, ids: [id] })).retCode).toBe(
    codes.voucherTemplateNotFound,
  )
  const file = await owner.raw('exports/templates?networkId=1', { method: 'GET' })
  const all = (await file.json()) as Record<string, unknown>[]
  const own = all.find(row => row.name === 'Own')
  expect(own).toMatchObject({ text: 'Here', format: 'a4', perPage: 18 })
  expect((await save({ ...own, name: 'Own again' })).retCode).toBe(0)
})
