// Ways in by which guests say who they are: the portal's own questions, and a code that a real mail server delivers.
import type { guests } from '@/db/schema'
import { trimGuests } from '@/server/guests/sessions/store'
import { startMail } from '@/server/mail/start'
import { until } from '../../lab/_lab'
import { saveMailServer } from '../_mail-server'
import { decoded, smtpServer } from '../_smtp'
import { type Guest, type House, house } from './_house'

const dayMs = 86_400_000
const questions = [
  { label: 'Your name', type: 'text', required: true },
  { label: 'Email', type: 'email', required: false },
  { label: 'Phone', type: 'phone', required: false },
  { label: 'Room', type: 'choice', choices: '101, 102 , 103', required: true },
  { label: 'I am over 16', type: 'check', required: true },
]
const right = { answer0: 'Ann <b>O’Hara</b>', answer3: '102', answer4: '1' }

let one: House
let mail: Awaited<ReturnType<typeof smtpServer>>
let count = 0
function device(): Guest {
  count += 1
  const hex = count.toString(16).padStart(4, '0')
  return { mac: `02:00:00:01:${hex.slice(0, 2)}:${hex.slice(2)}`, ip: `10.66.${count >> 8}.${count & 255}` }
}
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const rowOf = ({ mac }: Guest) => one.rows().findLast(row => row.mac === mac)

beforeAll(async () => {
  mail = await smtpServer()
  one = await house({ name: 'Guests', methods: ['form', 'email', 'free'], questions, keepDays: 2 })
  startMail(one.manager.runtime)
  saveMailServer(one.manager.runtime, { host: '127.0.0.1', port: mail.port, from: 'wifi@house.test', security: 'none' })
})
afterAll(async () => {
  await one?.end()
  await mail?.close()
})

describe('the form', () => {
  test('shows each question by its sort, with what is optional marked, and no script', async () => {
    const { text } = await one.get(one.query(device()))
    for (const at of questions.keys()) expect(text).toContain(`name="answer${at}"`)
    expect(text).toContain('Email (optional)')
    expect(text).toMatch(/<select id="answer3"[^>]*><option value="" selected>–<\/option><option value="101">/)
    expect(text).toMatch(/<input type="email" id="answer1"/)
    expect(text).toMatch(/<input type="tel" id="answer2"/)
    expect(text).not.toMatch(/<script|onclick|<link(?! rel="icon" href="data:,">)|<img/i)
  })

  test('answers let in for the policy’s time, and are listed, found and exported with the session', async () => {
    const guest = device()
    expect((await one.send(guest, { method: 'form', ...right })).text).toContain('You are online')
    expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBe(8 * 3600)
    const { data } = await one.owner.post('guests/list', { search: 'o’hara' })
    expect((data.result as object[])[0]).toMatchObject({
      method: 15,
      answers: [
        { label: 'Your name', value: 'Ann <b>O’Hara</b>' },
        { label: 'Room', value: '102' },
        { label: 'I am over 16', value: 'yes' },
      ],
    })
    const file = await one.owner.raw('exports/guests', { method: 'GET' })
    const [head = '', row = ''] = (await file.text()).split('\r\n')
    expect(head).toMatch(/,Your name,Room,I am over 16$/)
    expect(row).toMatch(/,Ann <b>O’Hara<\/b>,102,yes$/)
  })

  test('a formula among the answers is no formula in the file', async () => {
    const guest = device()
    await one.send(guest, { method: 'form', ...right, answer0: '=HYPERLINK("http://evil.example")' })
    const file = await one.owner.raw('exports/guests', { method: 'GET' })
    expect(await file.text()).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  })

  test.each([
    ['nothing', {}, { answer0: 'This is needed.', answer3: 'This is needed.', answer4: 'This is needed.' }],
    ['spaces alone', { ...right, answer0: '  ' }, { answer0: 'This is needed.' }],
    ['no email address', { ...right, answer1: 'ann at house' }, { answer1: 'This is no email address.' }],
    ['no phone number', { ...right, answer2: 'call me' }, { answer2: 'This is no phone number.' }],
    ['a choice that is none', { ...right, answer3: '104' }, { answer3: 'Choose one of the list.' }],
    ['too much', { ...right, answer0: 'x'.repeat(101) }, { answer0: 'This is too long.' }],
  ])('%s is told at each field, what was typed stands there, and nobody is in', async (_, form, wrong) => {
    const guest = device()
    const { text } = await one.send(guest, { method: 'form', ...form })
    for (const [field, words] of Object.entries(wrong))
      expect(text).toContain(`<p class="error" id="${field}-wrong" role="alert">${words}</p>`)
    expect(text.match(/class="error"/g)).toHaveLength(Object.keys(wrong).length)
    expect(text.match(/ autofocus/g)).toHaveLength(1)
    if ('answer3' in form && form.answer3 === '102') expect(text).toContain('<option value="102" selected>')
    expect(isIn(guest)).toBe(false)
  })

  test('Enter in a question’s field means the form, though another button comes first', async () => {
    const guest = device()
    await one.send(guest, { method: 'email', email: '', ...right })
    expect(isIn(guest)).toBe(true)
  })

  test('injection: control characters and further fields of a browser come to nothing', async () => {
    const guest = device()
    await one.send(guest, {
      method: 'form',
      ...right,
      answer0: 'A\r\nB\u0000',
      answer9: 'more',
      __proto__: 'x',
      ends: '9',
    })
    expect(JSON.parse(rowOf(guest)?.answers ?? '')[0]).toEqual({ label: 'Your name', value: 'A  B' })
    expect(rowOf(guest)?.answers).not.toContain('more')
  })
})

describe('personal data', () => {
  test('answers are forgotten so many days after the end as the portal says; that somebody was in stays', async () => {
    const guest = device()
    await one.send(guest, { method: 'form', ...right })
    const { runtime } = one.manager
    const now = Date.now()
    trimGuests(runtime, now + 60 * dayMs)
    expect(rowOf(guest)?.answers).toContain('Ann')
    await one.send(guest, { act: 'leave' })
    trimGuests(runtime, now + 2 * dayMs - 60_000)
    expect(rowOf(guest)?.answers).toContain('Ann')
    trimGuests(runtime, now + 2 * dayMs + 60_000)
    expect(rowOf(guest)).toMatchObject({ answers: '[]', label: '', method: 15 })
  })

  test('a guest is forgotten whole: cut off, every record of the device gone, and the changelog names nobody', async () => {
    const [guest, other] = [device(), device()]
    await one.send(guest, { method: 'free' })
    await one.send(guest, { act: 'leave' })
    await one.send(guest, { method: 'form', ...right })
    await one.send(other, { method: 'form', ...right })
    const id = one.rows().find(row => row.mac === guest.mac)?.id
    const { data } = await one.owner.post('guests/forget', { ids: [id] })
    expect(data).toEqual({ forgotten: 1, silent: [] })
    expect(one.rows().filter(row => row.mac === guest.mac)).toEqual([])
    expect([isIn(guest), isIn(other)]).toEqual([false, true])
    expect(rowOf(other)?.answers).toContain('Ann')
    const log = await one.owner.post('changelog/list', {})
    expect(JSON.stringify(log.data)).not.toContain(guest.mac)
    expect(JSON.stringify(log.data)).toContain('"object":"guest"')
    expect((await one.owner.post('guests/forget', { ids: [id] })).retCode).toBe(40003)
  })
})

describe('a code by email', () => {
  const letterTo = async (address: string, nth = 1) =>
    decoded((await until(() => mail.letters.filter(one => one.to.includes(address))[nth - 1])).text)
  const codeFor = async (address: string, nth = 1) => /^(\d{6})\r?$/m.exec(await letterTo(address, nth))?.[1] ?? ''
  const step = (guest: Guest, email: string, sentCode: string) =>
    one.send(guest, { method: 'email', step: 'code', to: email, sentCode })
  const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('goes to the address in two forms without script, and is in the subject and the text', async () => {
    const guest = device()
    const asked = await one.send(guest, { method: 'email', email: ' ann@house.test ' })
    expect(asked.text).toContain('ann@house.test</bdi>')
    expect(asked.text).toMatch(
      /<input class="code" type="text" inputmode="numeric" id="sentCode"[^>]*autocomplete="one-time-code"/,
    )
    expect(isIn(guest)).toBe(false)
    const code = await codeFor('ann@house.test')
    expect(await letterTo('ann@house.test')).toContain(`Subject: ${code} is your Wi-Fi code for Harbour House`)
    const { text } = await step(guest, 'ann@house.test', `${code.slice(0, 3)} ${code.slice(3)}`)
    expect(text).toContain('You are online')
    expect(rowOf(guest)).toMatchObject({ method: 19, label: 'ann@house.test', ended: null, keepDays: 2 })
  })

  test('holds for one device and once; a wrong one is told at its field', async () => {
    const [guest, thief] = [device(), device()]
    await one.send(guest, { method: 'email', email: 'ben@house.test' })
    const code = await codeFor('ben@house.test')
    expect((await step(thief, 'ben@house.test', code)).text).toContain('This code is not valid any more.')
    const wrong = await step(guest, 'ben@house.test', another(code))
    expect(wrong.text).toMatch(/id="sentCode"[^>]*aria-invalid="true"/)
    expect(wrong.text).not.toContain(`value="${another(code)}"`)
    expect((await step(guest, 'ben@house.test', '')).text).toContain('Enter the code.')
    await step(guest, 'ben@house.test', code)
    expect([isIn(guest), isIn(thief)]).toEqual([true, false])
    await one.send(guest, { act: 'leave' })
    expect((await step(guest, 'ben@house.test', code)).text).toContain('This code is not valid any more.')
    expect(isIn(guest)).toBe(false)
  })

  test('whoever comes to the page again finds the step they are at, and can begin anew', async () => {
    const guest = device()
    await one.send(guest, { method: 'email', email: 'cleo@house.test' })
    expect((await one.get(one.query(guest))).text).toContain('Enter your code')
    expect((await one.get(one.query(guest, { other: '1' }))).text).toContain('Choose how to go online.')
  })

  test('guessing: the third wrong code ends it, the sixth wrong one makes the device wait', async () => {
    const guest = device()
    await one.send(guest, { method: 'email', email: 'dora@house.test' })
    const code = await codeFor('dora@house.test')
    for (let at = 0; at < 2; at++)
      expect((await step(guest, 'dora@house.test', another(code))).text).toContain('This code is wrong.')
    expect((await step(guest, 'dora@house.test', another(code))).text).toContain('Ask for a new one.')
    expect((await step(guest, 'dora@house.test', code)).text).toContain('Ask for a new one.')
    for (let at = 0; at < 2; at++) await step(guest, 'dora@house.test', '111111')
    expect((await one.send(guest, { method: 'email', email: 'dora@house.test' })).text).toContain('Wait 10 minutes')
    expect(isIn(guest)).toBe(false)
  })

  test('an address gets three letters an hour, whoever asks; a device asks for five', async () => {
    for (let at = 0; at < 3; at++)
      expect((await one.send(device(), { method: 'email', email: 'eva@house.test' })).text).toContain('Enter your code')
    const more = await one.send(device(), { method: 'email', email: 'Eva@House.test' })
    expect(more.text).toContain('Too many codes were sent.')
    expect(more.text).toContain('value="Eva@House.test"')
    const guest = device()
    for (let at = 0; at < 5; at++) await one.send(guest, { method: 'email', email: `f${at}@house.test` })
    expect((await one.send(guest, { method: 'email', email: 'f9@house.test' })).text).toContain('Too many codes')
  })

  test.each(['', 'nobody', 'a@b.c\r\nBcc: all@house.test', 'a@house.test, b@house.test', '"a"@house.test>'])(
    'injection: %j is no address',
    async email => {
      const before = mail.letters.length
      const { text } = await one.send(device(), { method: 'email', email })
      expect(text).toMatch(/id="email"[^>]*aria-invalid="true"/)
      expect(mail.letters).toHaveLength(before)
    },
  )

  test('A20: the house’s own letter carries the code, and nobody is in before it unless the portal says so', async () => {
    const portal = await one.save('portal', {
      ...{ name: 'Reading', methods: ['email'], mailMinutes: 5 },
      letter: 'Welcome aboard.\n\n{code} opens the Wi-Fi for {minutes} minutes.',
    })
    const lan = await one.save('lan', {
      ...{ name: 'Reading LAN', vlan: 70, address: '10.70.0.1/24', dhcp: false, portal, assign: { all: true } },
    })
    const guest = device()
    const send = (form: Record<string, string>) =>
      one.post({ ...Object.fromEntries(one.query(guest, {}, lan)), ...form }, {}, lan)
    const { text } = await send({ method: 'email', email: 'gil@house.test' })
    expect(text).toContain('to read your mail')
    expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBe(300)
    expect(rowOf(guest)).toMatchObject({ provisional: true, label: 'gil@house.test' })
    const letter = await letterTo('gil@house.test')
    expect(letter).toContain('Welcome aboard.')
    const code = /(\d{6}) opens the Wi-Fi for 10 minutes/.exec(letter)?.[1] ?? ''
    // Asking again does not make the moment longer.
    const { ends } = rowOf(guest) as typeof guests.$inferSelect
    await send({ method: 'email', email: 'gil@house.test' })
    expect(rowOf(guest)?.ends).toBe(ends)
    const next = /(\d{6}) opens/.exec(await letterTo('gil@house.test', 2))?.[1] ?? ''
    if (next !== code) expect((await send({ method: 'email', step: 'code', sentCode: code })).text).toContain('wrong')
    expect((await send({ method: 'email', step: 'code', sentCode: next })).text).toContain('You are online')
    expect(one.gateway.in.get(guest.mac)?.bounds.seconds).toBe(8 * 3600)
    expect(rowOf(guest)).toMatchObject({ provisional: false, ended: null })
  })

  test('without a mail server the page says so at the field', async () => {
    saveMailServer(one.manager.runtime, undefined)
    const { text } = await one.send(device(), { method: 'email', email: 'ida@house.test' })
    expect(text).toContain('No email can be sent now.')
  })
})
