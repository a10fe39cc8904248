import { checkSingle, inheritedFrom, valuesOf } from '@/model/single'
import { syslogLevels, system } from '@/model/system/system'

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

const pem = `-----BEGIN CERTIFICATE-----\nMIIB${'A'.repeat(60)}\n-----END CERTIFICATE-----`
const key = `-----BEGIN EC PRIVATE KEY-----\nMIIB${'A'.repeat(60)}\n-----END EC PRIVATE KEY-----`
test.each<[string, string | undefined]>([
  [pem, undefined],
  [`\n${pem}\n${pem}\n`, undefined],
  [pem.replaceAll('\n', '\r\n'), undefined],
  [`${pem}\n${key}`, 'certificateHasKey'],
  [key, 'certificateHasKey'],
  [`subject=x\n${pem}`, 'certificateFormat'],
  [pem.replace('MIIB', 'MII'), 'certificateFormat'],
  [pem.replace('MIIB', 'QUJD'), 'certificateFormat'],
  [pem.slice(0, -5), 'certificateFormat'],
  ['"; rm -rf /', 'certificateFormat'],
  ['', 'certificateFormat'],
])('P10: the authority %j gives %s', (syslogCa, expected) => {
  const own = { syslog: 'tls', syslogHost: 'log.example.com', syslogCa }
  expect(problems(own)).toEqual(expected ? { syslogCa: expected } : {})
})

test('P10: authorities of 50 KB are taken, and not a character more', () => {
  const of = (size: number) => ({
    syslog: 'tls',
    syslogHost: 'log.example.com',
    syslogCa: pem + '\n'.repeat(size - 2 * pem.length) + pem,
  })
  expect(problems(of(50 * 1024))).toEqual({})
  expect(problems(of(50 * 1024 + 1))).toEqual({ syslogCa: 'tooLong' })
})

test('a server over TLS needs somebody to trust; without TLS there is nobody', () => {
  const own = { syslogHost: '192.0.2.1', syslogLevel: 'error' }
  expect(problems({ ...own, syslog: 'tls', syslogPeer: 'log.example.com' })).toEqual({ syslogCa: 'required' })
  expect(problems({ ...own, syslog: 'tls', syslogCa: pem })).toEqual({ syslogPeer: 'syslogName' })
  expect(problems({ ...own, syslog: 'tls', syslogCa: pem, syslogPeer: '192.0.2.1' })).toEqual({ syslogPeer: 'domain' })
  expect(problems({ syslog: 'tls', syslogHost: 'log.example.com', syslogCa: pem })).toEqual({})
  expect(problems({ ...own, syslog: 'tls', syslogCa: pem, syslogPeer: 'log.example.com' })).toEqual({})
  expect(problems({ ...own, syslog: 'tcp', syslogCa: pem })).toEqual({ syslogCa: 'notUsed' })
  expect(problems({ ...own, syslog: 'udp', syslogPeer: 'log.example.com' })).toEqual({ syslogPeer: 'notUsed' })
})

test('the levels of messages are none and the eight of RFC 5424', () => {
  const own = { syslog: 'udp', syslogHost: '192.0.2.1' }
  for (const syslogLevel of syslogLevels) expect(problems({ ...own, syslogLevel })).toEqual({})
  expect(syslogLevels).toHaveLength(9)
  expect(problems({ ...own, syslogLevel: 'verbose' })).toEqual({ syslogLevel: 'notAllowed' })
  expect(problems({ syslogLevel: 'error' })).toEqual({ syslogLevel: 'notUsed' })
})

test('a time zone is one that the world knows', () => {
  expect(problems({ timeZone: 'Asia/Tokyo' })).toEqual({})
  expect(problems({ timeZone: 'Asia/../../etc' })).toEqual({ timeZone: 'notAllowed' })
})

const allowed = 'aB3!@#$&*+=_-'
test.each<[string, string | undefined]>([
  ['12345678', undefined],
  [allowed, undefined],
  ['a'.repeat(64), undefined],
  ['1234567', 'tooShort'],
  ['a'.repeat(65), 'tooLong'],
  ...['12345678 ', '1234"5678', "1234'5678", '1234\\5678', '1234.5678', '1234%5678', 'größe1234', '12345678\n'].map(
    (text): [string, string] => [text, 'snmpString'],
  ),
])('P9: the community %j gives %s', (snmpCommunity, expected) => {
  expect(problems({ snmp: 'on', snmpCommunity })).toEqual(expected ? { snmpCommunity: expected } : {})
  const keys = { snmpAuthKey: '12345678', snmpPrivKey: '12345678' }
  const byUser = { snmp: 'on', snmpUser: 'monitor1', ...keys }
  expect(problems({ ...byUser, snmpAuthKey: snmpCommunity })).toEqual(expected ? { snmpAuthKey: expected } : {})
  expect(problems({ ...byUser, snmpPrivKey: snmpCommunity })).toEqual(expected ? { snmpPrivKey: expected } : {})
})

test('traps go to an address or a name, where the agent is on', () => {
  const agent = { snmp: 'on', snmpCommunity: '12345678' }
  expect(problems({ ...agent, snmpTrapHost: '192.0.2.1', snmpTrapPort: 1162 })).toEqual({})
  expect(problems({ ...agent, snmpTrapHost: 'nms.example.net' })).toEqual({})
  expect(problems({ ...agent, snmpTrapHost: 'a b' })).toEqual({ snmpTrapHost: expect.any(String) })
  expect(problems({ ...agent, snmpTrapHost: '192.0.2.1', snmpTrapPort: 0 })).toEqual({ snmpTrapPort: 'tooSmall' })
  expect(problems({ ...agent, snmpTrapPort: 1162 })).toEqual({ snmpTrapPort: 'notUsed' })
  expect(problems({ snmp: 'off', snmpTrapHost: '192.0.2.1' })).toEqual({ snmpTrapHost: 'notUsed' })
})

test('P9: a user of SNMP version 3 has 8 to 32 characters and both keys', () => {
  const keys = { snmpAuthKey: '12345678', snmpPrivKey: '12345678' }
  expect(problems({ snmp: 'on' })).toEqual({ snmpCommunity: 'snmpAccess' })
  expect(problems({ snmp: 'on', snmpUser: 'a'.repeat(32), ...keys })).toEqual({})
  expect(problems({ snmp: 'on', snmpUser: 'a'.repeat(33), ...keys })).toEqual({ snmpUser: 'tooLong' })
  expect(problems({ snmp: 'on', snmpUser: 'a'.repeat(7), ...keys })).toEqual({ snmpUser: 'tooShort' })
  expect(problems({ snmp: 'on', snmpUser: 'monitor1' })).toEqual({ snmpAuthKey: 'required', snmpPrivKey: 'required' })
  expect(problems({ snmp: 'off', snmpCommunity: '12345678' })).toEqual({ snmpCommunity: 'notUsed' })
})

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE1hZGUtdXAta2V5LWZvci10ZXN0cy1vbmx5LTEyMzQ1'
test.each([
  [ed25519, undefined],
  [`${ed25519} night shift`, undefined],
  [` ${ed25519} `, undefined],
  [`command="reboot" ${ed25519}`, 'publicKey'],
  [`${ed25519}\nssh-rsa x`, 'publicKey'],
  [ed25519.replace('ssh-ed25519', 'ssh-rsa'), 'publicKey'],
  [ed25519.slice(0, 30), 'publicKey'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'publicKey'],
  ['', 'publicKey'],
])('an SSH key %j gives %s', (key, expected) =>
  expect(problems({ sshKeys: [key] })).toEqual(expected ? { 'sshKeys.0': expected } : {}),
)

test.each([
  ['a', undefined],
  ['aB3!xyz9', undefined],
  ['\'"$(id)`9', 'tooLong'],
  ['\'"$(i)`', undefined],
  ['123456789', 'tooLong'],
  ['', 'tooShort'],
  ['a\nb', 'controlCharacters'],
])('A12: the SSH password %j gives %s', (sshPassword, expected) =>
  expect(problems({ sshPassword })).toEqual(expected ? { sshPassword: expected } : {}),
)

test.each([
  ['a', undefined],
  ['lobby-ap-1', undefined],
  ['a'.repeat(32), undefined],
  ['a'.repeat(33), 'hostname'],
  ['-lobby', 'hostname'],
  ['lobby-', 'hostname'],
  ['lobby.ap', 'hostname'],
  ['lobby ap', 'hostname'],
  ['', 'hostname'],
])('A18: the host name %j gives %s', (hostname, expected) =>
  expect(problems({ hostname })).toEqual(expected ? { hostname: expected } : {}),
)
