// The guests' page: who gets in by what, what it says when somebody does not, and what attacks come to.
import { guestStates } from '@/model/guests/session'
import { voucherLink } from '@/model/guests/voucher-print'
import { every, type Guest, type House, house } from './_house'

let one: House
let guests = 0
/** A device that nobody has seen before. */
function device(): Guest {
  guests += 1
  const hex = guests.toString(16).padStart(4, '0')
  return { mac: `02:00:00:00:${hex.slice(0, 2)}:${hex.slice(2)}`, ip: `10.66.${guests >> 8}.${guests & 255}` }
}

beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const inputs = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(one => [one[1], one[2]]),
  )

describe('getting in', () => {
  test('the page offers each way of the policy, works without script, and is small', async () => {
    const { status, text, headers } = await one.get(one.query(device()))
    expect(status).toBe(200)
    for (const method of every.methods) expect(text).toContain(`<button name="method" value="${method}"`)
    expect(text).toContain('Harbour House')
    expect(text).not.toMatch(/<script|onclick|<link(?! rel="icon" href="data:,">)|<img|src=/i)
    expect(Buffer.byteLength(text)).toBeLessThan(30_000)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('a press lets in where it is free: two requests, and the second says for how long', async () => {
    const guest = device()
    const first = await one.get(one.query(guest))
    expect(isIn(guest)).toBe(false)
    const { text, status } = await one.post({ ...inputs(first.text.replaceAll('&amp;', '&')), method: 'free' })
    expect(status).toBe(200)
    expect(text).toContain('You are online')
    expect(text).toMatch(/8 h 0 min|7 h 59 min/)
    expect(one.gateway.in.get(guest.mac)?.bounds).toEqual({
      ...{ mac: guest.mac, lan: one.lan, seconds: 8 * 3600, idleSeconds: 300 },
    })
  })

  test('the right password lets in, a wrong one does not and is told at its field', async () => {
    const guest = device()
    const wrong = await one.send(guest, { method: 'simplePassword', password: 'harbor' })
    expect(wrong.text).toMatch(/id="password"[^>]*aria-invalid="true"[^>]*aria-describedby="password-wrong"/)
    expect(wrong.text).toContain('This password is wrong.')
    expect(wrong.text).not.toContain('value="harbor"')
    expect(isIn(guest)).toBe(false)
    expect((await one.send(guest, { method: 'simplePassword', password: 'harbour' })).text).toContain('You are online')
    expect(isIn(guest)).toBe(true)
  })

  test('Enter in the password’s field means the password, though the voucher’s button comes first', async () => {
    const guest = device()
    await one.send(guest, { method: 'voucher', code: '', password: 'harbour' })
    expect(isIn(guest)).toBe(true)
  })

  test('a voucher lets in with its own time, bytes and speed, however it is typed', async () => {
    const [code = ''] = one.codes(1, { seconds: 7200, byteLimitMb: 5, downloadKbps: 8000, uploadKbps: 2000 })
    const guest = device()
    const { text } = await one.send(guest, { method: 'voucher', code: ` ${code.toLowerCase()} ` })
    expect(text).toContain('2 h 0 min')
    expect(text).toContain('5 MB of 5 MB')
    expect(text).toContain('8 Mbit/s down, 2 Mbit/s up')
    expect(one.gateway.in.get(guest.mac)?.bounds).toMatchObject({
      ...{ seconds: 7200, bytes: 5 * 1_048_576, download: 8000, upload: 2000 },
    })
  })

  test('a voucher whose QR code was scanned stands in the field, one press from being in', async () => {
    const [code = ''] = one.codes(1)
    const guest = device()
    const { text } = await one.get(one.query(guest, { url: voucherLink(code) }))
    expect(text).toMatch(new RegExp(`id="code"[^>]* value="${code}"`))
    expect((await one.send(guest, { method: 'voucher', code, url: voucherLink(code) })).text).not.toContain(
      '192.0.2.1/',
    )
    expect(isIn(guest)).toBe(true)
    const evil = await one.get(one.query(device(), { url: `http://evil.example/?voucher=${code}` }))
    expect(evil.text).not.toMatch(new RegExp(`id="code"[^>]* value="${code}"`))
  })

  test.each([
    ['a slip', 'XXX-XXX-XXX', 'This is no voucher code.'],
    ['nothing', '  ', 'Enter the code on your voucher.'],
  ])('a voucher with %s is told at its field, and what was typed stands there', async (_, code, words) => {
    const guest = device()
    const { text } = await one.send(guest, { method: 'voucher', code })
    expect(text).toContain(words)
    expect(text).toMatch(/id="code"[^>]*aria-invalid="true"/)
    expect(text).toContain(`value="${code}"`)
    expect(isIn(guest)).toBe(false)
  })

  test('a voucher is good for as many devices as it says', async () => {
    const [code = ''] = one.codes(1, { maxDevices: 1 })
    const [first, second] = [device(), device()]
    await one.send(first, { method: 'voucher', code })
    const { text } = await one.send(second, { method: 'voucher', code })
    expect(text).toContain('as many devices as it is good for')
    expect([isIn(first), isIn(second)]).toEqual([true, false])
  })

  test('what was sent twice lets in once, to the same end', async () => {
    const [code = ''] = one.codes(1)
    const guest = device()
    await Promise.all([1, 2].map(() => one.send(guest, { method: 'voucher', code })))
    expect(one.rows().filter(row => row.mac === guest.mac)).toHaveLength(1)
  })

  test('where no gateway lets the guest in the page says so, and nobody counts as in', async () => {
    const guest = device()
    one.gateway.answers = false
    const { text, status } = await one.send(guest, { method: 'free' })
    one.gateway.answers = true
    expect(status).toBe(503)
    expect(text).toContain('The network did not answer.')
    const [row] = one.rows().filter(row => row.mac === guest.mac)
    expect(row).toMatchObject({ state: guestStates.failed, why: 'gateway' })
    expect((await one.send(guest, { method: 'free' })).text).toContain('You are online')
  })

  test('terms have to be accepted first', async () => {
    const portal = await one.save('portal', { ...every, name: 'With terms', terms: 'Be kind.\n<b>Really</b>' })
    const lan = await one.save('lan', {
      ...{ name: 'Terms LAN', vlan: 67, address: '10.67.0.1/24', dhcp: false, portal, assign: { all: true } },
    })
    const guest = device()
    const form = (more: object) => ({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free', ...more })
    const refused = await one.post(form({}), {}, lan)
    expect(refused.text).toContain('Accept the terms of use first.')
    expect(refused.text).toContain('Be kind.\n&lt;b&gt;Really&lt;/b&gt;')
    expect(isIn(guest)).toBe(false)
    await one.post(form({ terms: '1' }), {}, lan)
    expect([isIn(guest), one.other.in.has(guest.mac)]).toEqual([true, true])
  })
})

describe('being in', () => {
  test('whoever is in sees what is left instead of the form, and signs out', async () => {
    const guest = device()
    await one.send(guest, { method: 'free' })
    const { text } = await one.get(one.query(guest))
    expect(text).toContain('You are online')
    expect((await one.send(guest, { act: 'leave' })).text).toContain('You are disconnected')
    expect(isIn(guest)).toBe(false)
    expect((await one.get(one.query(guest))).text).toContain('Welcome to the Wi-Fi')
  })

  test('the page stays good by its cookie, after the redirect is too old', async () => {
    const guest = device()
    const { cookie, headers } = await one.send(guest, { method: 'free' })
    expect(headers.get('set-cookie')).toMatch(/Path=\/portal\/[0-9a-f-]+; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const old = one.query(guest, { at: '1700000000' })
    expect((await one.get(old, { cookie })).text).toContain('You are online')
    expect((await one.get(old)).status).toBe(403)
    expect((await one.get('', { cookie })).text).toContain('You are online')
  })

  test('a changed MAC address is back with one press: the session moves, and its end stays', async () => {
    const [code = ''] = one.codes(1, { maxDevices: 1 })
    const [before, after] = [device(), device()]
    const { cookie } = await one.send(before, { method: 'voucher', code })
    const [held] = one.rows().filter(row => row.mac === before.mac)
    expect((await one.get(one.query(after), { cookie })).text).toContain('Continue my session')
    expect((await one.get(one.query(after, { other: '1' }), { cookie })).text).toContain('Welcome to the Wi-Fi')
    expect((await one.send(after, { act: 'resume' }, { cookie })).text).toContain('You are online')
    expect([isIn(before), isIn(after)]).toEqual([false, true])
    const [moved] = one.rows().filter(row => row.mac === after.mac)
    expect(moved).toMatchObject({ id: held?.id, ends: held?.ends })
    // Its place on the voucher went along: the former address has none any more.
    expect((await one.send(before, { method: 'voucher', code })).text).toContain('as many devices')
  })
})

describe('attacks', () => {
  test.each([
    ['another guest’s MAC address', { mac: '02:00:00:00:ff:01' }],
    ['another signature', { sig: 'f'.repeat(64) }],
    ['an old redirect', { at: '1700000000' }],
  ])('%s lets nobody in', async (_, changed) => {
    const guest = device()
    const before = one.rows().length
    expect((await one.get(one.query(guest, changed))).status).toBe(403)
    const form = { ...Object.fromEntries(one.query(guest, changed)), method: 'free' }
    expect((await one.post(form)).status).toBe(403)
    expect((await one.post({ ...form, act: 'resume' })).status).toBe(403)
    expect(one.rows()).toHaveLength(before)
  })

  test('somebody else’s token goes on nowhere once its session is over, nor in another LAN', async () => {
    const [guest, thief] = [device(), device()]
    const { cookie } = await one.send(guest, { method: 'free' })
    await one.send(guest, { act: 'leave' })
    await one.send(thief, { act: 'resume' }, { cookie })
    expect(isIn(thief)).toBe(false)
    expect((await one.get('', { cookie: 'guest=AAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(403)
  })

  test('guessing: a device waits after six wrong ones, with the right one, too; who is in stays in', async () => {
    const guest = device()
    const [code = ''] = one.codes(1)
    for (let tries = 0; tries < 6; tries++)
      expect((await one.send(guest, { method: 'simplePassword', password: `no${tries}` })).text).toContain('is wrong')
    const right = { simplePassword: { password: 'harbour' }, voucher: { code } }
    for (const [method, form] of Object.entries(right))
      expect((await one.send(guest, { method, ...form })).text).toContain('Wait 10 minutes')
    // Another MAC address on the same address waits, too; one elsewhere does not.
    const twin = { ...device(), ip: guest.ip }
    expect((await one.send(twin, { method: 'voucher', code })).text).toContain('Wait 10 minutes')
    expect((await one.send(device(), { method: 'voucher', code })).text).toContain('You are online')
  })

  test('a device that sends form upon form is slowed down', async () => {
    const guest = device()
    let last = 200
    for (let at = 0; at < 21; at++) last = (await one.send(guest, { method: 'none' })).status
    expect(last).toBe(429)
  })

  test.each([
    ['markup', '"><script>alert(1)</script>'],
    ['another attribute', '" autofocus onfocus="alert(1)'],
    ['an address that is a script', 'javascript:alert(1)'],
    ['another site', 'https://evil.example/'],
  ])('injection: %s in what a browser sends is text on the page', async (_, evil) => {
    const guest = device()
    const form = { method: 'voucher', code: evil, url: evil }
    const pages = [
      await one.get(one.query(guest, { url: evil })),
      await one.send(guest, form),
      await one.send(guest, { method: 'free', url: evil }),
    ]
    for (const { text } of pages) {
      expect(text).not.toMatch(/<script|onfocus="/)
      // Nothing leads where the guest's browser said: no link, no form, no redirect.
      expect(text).not.toMatch(/(href|action|content)="(javascript:|https:\/\/evil)/)
    }
    expect(pages[2]?.text).toContain('You are online')
    expect(pages.map(page => page.headers.get('location'))).toEqual([null, null, null])
  })

  test('open redirect: on leads only where the policy says', async () => {
    const portal = await one.save('portal', {
      ...every,
      name: 'Landing',
      landing: 'https://house.example/welcome?a=1&b=2',
    })
    const lan = await one.save('lan', {
      ...{ name: 'Landing LAN', vlan: 68, address: '10.68.0.1/24', dhcp: false, portal, assign: { all: true } },
    })
    const guest = device()
    const evil = { landing: 'https://evil.example/', url: 'https://evil.example/' }
    const form = { ...Object.fromEntries(one.query(guest, {}, lan)), method: 'free', ...evil }
    const { text } = await one.post(form, {}, lan)
    const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(found => found[1])
    expect(links).toEqual(['https://house.example/welcome?a=1&amp;b=2'])
    expect(text).toContain('<bdi>https://evil.example/</bdi>')
  })

  test('another LAN’s redirect, and a LAN without guests, are refused', async () => {
    const lan = await one.save('lan', { name: 'Office', vlan: 69, address: '10.69.0.1/24', dhcp: false })
    const guest = device()
    expect((await one.get(one.query(guest, {}, lan), {}, lan)).status).toBe(404)
    expect((await one.get(one.query(guest, {}, lan))).status).toBe(403)
    expect((await one.get('', {}, '../../app/login')).status).toBe(404)
  })

  test('asked for past the portal’s own listener it answers nothing', async () => {
    expect((await one.get(one.query(device()), { 'x-lanward-portal': '' })).status).toBe(404)
  })
})

test('guessing with ever new addresses is told once, then nobody tries a code any more for a while', async () => {
  const wrong = () => one.send(device(), { method: 'simplePassword', password: 'guess' })
  let tries = 0
  while (tries < 300 && (await wrong()).text.includes('is wrong')) tries += 1
  // Those of the tests before count, too.
  expect(tries).toBeGreaterThan(200)
  expect(tries).toBeLessThan(240)
  const [code = ''] = one.codes(1)
  expect((await one.send(device(), { method: 'voucher', code })).text).toContain('Wait 10 minutes')
  const { data } = await one.owner.post('alerts/list', {})
  const told = (data.result as { type: string; values: object }[]).filter(row => row.type === 'guestGuessing')
  expect(told.map(row => row.values)).toEqual([{ lan: 'Guest LAN', count: 60, minutes: 10 }])
  expect((await one.send(device(), { method: 'free' })).text).toContain('You are online')
})
