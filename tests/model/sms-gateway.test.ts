// By what text messages are sent: the template of any gateway, and numbers as people type them.
import { dialled } from '@/model/guests/phone'
import { fillSms, isJsonTemplate, isSmsHeader, isSmsUrl } from '@/model/guests/sms-template'
import { check } from '@/model/kind'
import { portal } from '@/model/profiles/portal'
import { smsGateway } from '@/model/profiles/sms-gateway'

const good = {
  ...{ name: 'House', countryCodes: ['+49', '+43'], url: 'https://sms.example/send', secret: 'key' },
  body: '{"to":"{phone}","text":"{message}"}',
}
const twilio = {
  ...{ name: 'T', provider: 'twilio', countryCodes: ['+49'], account: `AC${'0a'.repeat(16)}`, token: 't' },
  sender: '+15017122661',
}
const wrong = (value: object) => {
  const found = check(smsGateway, value as Record<string, unknown>)
  return 'fields' in found ? found.fields : {}
}

test.each([
  ['a template', good, {}],
  ['one by GET', { ...good, method: 'GET', body: undefined, url: 'https://a.example/?t={digits}&m={message}' }, {}],
  ['Twilio', twilio, {}],
  ['no address', { ...good, url: undefined }, { url: 'required' }],
  ['no country', { ...good, countryCodes: [] }, { countryCodes: 'required' }],
  ['a country that is none', { ...good, countryCodes: ['49'] }, { 'countryCodes.0': 'callingCode' }],
  ['no number in it', { ...good, body: '{"text":"{message}"}' }, { url: 'smsHoles' }],
  ['no message in it', { ...good, body: '{"to":"{phone}"}' }, { url: 'smsHoles' }],
  ['a body that is no JSON', { ...good, body: '{"to":{phone},"text":"{message}"}' }, { body: 'jsonTemplate' }],
  ['a body beside GET', { ...good, method: 'GET' }, { body: 'notUsed', url: 'smsHoles' }],
  ['fields of the other provider', { ...good, token: 't' }, { token: 'notUsed' }],
  [
    'Twilio without all of it',
    { ...twilio, token: undefined, sender: undefined },
    { token: 'required', sender: 'required' },
  ],
  ['an account that is none', { ...twilio, account: 'AC12' }, { account: 'twilioAccount' }],
])('a gateway: %s', (_, value, fields) => expect(wrong(JSON.parse(JSON.stringify(value)))).toEqual(fields))

test.each([
  ['https://sms.example/send?to={phone}', true],
  ['http://10.0.0.2:9710/http/send-message?to={digits}', true],
  ['ftp://sms.example/', false],
  ['https://{phone}.example/', false],
  ['https://sms.example{message}/', false],
  ['https://user@sms.example/', false],
  ['sms.example', false],
  [`https://sms.example/${'x'.repeat(600)}`, false],
])('G2: the address %s, whose holes lead nowhere else: %s', (url, fine) => expect(isSmsUrl(url)).toBe(fine))

test.each([
  ['Authorization: Bearer {secret}', true],
  ['X-Api-Key:{secret}', true],
  ['Host: elsewhere.example', false],
  ['Content-Length: 3', false],
  ['A: b\r\nC: d', false],
  ['no colon', false],
])('the header %j: %s', (line, fine) => expect(isSmsHeader(line)).toBe(fine))

test.each([
  ['json', '{"t":"{message}"}', '{"t":"a\\"b & <c>"}'],
  ['form', 't={message}', 't=a%22b%20%26%20%3Cc%3E'],
  ['xml', '<t>{message}</t>', '<t>a&quot;b &amp; &lt;c&gt;</t>'],
  ['text', '{message} {other}', 'a"b & <c> {other}'],
  ['header', '{message}', 'a"b & <c>'],
] as const)('a value stays one in %s', (as, template, filled) =>
  expect(fillSms(template, { phone: '', digits: '', secret: '', message: 'a"b & <c>' }, as)).toBe(filled),
)

test('what was filled in is not filled again', () =>
  expect(fillSms('{message}', { phone: '1', digits: '', secret: 's', message: '{secret}{phone}' }, 'text')).toBe(
    '{secret}{phone}',
  ))

test('a line break in a message is none in a header, and JSON holds it', () => {
  expect(fillSms('{message}', { phone: '', digits: '', secret: '', message: 'a\r\nB: c' }, 'header')).toBe('aB: c')
  expect(isJsonTemplate('{"a":"{message}"}')).toBe(true)
})

test.each([
  ['0170 1234567', { number: '+491701234567' }],
  ['+49 (0)170 1234567', { number: '+491701234567' }],
  ['0049-170/1234567', { number: '+491701234567' }],
  ['170 1234567', { number: '+491701234567' }],
  ['+43 664 1234567', { number: '+436641234567' }],
  ['+1 501 712 2661', { problem: 'country' }],
  ['00881 12345678', { problem: 'country' }],
  ['', { problem: 'missing' }],
  ['call me', { problem: 'phone' }],
  ['+49', { problem: 'phone' }],
  ['+49 1 23', { problem: 'phone' }],
  [`+49${'1'.repeat(14)}`, { problem: 'phone' }],
  ['+49170+1234567', { problem: 'phone' }],
])('the number %j', (typed, expected) => expect(dialled(typed, ['+49', '+43'])).toEqual(expected))
test('Italy’s numbers keep their 0', () => expect(dialled('06 1234567', ['+39'])).toEqual({ number: '+39061234567' }))

test.each([
  ['{code} for {minutes} minutes', undefined],
  ['{code}, 10 min', undefined],
  ['{code}', 'codeLetter'],
  ['10 minutes', 'codeLetter'],
  [`{code} 10 ${'x'.repeat(290)}`, undefined],
  [`{code} 10 ${'x'.repeat(291)}`, 'tooLong'],
])('A20: the message %j', (smsText, problem) => {
  const sms = '00000000-0000-4000-8000-000000000001'
  const found = check(portal, { name: 'p', methods: ['sms'], sms, smsText })
  expect('fields' in found ? found.fields : {}).toEqual(problem ? { smsText: problem } : {})
})
test('codes by text message need a gateway', () => {
  const found = check(portal, { name: 'p', methods: ['sms'] })
  expect('fields' in found && found.fields).toEqual({ sms: 'required' })
})
