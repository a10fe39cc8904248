// Rules A11, G1, G2, G5, G12, G13, G19, G21, W14 and W18 at their edges: portals of guests.
import { simplePasswordProblem } from '@/model/guests/simple-password'
import { check } from '@/model/kind'
import { limits } from '@/model/limits'
import { guestBounds, openDestinations, type PortalFields, portal } from '@/model/profiles/portal'
import { dataBytes } from '@/model/rules'

const base = { name: 'Guests', methods: ['free'] }
const wrong = (given: Record<string, unknown>) => {
  const parsed = check(portal, { ...base, ...given })
  return 'fields' in parsed ? parsed.fields : {}
}
const right = (given: Record<string, unknown> = {}) => {
  const parsed = check(portal, { ...base, ...given })
  if ('fields' in parsed) throw new Error(JSON.stringify(parsed.fields))
  return parsed.data as PortalFields
}

test.each([
  ['a', undefined],
  ['1234567890'.slice(0, 5), undefined],
  ['aaaaa', undefined],
  ['54321', undefined],
  ['abcdeabcde', undefined],
  ['Größe-café', undefined],
  ['', 'simplePassword'],
  ['elevenchars', 'simplePassword'],
  ['with blank', 'simplePassword'],
  ['tab\there', 'simplePassword'],
  ['wide\u3000one', 'simplePassword'],
  ['salt&rice', 'simplePassword'],
  ['salt;rice', 'simplePassword'],
  ['nul\u0000', 'simplePassword'],
  ['123456', 'simplePasswordRun'],
  ['x654321x', 'simplePasswordRun'],
  ['aaaaaa', 'simplePasswordRun'],
  ['aAaAaA', 'simplePasswordRun'],
  ['AbCdEf', 'simplePasswordRun'],
])('A11: %j is %s', (text, expected) => expect(simplePasswordProblem(text)).toBe(expected))

test('A11: a password is asked for where it is a way in, and nowhere else', () => {
  expect(wrong({ methods: ['simplePassword'] })).toEqual({ password: 'required' })
  expect(wrong({ methods: ['simplePassword'], password: 'rose garden' })).toEqual({ password: 'simplePassword' })
  expect(wrong({ password: 'rosegarden' })).toEqual({ password: 'notUsed' })
  expect(right({ methods: ['voucher', 'simplePassword'], password: 'rosegarden' }).password).toBe('rosegarden')
})

test.each([
  [undefined, undefined],
  [0, 'tooSmall'],
  [1, undefined],
  [1095, undefined],
  [1096, 'tooLarge'],
  [1.5, 'wrongType'],
])('G12: a password that is valid for %p days: %s', (passwordDays, expected) =>
  expect(wrong({ methods: ['simplePassword'], password: 'harbour', passwordDays }).passwordDays).toBe(expected),
)
test('G12: without a password there are no days of it', () =>
  expect(wrong({ passwordDays: 30 })).toEqual({ passwordDays: 'notUsed' }))

test.each([
  ['1 KB', 1024],
  ['1048576 KB', 2 ** 30],
  ['1 MB', 1_048_576],
  ['1048576 MB', 2 ** 40],
  ['1 GB', 2 ** 30],
  ['1048576 GB', 2 ** 50],
])('G13: %s a day are %i bytes', (dailyData, bytes) => {
  expect(wrong({ useLimit: 'client', dailyData })).toEqual({})
  expect(dataBytes(dailyData)).toBe(bytes)
})
test.each([
  ...['0 KB', '1048577 KB', '1048577 MB', '1048577 GB', '9999999 MB'],
  ...['1.5 GB', '01 MB', '1MB', '1 TB', '1 mb', '-1 MB', '5', ' 5 MB'],
])('G13: %j a day is refused', dailyData =>
  expect(wrong({ useLimit: 'client', dailyData })).toEqual({ dailyData: 'dataAmount' }),
)

test.each([
  ['1024 KB', '1 MB', undefined],
  ['1025 KB', '1 MB', 'dailyAboveMonthly'],
  ['1024 MB', '1 GB', undefined],
  ['2 GB', '2047 MB', 'dailyAboveMonthly'],
  ['5 GB', undefined, undefined],
])('G13: %s a day and %s a month: %s', (dailyData, monthlyData, expected) =>
  expect(wrong({ useLimit: 'method', dailyData, monthlyData }).dailyData).toBe(expected),
)

test.each([
  ['', 'required'],
  ['a', undefined],
  ['a'.repeat(32), undefined],
  ['a'.repeat(33), 'tooLong'],
])('G1: the name %j', (name, expected) => expect(wrong({ name }).name).toBe(expected))

test.each([
  [[], 'required'],
  [['free'], undefined],
  [['voucher', 'free'], undefined],
  [['free', 'free'], 'duplicate'],
])('G19: at least one way in, each once: %j', (methods, expected) => expect(wrong({ methods }).methods).toBe(expected))
test('G19: what no portal can do yet is refused', () =>
  expect(wrong({ methods: ['certificate'] })).toHaveProperty(['methods.0']))

test.each([
  [{ days: 0, hours: 0, minutes: 0 }, { minutes: 'durationZero' }, 0],
  [{ days: 0, hours: 0, minutes: 1 }, {}, 60],
  [{ days: 365, hours: 23, minutes: 59 }, {}, 31_622_340],
  [{ days: 366 }, { days: 'tooLarge' }, 0],
  [{ hours: 24 }, { hours: 'tooLarge' }, 0],
  [{ minutes: 60 }, { minutes: 'tooLarge' }, 0],
  [{ days: -1 }, { days: 'tooSmall' }, 0],
  [{}, {}, 28_800],
])('G21: a session of %j', (given, fields, seconds) => {
  const found = wrong(given)
  expect(Object.keys(found)).toEqual(Object.keys(fields))
  if (seconds) expect(guestBounds(right(given)).seconds).toBe(seconds)
})
test('G21: where only vouchers lead in, each says how long itself', () => {
  expect(right({ methods: ['voucher'] })).not.toHaveProperty('hours')
  expect(wrong({ methods: ['voucher'], hours: 1 })).toEqual({ hours: 'notUsed' })
})

test.each([
  [4, false],
  [5, true],
  [1440, true],
  [1441, false],
])('W18: an idle timeout of %i minutes: %s', (idleMinutes, allowed) =>
  expect(Object.keys(wrong({ idleMinutes }))).toEqual(allowed ? [] : ['idleMinutes']),
)

test.each([
  [-1, 'tooSmall'],
  [0, undefined],
  [1, undefined],
  [10_000, undefined],
  [10_001, 'tooLarge'],
])('G10: %i devices for each sign-in: %s', (maxDevices, problem) =>
  expect(wrong({ methods: ['simplePassword'], password: 'harbour', maxDevices }).maxDevices).toBe(problem),
)
test('G10: where nothing is signed in with, or by vouchers alone, there is no number of devices', () =>
  expect(wrong({ methods: ['free', 'voucher', 'form'], questions: [{ label: 'Name' }], maxDevices: 2 })).toEqual({
    maxDevices: 'notUsed',
  }))

test.each([
  ['https://www.example.com/welcome?x=1', undefined],
  ['ftp://www.example.com', 'urlFormat'],
  ['javascript:alert(1)', 'urlFormat'],
  ['www.example.com', 'urlFormat'],
])('G2: the landing page %s', (landing, expected) => expect(wrong({ landing }).landing).toBe(expected))

test('W14: 256 portals', () => expect([portal.max, limits.portals]).toEqual([256, 256]))

test('bounds without a voucher: seconds, and rates in kbit/s where they are set', () => {
  expect(guestBounds(right())).toEqual({ seconds: 28_800, idleSeconds: 300 })
  expect(guestBounds(right({ download: '8 Mbps', upload: '512 Kbps', idleMinutes: 30 }))).toEqual({
    ...{ seconds: 28_800, idleSeconds: 1800 },
    ...{ download: 8000, upload: 512 },
  })
})

test.each([
  ['www.Example.com', 'www.example.com'],
  ['lan', 'lan'],
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['203.0.113.1/24', undefined],
  ['http://example.com', undefined],
  ['*.example.com', undefined],
  ['a b', undefined],
])('what guests reach before: %s', (one, expected) => {
  const parsed = check(portal, { ...base, walledGarden: [one] })
  expect('data' in parsed ? (parsed.data as PortalFields).walledGarden[0] : undefined).toBe(expected)
})
test('what guests reach before: 64 of them, each once', () => {
  const names = Array.from({ length: 65 }, (_, at) => `n${at}.example`)
  expect(right({ walledGarden: names.slice(1) }).walledGarden).toHaveLength(64)
  expect(wrong({ walledGarden: names })).toEqual({ walledGarden: 'tooMany' })
  expect(wrong({ walledGarden: ['a.example', 'a.example'] })).toEqual({ 'walledGarden.1': 'duplicate' })
})

const question = { label: 'Name', type: 'text' }
test.each([
  ['none', [], { questions: 'required' }],
  ['one', [question], {}],
  ['two of one name', [question, question], { 'questions.1.label': 'duplicate' }],
  ['a choice without choices', [{ ...question, type: 'choice' }], { questions: 'questionChoices' }],
  ['a choice of nothing', [{ ...question, type: 'choice', choices: ' , ' }], { questions: 'questionChoices' }],
  ['a choice', [{ ...question, type: 'choice', choices: 'a,b' }], {}],
  ['choices of a text', [{ ...question, choices: 'a,b' }], { questions: 'questionChoices' }],
  ['nine', Array.from({ length: 9 }, (_, at) => ({ ...question, label: `q${at}` })), { questions: 'tooMany' }],
])('a form asks %s', (_, questions, fields) => expect(wrong({ methods: ['form'], questions })).toEqual(fields))

test.each([
  ['Your code: {code}, for {minutes} minutes', undefined],
  ['{code} – 10 Minuten', undefined],
  ['{code}', 'codeLetter'],
  ['{code} for 100 minutes', 'codeLetter'],
  ['10 minutes', 'codeLetter'],
])('A20: the letter %j', (letter, expected) => expect(wrong({ methods: ['email'], letter }).letter).toBe(expected))

test('what only a way in needs is refused without it', () => {
  expect(wrong({ questions: [question], letter: '{code} 10', mailMinutes: 5, keepDays: 3 })).toEqual({
    ...{ questions: 'notUsed', letter: 'notUsed', mailMinutes: 'notUsed', keepDays: 'notUsed' },
  })
})

const id = '00000000-0000-4000-8000-000000000000'
const directory = { methods: ['directory'], directoryHost: 'ldap.example', directoryBase: 'dc=example' }
test.each([
  ['RADIUS without a server', { methods: ['radius'] }, { radius: 'required' }],
  ['RADIUS', { methods: ['radius'], radius: id }, {}],
  [
    'a directory without anything',
    { methods: ['directory'] },
    { directoryHost: 'required', directoryBase: 'required' },
  ],
  ['a directory that anybody may search', directory, {}],
  ['an administrator without a password', { ...directory, directoryAdmin: 'cn=a' }, { directorySecret: 'required' }],
  ['a password without an administrator', { ...directory, directorySecret: 'x' }, { directorySecret: 'notUsed' }],
  ['an administrator of 64', { ...directory, directoryAdmin: 'a'.repeat(64), directorySecret: 'x'.repeat(32) }, {}],
  [
    'an administrator of 65',
    { ...directory, directoryAdmin: 'a'.repeat(65), directorySecret: 'x' },
    { directoryAdmin: 'tooLong' },
  ],
  [
    'a password of 33',
    { ...directory, directoryAdmin: 'a', directorySecret: 'x'.repeat(33) },
    { directorySecret: 'tooLong' },
  ],
])('G3, G4: %s', (_, given, fields) => expect(wrong(given)).toEqual(fields))

test.each([
  ['(memberOf=cn=guests,dc=example)', undefined],
  ['(|(a=1)(!(b=2)))', undefined],
  ['memberOf=x', 'ldapCondition'],
  ['(a=1)(b=2)', 'ldapCondition'],
  ['(a=1', 'ldapCondition'],
  ['(a=1))((b=2)', 'ldapCondition'],
  ['()', 'ldapCondition'],
])('a condition of the directory: %s', (directoryCondition, expected) =>
  expect(wrong({ ...directory, directoryCondition }).directoryCondition).toBe(expected),
)

const elsewhere = { methods: ['external'], externalPage: 'https://join.example/', externalKey: 'k'.repeat(20) }
const link = (length: number) => `https://join.example/${'p'.repeat(length - 21)}`
test.each([
  ['http://join.example', undefined],
  ['https://join.example:8443/enter?house=7', undefined],
  ['http://192.0.2.7/', undefined],
  ['https://[2001:db8::7]/', undefined],
  [link(512), undefined],
  [link(513), 'urlFormat'],
  ['ftp://join.example/', 'urlFormat'],
  ['join.example', 'urlFormat'],
  ['javascript:alert(1)', 'urlFormat'],
  ['https://join.example /', 'urlFormat'],
  // What no gateway could open, or what would be more than a name in its files.
  ['https://join"quoted.example/', 'urlHost'],
  ['https://join,another.example/', 'urlHost'],
])('G2: the external page %s', (externalPage, expected) =>
  expect(wrong({ ...elsewhere, externalPage }).externalPage).toBe(expected),
)

test.each([
  ['k'.repeat(19), 'externalKey'],
  ['k'.repeat(20), undefined],
  ['k'.repeat(32), undefined],
  ['k'.repeat(33), 'externalKey'],
  ['ü'.repeat(32), undefined],
  [`${'k'.repeat(20)} `, 'externalKey'],
  [`${'k'.repeat(10)} ${'k'.repeat(10)}`, 'externalKey'],
  [`${'k'.repeat(20)}\u0000`, 'externalKey'],
  ['', 'externalKey'],
])('G5: the pre-shared key %j', (externalKey, expected) =>
  expect(wrong({ ...elsewhere, externalKey }).externalKey).toBe(expected),
)

test('G2, G5: an external page and its key are needed where it is a way in, and nowhere else', () => {
  expect(wrong({ methods: ['external'] })).toEqual({ externalPage: 'required', externalKey: 'required' })
  expect(wrong({ ...elsewhere, methods: ['free'] })).toEqual({ externalPage: 'notUsed', externalKey: 'notUsed' })
})

test.each([
  ['by its name', 'https://Join.Example:8443/enter', 'join.example'],
  ['by its IPv6 address', 'https://[2001:db8::7]/', '2001:db8::7'],
  ['once', 'https://www.example.com/', 'www.example.com'],
])('an external page is open before sign-in %s', (_, externalPage, host) => {
  const walledGarden = ['www.example.com']
  expect(openDestinations(right({ ...elsewhere, externalPage, walledGarden }))).toEqual([
    ...new Set([...walledGarden, host]),
  ])
  expect(openDestinations({ walledGarden, methods: ['free'], externalPage })).toEqual(walledGarden)
})

const counted = { wifi4eu: true, wifi4euNetwork: '123E4567-e89b-12d3-a456-426655440000' }
test.each([
  ['the UUID of a network, kept in lower case', {}, {}],
  ['none', { wifi4euNetwork: undefined }, { wifi4euNetwork: 'required' }],
  ['what is no UUID', { wifi4euNetwork: "x';alert(1);'" }, { wifi4euNetwork: 'uuid' }],
  ['a language of no country of the Union', { wifi4euLanguage: 'ja' }, { wifi4euLanguage: 'notAllowed' }],
  ['a UUID while it is off', { wifi4eu: false }, { wifi4euNetwork: 'notUsed' }],
])('WiFi4EU takes %s', (_, given, fields) => expect(wrong({ ...counted, ...given })).toEqual(fields))
test('WiFi4EU is off and in English by default, and its server is open before sign-in where it is on', () => {
  expect(right().wifi4eu).toBe(false)
  const on = right(counted)
  expect([on.wifi4euLanguage, on.wifi4euNetwork]).toEqual(['en', counted.wifi4euNetwork.toLowerCase()])
  expect([right(), on].map(openDestinations)).toEqual([[], ['collection.wifi4eu.ec.europa.eu']])
})
