// WiFi4EU on the sign-in page: the Commission's snippet with the network's own values, and no script besides.
import { createHash } from 'node:crypto'
import { type Guest, type House, house } from './_house'

const network = '123e4567-e89b-12d3-a456-426655440000'
const origin = 'https://collection.wifi4eu.ec.europa.eu'
const guest: Guest = { mac: '02:00:00:00:e4:01', ip: '10.66.5.1' }
let one: House
let without: string

beforeAll(async () => {
  const wifi4eu = { wifi4eu: true, wifi4euLanguage: 'pt', wifi4euNetwork: network }
  one = await house({ name: 'WiFi4EU', methods: ['free', 'simplePassword'], password: 'harbour', ...wifi4eu })
  const portal = await one.save('portal', { name: 'Without', methods: ['free'] })
  without = await one.save('lan', {
    ...{ name: 'Other LAN', vlan: 67, address: '10.67.0.1/24', dhcp: false, portal, assign: { all: true } },
  })
})
afterAll(() => one.end())

test('the page has the snippet and the banner in the language that was chosen', async () => {
  const { text } = await one.get(one.query(guest), { 'accept-language': 'en' })
  const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)].map(([, about, code]) => [about, code])
  expect(scripts).toEqual([
    ['', `var wifi4euTimerStart = Date.now();var wifi4euNetworkIdentifier = '${network}';var wifi4euLanguage = 'pt';`],
    [` src="${origin}/wifi4eu.min.js" defer`, ''],
  ])
  expect(text).toContain(
    `<img id="wifi4eubanner" class="wifi4eu" src="${origin}/media/banner/Wifi4EU-PT.svg" alt="WiFi4EU">`,
  )
})

test('a browser runs this snippet and the Commission’s script, and asks nobody else', async () => {
  const { text, headers } = await one.get(one.query(guest))
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map(part => {
      const [name = '', ...values] = part.split(' ')
      return [name, values]
    }),
  )
  const code = /<script>([^<]*)</.exec(text)?.[1] ?? ''
  const hash = createHash('sha256').update(code).digest('base64')
  expect(Object.fromEntries(policy)).toEqual({
    ...{ 'default-src': ["'none'"], 'script-src': [`'sha256-${hash}'`, origin], 'style-src': ["'unsafe-inline'"] },
    ...{ 'img-src': ["'self'", 'data:', origin], 'media-src': ["'self'"], 'connect-src': [origin] },
    ...{ 'form-action': ["'self'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
  })
})

test('a page that says what was wrong has it, too; who is in sees nothing of it', async () => {
  const wrong = await one.send(guest, { method: 'simplePassword', password: 'no' })
  expect(wrong.text).toContain('wifi4eubanner')
  expect((await one.send(guest, { method: 'free' })).text).not.toContain('wifi4eubanner')
})

test('a portal without it loads and runs nothing', async () => {
  const { text, headers } = await one.get(one.query(guest, {}, without), {}, without)
  expect(text).not.toMatch(/<script|wifi4eubanner|europa/)
  expect(headers.get('content-security-policy')).toBeNull()
})
