// Codes by text message: any gateway by a template, and Twilio as its documented API answers, errors included.

import { type Guest, type House, house } from './_house'
import { type Asked, httpServer, type Reply } from './_http'

// https://www.twilio.com/docs/messaging/api/message-resource
const account = `AC${'0a'.repeat(16)}`
const token = 'auth-token'
const basic = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
const failure = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
})
const refusals: Readonly<Record<string, Reply>> = {
  '+495555550001': failure(400, 21211, "Invalid 'To' Phone Number: +4955555XXXX"),
  '+495555550014': failure(400, 21614, "'To' number: +4955555XXXX, is not a mobile number"),
  '+495555550020': failure(429, 20429, 'Too Many Requests'),
  '+495555550021': failure(402, 20003, 'Your account has insufficient funds'),
}
function twilio({ method, url, headers, body }: Asked): Reply {
  if (headers.authorization !== basic) return failure(401, 20003, 'Authenticate')
  if (method !== 'POST' || url !== `/2010-04-01/Accounts/${account}/Messages.json`)
    return failure(404, 20404, `The requested resource ${url} was not found`)
  const form = new URLSearchParams(body)
  const to = form.get('To') ?? ''
  if (!form.get('Body')) return failure(400, 21602, 'Message body is required.')
  if (!form.get('From')) return failure(400, 21603, "A 'From' phone number is required.")
  return (
    refusals[to] ?? {
      status: 201,
      body: { sid: `SM${'1b'.repeat(16)}`, status: 'queued', to, error_code: null, error_message: null },
    }
  )
}
const plain = ({ url, body }: Asked): Reply =>
  `${url}${body}`.includes('0000000')
    ? { status: 200, body: 'ERR 7 no credit' }
    : { status: 200, body: 'OK 4711', headers: { 'content-type': 'text/plain' } }

let one: House
let far: Awaited<ReturnType<typeof httpServer>>
let near: Awaited<ReturnType<typeof httpServer>>
const lans: Record<'twilio' | 'plain' | 'picky' | 'silent', string> = { twilio: '', plain: '', picky: '', silent: '' }
let count = 0
function device(): Guest {
  count += 1
  return { mac: `02:00:00:17:00:${count.toString(16).padStart(2, '0')}`, ip: `10.66.17.${count}` }
}
const send = (guest: Guest, form: Record<string, string>, lan = lans.twilio) =>
  one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), method: 'sms', ...form }, {}, lan)
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac) || one.other.in.has(mac)
const alerts = async () => {
  const { data } = await one.owner.post('alerts/list', {})
  return (data.result as { type: string; values: object }[]).filter(row => row.type === 'guestSmsFailed')
}

beforeAll(async () => {
  far = await httpServer(twilio)
  near = await httpServer(plain)
  one = await house()
  await one.owner.post('webhooks/segments/save', { segments: ['127.0.0.0/8'] })
  const gateways = {
    twilio: { provider: 'twilio', account, token, sender: '+15017122661', server: far.url },
    plain: {
      ...{ url: `${near.url}/send?key={secret}`, headers: ['X-To: {digits}'], format: 'form', secret: 'k&y' },
      ...{ body: 'text={message}', success: 'OK' },
    },
    picky: { url: `${near.url}/?t={digits}&m={message}`, method: 'GET', success: 'SENT' },
    silent: { url: 'http://127.0.0.1:9/{phone}', body: '{"m":"{message}"}' },
  }
  for (const [at, name] of (['twilio', 'plain', 'picky', 'silent'] as const).entries()) {
    const { data } = await one.owner.post('settings/smsGateway/save', {
      ...{ name, countryCodes: ['+49'], ...gateways[name] },
    })
    const portal = await one.save('portal', {
      ...{ name, methods: ['sms', 'email', 'free'], sms: data.id, keepDays: 2 },
      ...(name === 'plain' && { smsText: 'Hafen & Haus: {code} ({minutes} min)' }),
    })
    lans[name] = await one.save('lan', {
      ...{ name, vlan: 80 + at, address: `10.8${at}.0.1/24`, dhcp: false, portal, assign: { all: true } },
    })
  }
})
afterAll(async () => {
  await one?.end()
  await far?.close()
  await near?.close()
})

const messageOf = (asked: Asked | undefined) => new URLSearchParams(asked?.body).get('Body') ?? ''

test('Twilio: a code goes to the number as it is dialled, and lets in whoever types it, in two forms', async () => {
  const guest = device()
  const { text } = await send(guest, { phone: '0170 / 123 45 67' })
  expect(text).toContain('+491701234567</bdi>')
  expect(text).toContain('Code from the text message')
  const [asked] = far.asked.slice(-1)
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toMatchObject({
    ...{ To: '+491701234567', From: '+15017122661' },
  })
  expect(messageOf(asked)).toMatch(/^\d{6} is your Wi-Fi code for .+, valid for 10 minutes\.$/)
  expect(isIn(guest)).toBe(false)
  const code = messageOf(asked).slice(0, 6)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  expect((await send(guest, { step: 'code', to: '+491701234567', sentCode: wrong })).text).toContain(
    'This code is wrong.',
  )
  expect((await one.get(one.query(guest, {}, lans.twilio), {}, lans.twilio)).text).toContain('Enter your code')
  expect((await send(guest, { step: 'code', sentCode: code })).text).toContain('You are online')
  expect(one.rows().find(row => row.mac === guest.mac && row.ended === null)).toMatchObject({
    ...{ method: 17, label: '+491701234567', keepDays: 2 },
  })
})

test('a code of a text message is none of an email, and of no other device', async () => {
  const [guest, thief] = [device(), device()]
  await send(guest, { phone: '+49 170 2222222' })
  const code = messageOf(far.asked.at(-1)).slice(0, 6)
  await send(thief, { step: 'code', sentCode: code })
  expect(isIn(thief)).toBe(false)
  await send(guest, { method: 'email', step: 'code', sentCode: code })
  expect(isIn(guest)).toBe(false)
})

test.each(['+495555550001', '+495555550014'])('Twilio: the number %s takes none, told at its field', async phone => {
  const { text } = await send(device(), { phone })
  expect(text).toContain('<p class="error" id="phone-wrong" role="alert">No text message reaches this number.')
  expect(await alerts()).toEqual([])
})

test.each([
  ['', 'Enter your mobile number.'],
  ['call me', 'This is no mobile number.'],
  ['+1 501 712 2661', 'Codes are not sent to numbers of this country.'],
])('%j is told at its field, and nobody is asked', async (phone, words) => {
  const before = far.asked.length
  expect((await send(device(), { phone })).text).toContain(words)
  expect(far.asked).toHaveLength(before)
})

test('Twilio: without funds the guest hears that none can be sent, and an alert why, once', async () => {
  const { text } = await send(device(), { phone: '+49 5555550021' })
  expect(text).toContain('No text message can be sent now.')
  await send(device(), { phone: '+49 5555550020' })
  expect((await alerts()).map(row => row.values)).toEqual([
    { gateway: 'twilio', reason: 'Your account has insufficient funds (Twilio 20003)' },
  ])
})

test('a template is filled by what each place needs; the house’s own words hold (A20)', async () => {
  const guest = device()
  const { text } = await send(guest, { phone: '01713333333' }, lans.plain)
  expect(text).toContain('Enter your code')
  const asked = near.asked.at(-1)
  expect(asked).toMatchObject({ method: 'POST', url: '/send?key=k%26y' })
  expect(asked?.headers).toMatchObject({
    ...{ 'x-to': '491713333333', 'content-type': 'application/x-www-form-urlencoded' },
  })
  const message = new URLSearchParams(asked?.body).get('text') ?? ''
  expect(message).toMatch(/^Hafen & Haus: \d{6} \(10 min\)$/)
  const sentCode = /\d{6}/.exec(message)?.[0] ?? ''
  expect((await send(guest, { step: 'code', sentCode }, lans.plain)).text).toContain('You are online')
})

test('a template’s answer counts by what it says, not by its status', async () => {
  expect((await send(device(), { phone: '01714444444' }, lans.picky)).text).toContain(
    'No text message can be sent now.',
  )
})

test('a gateway that is off, and one where none may be asked, are told as such', async () => {
  expect((await send(device(), { phone: '01715555555' }, lans.silent)).text).toContain(
    'No text message can be sent now.',
  )
  await one.owner.post('webhooks/segments/save', { segments: [] })
  const before = far.asked.length
  expect((await send(device(), { phone: '01716666666' })).text).toContain('No text message can be sent now.')
  expect(far.asked).toHaveLength(before)
  await one.owner.post('webhooks/segments/save', { segments: ['127.0.0.0/8'] })
})

test('a number gets three messages an hour, whoever asks; a device asks for five', async () => {
  for (let at = 0; at < 3; at++)
    expect((await send(device(), { phone: '01717777777' })).text).toContain('Enter your code')
  expect((await send(device(), { phone: '+49 171 7777777' })).text).toContain('Too many codes were sent.')
  const guest = device()
  for (let at = 0; at < 5; at++) await send(guest, { phone: `0171888888${at}` })
  expect((await send(guest, { phone: '01718888889' })).text).toContain('Too many codes were sent.')
})

test('the gateway’s secrets are shown to nobody', async () => {
  const { data } = await one.owner.post('settings/smsGateway/list', {})
  expect(JSON.stringify(data)).not.toContain(token)
  expect(JSON.stringify(data)).not.toContain('k&y')
})
