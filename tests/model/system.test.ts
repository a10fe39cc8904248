import { checkSingle, inheritedFrom, valuesOf } from '@/model/single'
import { system } from '@/model/system/system'

const problems = (own: Record<string, unknown>) => {
  const checked = checkSingle(system, own, valuesOf(inheritedFrom(system, [])))
  return 'data' in checked ? {} : checked.fields
}

test('nothing has to be set', () => expect(problems({})).toEqual({}))

const long = `${'a'.repeat(63)}.`.repeat(3)
test.each([
  ['192.0.2.1', undefined],
  ['2001:db8::1', undefined],
  ['ntp.example.com', undefined],
  [`${long}${'a'.repeat(61)}`, undefined],
  [`${long}${'a'.repeat(62)}`, 'addressFormat'],
  ['', 'addressFormat'],
  ['256.0.0.1', 'addressFormat'],
  ['224.0.0.1', 'addressFormat'],
  ['-ntp.example.com', 'addressFormat'],
  ['ntp example.com', 'addressFormat'],
  ['ntp.example.com"', 'addressFormat'],
])('P14: the server %j gives %s', (server, expected) => {
  expect(problems({ ntpServers: [server] })).toEqual(expected ? { 'ntpServers.0': expected } : {})
  expect(problems({ syslog: 'udp', syslogHost: server })).toEqual(expected ? { syslogHost: expected } : {})
})

test('N23: at most four time servers, each once', () => {
  const four = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
  expect(problems({ ntpServers: four })).toEqual({})
  expect(problems({ ntpServers: [...four, '192.0.2.5'] })).toEqual({ ntpServers: 'tooMany' })
  expect(problems({ ntpServers: ['192.0.2.1', '192.0.2.1'] })).toEqual({ 'ntpServers.1': 'duplicate' })
})

test.each([
  [0, 'tooSmall'],
  [1, undefined],
  [65_535, undefined],
  [65_536, 'tooLarge'],
])('P2: the syslog port %j gives %s', (syslogPort, expected) => {
  const own = { syslog: 'tcp', syslogHost: '192.0.2.1', syslogPort }
  expect(problems(own)).toEqual(expected ? { syslogPort: expected } : {})
})

test('messages are sent to a server that is named, and one without messages is refused', () => {
  expect(problems({ syslog: 'udp' })).toEqual({ syslogHost: 'syslogHostRequired' })
  expect(problems({ syslogHost: '192.0.2.1' })).toEqual({ syslogHost: 'notUsed' })
})

test('a time zone is one that the world knows', () => {
  expect(problems({ timeZone: 'Asia/Tokyo' })).toEqual({})
  expect(problems({ timeZone: 'Asia/../../etc' })).toEqual({ timeZone: 'notAllowed' })
})
