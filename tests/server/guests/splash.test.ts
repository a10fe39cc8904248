// The portal's page as the house made it: its colours, its words in the visitor's language, its terms; and its preview.
import { codes, documentCode } from '@/model/codes'
import { every, type Guest, type House, house } from './_house'

const look = {
  ...{ name: 'House', colour: '#FFE600', backdrop: '#ffffff' },
  texts: [
    { language: 'en', title: 'Ahoy', text: 'Breakfast at 7.\nBar <b>closed</b>.' },
    { language: 'ar', title: 'أهلا', terms: 'شروط' },
    { language: 'de', title: 'Moin', terms: 'Seid nett.' },
  ],
}
let one: House
let lan: string
let splash: string
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:03:00:${count.toString(16).padStart(2, '0')}`, ip: `10.66.3.${count}` }
}
const get = (language: string, of = lan) => one.get(one.query(device(), {}, of), { 'accept-language': language }, of)
const send = (guest: Guest, form: Record<string, string>, language = 'en') =>
  one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), ...form }, { 'accept-language': language }, lan)

beforeAll(async () => {
  one = await house()
  const { data } = await one.owner.post('settings/splash/save', look)
  splash = String(data.id)
  const portal = await one.save('portal', { ...every, name: 'Own look', splash })
  lan = await one.save('lan', {
    ...{ name: 'Own LAN', vlan: 71, address: '10.71.0.1/24', dhcp: false, portal, assign: { all: true } },
  })
})
afterAll(() => one?.end())

test('a splash page that a portal refers to stays, and nothing of another kind is one', async () => {
  const deleted = await one.owner.post('settings/splash/delete', { ids: [splash] })
  expect(deleted.retCode).toBe(codes[documentCode('splash', 'inUse')])
  const strange = await one.owner.post('settings/portal/save', { ...every, name: 'Strange', splash: one.lan })
  expect(strange.data.fields).toEqual({ splash: 'notFound' })
})

test.each([
  ['en', 'en', 'ltr', 'Ahoy'],
  ['de-AT,en;q=0.5', 'de', 'ltr', 'Moin'],
  ['ar', 'ar', 'rtl', 'أهلا'],
  ['fr', 'en', 'ltr', 'Ahoy'],
  ['xx, de;q=0.4', 'de', 'ltr', 'Moin'],
])('whoever reads %s is welcomed in %s, marked as that', async (accept, language, direction, title) => {
  const { text } = await get(accept)
  expect(text).toContain(`<h1 lang="${language}" dir="${direction}">${title}</h1>`)
  expect(text.match(/<h1/g)).toHaveLength(1)
})

test('the house’s text is text, whatever it looks like, and the page stays small and without script', async () => {
  const { text } = await get('en')
  expect(text).toContain('Breakfast at 7.\nBar &lt;b&gt;closed&lt;/b&gt;.')
  expect(text).not.toMatch(/<script|<link(?! rel="icon" href="data:,">)|src=/i)
  expect(Buffer.byteLength(text)).toBeLessThan(30_000)
})

test('its colours are the page’s, with letters that can be read on them', async () => {
  const { text } = await get('en')
  expect(text).toContain('--primary:#ffe600;--on:#000000;')
  expect(text).toContain('header{background:#ffffff;')
  expect(text).toContain('header p{color:#000000}')
  const plain = await get('en', one.lan)
  expect(plain.text).not.toContain('#ffe600')
})

test('terms of any language have to be accepted, whatever the browser says it reads', async () => {
  expect((await get('de')).text).toContain('Seid nett.')
  // English has none of its own: those that there are hold.
  expect((await get('en')).text).toContain('شروط')
  for (const language of ['en', 'de', 'fr']) {
    const guest = device()
    expect((await send(guest, { method: 'free' }, language)).text).toContain('Accept the terms of use first.')
    expect(one.gateway.in.has(guest.mac)).toBe(false)
    await send(guest, { method: 'free', terms: '1' }, language)
    expect(one.gateway.in.has(guest.mac)).toBe(true)
  }
})

test('every page that follows has the look, too', async () => {
  const guest = device()
  expect((await send(guest, { method: 'free', terms: '1' })).text).toContain('--primary:#ffe600')
  expect((await send(guest, { act: 'leave' })).text).toContain('--primary:#ffe600')
})

describe('preview', () => {
  const preview = (input: object) => one.owner.post('guests/page/preview', input)

  test('is the page itself, by what is typed and by the ways in of a portal that refers to it', async () => {
    const { data } = await preview({ id: splash, splash: { ...look, colour: '#112233' }, language: 'de' })
    const page = String(data.page)
    expect(page).toContain('--primary:#112233')
    expect(page).toContain('>Moin</h1>')
    expect(page).toContain('name="password"')
    const alone = await preview({ splash: { name: 'x' } })
    expect(String(alone.data.page)).not.toContain('name="password"')
  })

  test('is light or dark as asked, whatever the reader’s system is', async () => {
    for (const scheme of ['light', 'dark']) {
      const page = String((await preview({ splash: look, scheme })).data.page)
      expect(page).toContain(`color-scheme:${scheme}`)
      expect(page).not.toContain('prefers-color-scheme')
    }
  })

  test('is drawn while it is not finished, without what is wrong, and nothing is stored', async () => {
    const before = (await one.owner.post('settings/splash/list', {})).data.total
    const page = async (more: object) => String((await preview({ splash: { ...look, ...more } })).data.page)
    const wrong = await page({ name: '', colour: 'red;}</style><script>' })
    expect(wrong).toContain('>Ahoy</h1>')
    expect(wrong).not.toContain('<script')
    expect(await page({ texts: [{ title: 'Hello' }] })).toContain('>Hello</h1>')
    expect(await page({ texts: 'none' })).toContain('</h1>')
    expect(await page({ texts: [{ title: 7 }, null] })).toContain('</h1>')
    expect(await page({ more: 1 })).toContain('>Ahoy</h1>')
    expect((await one.owner.post('settings/splash/list', {})).data.total).toBe(before)
  })
})
