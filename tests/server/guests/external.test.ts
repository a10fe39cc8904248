// A page elsewhere that decides who comes in: what it is told, whose answers count, and what forged ones come to.
import { createHmac } from 'node:crypto'
import { type Guest, type House, house } from './_house'

const key = 'k7wpe-4mxrt-9abcd-efghj'
const page = 'https://join.example/hotel/enter?lang=fixed&house=7'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:e0:${count.toString(16).padStart(2, '0')}`, ip: `10.66.7.${count}` }
}
/** A LAN whose portal has a page elsewhere beside others. */
let both: string

beforeAll(async () => {
  const external = { methods: ['external'], externalPage: page, externalKey: key }
  one = await house({ name: 'Elsewhere', ...external, maxDevices: 1 })
  const portal = await one.save('portal', {
    ...{ name: 'Both', ...external, methods: ['external', 'free'], terms: 'Be kind.' },
  })
  both = await one.save('lan', {
    ...{ name: 'Both LAN', vlan: 67, address: '10.67.0.1/24', dhcp: false, portal, assign: { all: true } },
  })
})
afterAll(() => one.end())

// What such a page does, by the words of docs/admin/portal-page.md alone.
const sign = (direction: string, text: string, by = key) =>
  createHmac('sha256', by).update(`${direction}.${text}`).digest('hex')
const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
function asked(html: string) {
  const href = /<a class="button" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(html).toContain(`<meta http-equiv="refresh" content="0;url=${href.replaceAll('&', '&amp;')}">`)
  const address = new URL(href)
  const ask = address.searchParams.get('ask') ?? ''
  expect(address.searchParams.get('sig')).toBe(sign('ask', ask))
  return { address, ...read(ask) } as { address: URL; id: string; [key: string]: unknown }
}
function answered(fields: object, by = key, direction = 'answer') {
  const answer = Buffer.from(JSON.stringify(fields)).toString('base64url')
  return new URLSearchParams({ answer, sig: sign(direction, answer, by) })
}
const led = async (guest: Guest, more: Record<string, string> = {}) =>
  asked((await one.get(one.query(guest, more))).text)
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const rows = ({ mac }: Guest) => one.rows().filter(row => row.mac === mac)

describe('the way there and back', () => {
  test('G2: a guest is led to the page of the policy, which is told who asks, and to nothing else', async () => {
    const guest = device()
    const { address, ...ask } = await led(guest, { url: 'http://news.example/?a=1&b=ü#x' })
    expect(address.href.startsWith(`${page}&ask=`)).toBe(true)
    expect([...address.searchParams.keys()]).toEqual(['lang', 'house', 'ask', 'sig'])
    expect(ask).toEqual({
      ...{ id: expect.stringMatching(/^[\w-]{22}$/), at: expect.any(Number), mac: guest.mac, ip: guest.ip },
      ...{ house: 'Harbour House', network: 'Guest LAN', language: 'en', url: 'http://news.example/?a=1&b=ü#x' },
      return: `http://192.0.2.10:8880/portal/${one.lan}`,
    })
    expect(isIn(guest)).toBe(false)
    // Asked again it is the same question.
    expect((await led(guest)).id).toBe(ask.id)
  })

  test('its answer lets in, with its own bounds and name, and leads to an address that opens again', async () => {
    const guest = device()
    const { id } = await led(guest, { url: 'http://news.example/' })
    const bounds = { minutes: 90, megabytes: 5, downloadKbps: 8000, uploadKbps: 2000 }
    const came = await one.get(answered({ id, allow: true, name: 'Zoë 🐟 of room 12', ...bounds }))
    expect(came.status).toBe(302)
    expect(came.cookie).toMatch(/^guest=/)
    expect(one.gateway.in.get(guest.mac)?.bounds).toEqual({
      ...{ mac: guest.mac, lan: one.lan, seconds: 5400, idleSeconds: 300, bytes: 5 * 1_048_576 },
      ...{ download: 8000, upload: 2000 },
    })
    expect(rows(guest)).toEqual([expect.objectContaining({ method: 10, label: 'Zoë 🐟 of room 12', state: 1 })])
    const to = new URL(came.headers.get('location') ?? '', 'http://portal.test')
    expect([to.pathname, to.searchParams.has('answer')]).toEqual([`/portal/${one.lan}`, false])
    expect((await one.get(to.searchParams)).text).toContain('You are online')
  })

  test('an answer that says nothing more lets in for as long as the portal says', async () => {
    const guest = device()
    const { id } = await led(guest)
    await one.get(answered({ id, allow: true }))
    expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBe(8 * 3600)
  })

  test('beside other ways it has a button, and what is accepted is accepted before', async () => {
    const guest = device()
    const query = one.query(guest, {}, both)
    const { text } = await one.get(query, {}, both)
    expect(text).toContain('<button name="method" value="external"')
    const form = { ...Object.fromEntries(query), method: 'external' }
    const refused = await one.post(form, {}, both)
    expect(refused.text).toContain('Accept the terms of use first.')
    expect(refused.text).not.toContain('join.example')
    const { id, return: back } = asked((await one.post({ ...form, terms: '1' }, {}, both)).text)
    expect(back).toBe(`http://192.0.2.10:8880/portal/${both}`)
    expect((await one.get(answered({ id, allow: true }), {}, both)).status).toBe(302)
    expect(isIn(guest)).toBe(true)
  })

  test('an answer that says no is told, and the guest may ask again', async () => {
    const guest = device()
    const { id } = await led(guest)
    const { text, headers } = await one.get(answered({ id, allow: false }))
    expect(text).toContain('did not let you in')
    expect(headers.get('location')).toBeNull()
    expect(isIn(guest)).toBe(false)
    expect(rows(guest)).toEqual([expect.objectContaining({ why: 'notAllowed', state: 2 })])
    expect((await led(guest)).id).not.toBe(id)
  })

  test('where no gateway let the guest in, the same answer counts once more', async () => {
    const guest = device()
    const { id } = await led(guest)
    const query = answered({ id, allow: true })
    one.gateway.answers = false
    expect((await one.get(query)).status).toBe(503)
    one.gateway.answers = true
    expect((await one.get(query)).status).toBe(302)
    expect(isIn(guest)).toBe(true)
  })

  test('G10: devices count by the name that it says; without a name nobody counts', async () => {
    const come = async (name?: string) => {
      const guest = device()
      const { id } = await led(guest)
      await one.get(answered({ id, allow: true, ...(name && { name }) }))
      return isIn(guest)
    }
    expect([await come('Ada'), await come('ada'), await come('Bob'), await come(), await come()]).toEqual([
      ...[true, false, true, true, true],
    ])
  })
})

describe('attacks', () => {
  const nobody = async (guest: Guest, query: URLSearchParams) => {
    const came = await one.get(query)
    expect([isIn(guest), came.headers.get('location'), came.cookie]).toEqual([false, null, ''])
    return came
  }

  test('forged: an answer by another key, of another direction, or changed afterwards lets nobody in', async () => {
    const guest = device()
    const { id, address } = await led(guest)
    const fields = { id, allow: true }
    await nobody(guest, answered(fields, `${key}x`))
    // The question itself, and an answer that was signed as a question.
    const [ask = '', sig = ''] = ['ask', 'sig'].map(name => address.searchParams.get(name) ?? '')
    await nobody(guest, new URLSearchParams({ answer: ask, sig }))
    await nobody(guest, answered(fields, key, 'ask'))
    const denied = answered({ id, allow: false })
    denied.set('answer', answered(fields).get('answer') ?? '')
    const { text } = await nobody(guest, denied)
    expect(text).toContain('an answer that is not valid')
    await nobody(guest, new URLSearchParams({ answer: answered(fields).get('answer') ?? '' }))
    expect(rows(guest)).toEqual([expect.objectContaining({ why: 'wrongAnswer', state: 2 })])
    // It waits for the right one still.
    expect((await one.get(answered(fields))).status).toBe(302)
  })

  test('forged: who guesses at signatures waits after six', async () => {
    const guest = device()
    const { id } = await led(guest)
    for (let tries = 0; tries < 6; tries++) await one.get(answered({ id, allow: true }, `guess-${tries}-0123456789abc`))
    expect((await nobody(guest, answered({ id, allow: true }))).text).toContain('Wait 10 minutes')
  })

  test('replayed: an answer counts once, and tells whoever has it nothing of the guest', async () => {
    const guest = device()
    const { id } = await led(guest)
    const query = answered({ id, allow: true })
    expect((await one.get(query)).status).toBe(302)
    await one.send(guest, { act: 'leave' })
    const again = await one.get(query)
    expect([again.status, again.cookie, isIn(guest)]).toEqual([403, '', false])
    expect(again.text).not.toContain(guest.mac)
  })

  test('replayed: of two at the same moment one is answered by a session', async () => {
    const guest = device()
    const { id } = await led(guest)
    const query = answered({ id, allow: true })
    const came = await Promise.all([1, 2, 3].map(() => one.get(query)))
    expect(came.map(page => page.status).toSorted()).toEqual([302, 403, 403])
    expect(rows(guest)).toHaveLength(1)
  })

  test('replayed: after an hour nobody waits for it any more', async () => {
    const guest = device()
    const { id } = await led(guest)
    const at = Date.now()
    const clock = jest.spyOn(Date, 'now').mockReturnValue(at + 3_601_000)
    const { status } = await nobody(guest, answered({ id, allow: true }))
    clock.mockRestore()
    expect(status).toBe(403)
  })

  test('another guest’s answer lets in whom it is about, and in another LAN nobody', async () => {
    const [guest, thief] = [device(), device()]
    const { id } = await led(guest)
    const query = answered({ id, allow: true })
    expect((await one.get(query, {}, both)).status).toBe(403)
    // Brought by the thief in a form of their own device.
    const stolen = { method: 'external', answer: query.get('answer') ?? '', answerSig: query.get('sig') ?? '' }
    await one.send(thief, stolen)
    expect([isIn(guest), isIn(thief)]).toEqual([false, false])
    await one.get(query)
    expect([isIn(guest), isIn(thief)]).toEqual([true, false])
  })

  test.each([
    ['what is no JSON', 'no json'],
    ['no answer at all', '[]'],
    ['an id that nobody asked by', '{"id":"AAAAAAAAAAAAAAAAAAAAAA","allow":true}'],
  ])('%s is refused, though it is signed', async (_, text) => {
    const answer = Buffer.from(text).toString('base64url')
    expect((await one.get(new URLSearchParams({ answer, sig: sign('answer', answer) }))).status).toBe(403)
  })

  test.each([
    ['allow as a text', { allow: 'true' }],
    ['no decision', {}],
    ['time that is none', { allow: true, minutes: 0 }],
    ['time without an end', { allow: true, minutes: 366 * 1440 + 1 }],
    ['a device of its own', { allow: true, mac: '02:00:00:00:ff:ff' }],
    ['a place to go on', { allow: true, redirect: 'https://evil.example/' }],
    ['a name of two lines', { allow: true, name: 'a\nb' }],
    ['a name of 65 characters', { allow: true, name: 'a'.repeat(65) }],
  ])('%s is refused, though it is signed', async (_, fields) => {
    const guest = device()
    const { id } = await led(guest)
    const { text } = await nobody(guest, answered({ id, ...fields }))
    expect(text).toContain('an answer that is not valid')
    expect(text).not.toContain('evil')
  })

  test.each([
    ['another page', { externalPage: 'https://evil.example/', landing: 'https://evil.example/' }],
    ['parameters in what was asked for', { url: 'http://a.example/&ask=evil&sig=evil&return=https://evil.example/' }],
    ['an answer to come back to', { return: 'https://evil.example/', here: 'https://evil.example/' }],
  ])('injection: %s in what a browser sends leads nowhere else', async (_, more) => {
    const guest = device()
    const { address, return: back } = await led(guest, more)
    expect([address.origin, address.pathname]).toEqual(['https://join.example', '/hotel/enter'])
    expect(address.searchParams.getAll('ask')).toHaveLength(1)
    expect(address.searchParams.getAll('sig')).toHaveLength(1)
    expect(back).toBe(`http://192.0.2.10:8880/portal/${one.lan}`)
  })

  test('a name that is markup is text in the list and on the page', async () => {
    const guest = device()
    const { id } = await led(guest)
    await one.get(answered({ id, allow: true, name: '<script>alert(1)</script>' }))
    const { text } = await one.get(one.query(guest))
    expect(text).toContain('&lt;script&gt;')
    expect(text).not.toContain('<script')
  })
})

test('the key is never shown again', async () => {
  const { data } = await one.owner.post('settings/portal/list', {})
  expect(JSON.stringify(data)).not.toContain(key)
})
