// The vocabulary at the edges of its rules; each case is named by the rule's id.
import * as z from 'zod'
import { parseFields } from '@/model/field-errors'
import { f } from '@/model/fields'
import { placeFields } from '@/model/place-fields'

/** What a field makes of a value: the value itself, or the message keys by path. */
function read(type: z.ZodType, value: unknown): unknown {
  const parsed = parseFields(z.strictObject({ field: type }), { field: value })
  return 'data' in parsed ? parsed.data.field : parsed.fields
}
const same = Symbol('same')
type Case = readonly [value: unknown, expected: unknown]
const table = (name: string, type: () => z.ZodType, cases: readonly Case[]) =>
  test.each(cases)(`${name}: %j gives %s`, (value, expected) => {
    const outcome = expected === same ? value : expected
    expect(read(type(), value)).toEqual(outcome)
    // What is accepted is accepted again, unchanged.
    if (typeof outcome !== 'object' || Array.isArray(outcome)) expect(read(type(), outcome)).toEqual(outcome)
  })
const wrong = (key: string) => ({ field: key })

table('P1 ipv4', f.ipv4, [
  ['0.0.0.0', same],
  ['255.255.255.255', same],
  [' 10.0.0.1 ', '10.0.0.1'],
  ...['256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4/24', '', '١.2.3.4', '1.2.3.-4', '1e1.0.0.1'].map(
    text => [text, wrong('ipv4')] as const,
  ),
  [7, wrong('wrongType')],
])
table('P1 ipv6', f.ipv6, [
  ...['::', '::1', '2001:db8::1', 'fe80::1', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1', '1:2:3:4:5:6:7::', 'FF02::1'].map(
    text => [text, same] as const,
  ),
  ...[
    '',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'fe80::1%eth0',
    '::256.1.1.1',
    'g::',
    '1:2:3:4:5:6:7:8::',
  ].map(text => [text, wrong('ipv6')] as const),
])
table('P1 hostIp', f.hostIp, [
  ...['1.0.0.0', '126.255.255.255', '128.0.0.0', '223.255.255.255', '192.168.1.255', '2001:db8::1', 'fe80::1'].map(
    text => [text, same] as const,
  ),
  ...[
    '0.255.255.255',
    '127.0.0.0',
    '127.255.255.255',
    '224.0.0.0',
    '239.1.1.1',
    '240.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    'ff00::',
    'ff02::fb',
    '::ffff:10.0.0.1',
  ].map(text => [text, wrong('hostAddress')] as const),
  ['nothing', wrong('ipv4')],
  ['no:thing', wrong('ipv6')],
])
table('P1 cidr4', f.cidr4, [
  ['0.0.0.0/0', same],
  ['10.0.0.0/8', same],
  ['10.1.2.3/32', same],
  ['10.1.2.2/31', same],
  ['10.1.2.3/31', wrong('hostBits')],
  ['192.168.1.5/24', wrong('hostBits')],
  ...['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/-1', '10.0.0/24', '10.0.0.0/24/1', '2001:db8::/32'].map(
    text => [text, wrong('cidr4')] as const,
  ),
])
table('P1 cidr6', f.cidr6, [
  ['::/0', same],
  ['2001:db8::/32', same],
  ['2001:db8::1/128', same],
  ['2001:db8::1/127', wrong('hostBits')],
  ['2001:db8::/129', wrong('cidr6')],
  ['10.0.0.0/8', wrong('cidr6')],
])
table('P1 mask', f.mask4, [
  ['255.255.255.0', same],
  ['0.0.0.0', same],
  ['255.255.255.255', same],
  ['255.0.255.0', wrong('mask')],
  ['0.255.255.255', wrong('mask')],
])
table('P1 prefix of IPv4', () => f.prefix4(), [
  [0, same],
  [32, same],
  [33, wrong('tooLarge')],
  [-1, wrong('tooSmall')],
])
table('P1 prefix of IPv6', () => f.prefix6(), [
  [128, same],
  [129, wrong('tooLarge')],
])
table('P1 address or segment', f.addressOrSegment, [
  ...['10.0.0.1', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32'].map(text => [text, same] as const),
  ['10.0.0.1/8', wrong('hostBits')],
  ['2001:db8::1/32', wrong('hostBits')],
  ['any', wrong('addressOrSegment')],
  ['10.0.0.0/33', wrong('addressOrSegment')],
])
table('N2 segment', f.privateSegment, [
  ...['10.0.0.0/8', '172.16.0.0/12', '172.31.255.0/24', '192.168.0.0/16', '192.168.255.255/32'].map(
    text => [text, same] as const,
  ),
  ...['10.0.0.0/7', '172.15.255.0/24', '172.32.0.0/24', '192.167.255.0/24', '192.169.0.0/24', '8.8.8.0/24'].map(
    text => [text, wrong('privateSegment')] as const,
  ),
  ['192.168.1.1/24', wrong('hostBits')],
])
table('N2 and P1 interface address', f.interfaceAddress, [
  ['192.168.1.1/24', same],
  ['192.168.1.254/24', same],
  ['10.0.0.1/8', same],
  ['10.0.0.1/30', same],
  ['10.0.0.1/31', wrong('interfaceAddress')],
  ['10.0.0.1/7', wrong('interfaceAddress')],
  ['10.0.0.1', wrong('interfaceAddress')],
  ['192.168.1.0/24', wrong('notAHost')],
  ['192.168.1.255/24', wrong('notAHost')],
  ['8.8.8.8/24', wrong('privateSegment')],
])
table('P2 ports', f.ports, [
  ['1', same],
  ['65535', same],
  ['4, 5-10', '4,5-10'],
  ['0080', '80'],
  ['80,443,8000-8100', same],
  ['0', wrong('ports')],
  ['65536', wrong('ports')],
  ['1-65536', wrong('ports')],
  ['', wrong('ports')],
  ['80,', wrong('ports')],
  ['a', wrong('ports')],
  ['80;443', wrong('ports')],
  ['10-5', wrong('rangeOrder')],
  ['5-5', wrong('rangeOrder')],
  ['80,80', wrong('rangesOverlap')],
  ['5-10,10', wrong('rangesOverlap')],
  ['8000-8100,80,8050-8060', wrong('rangesOverlap')],
  ['5-9,10', same],
])
table('P2 port', f.port, [
  [1, same],
  [65_535, same],
  [0, wrong('tooSmall')],
  [65_536, wrong('tooLarge')],
  [1.5, wrong('wrongType')],
])
table('N14', f.lanVlan, [
  [1, same],
  [665, same],
  [667, same],
  [4093, same],
  [0, wrong('lanVlan')],
  [666, wrong('lanVlan')],
  [4094, wrong('lanVlan')],
])
table('N15 one', f.portVlan, [
  [0, same],
  [666, same],
  [4093, same],
  [-1, wrong('tooSmall')],
  [4094, wrong('tooLarge')],
])
table('N15 list', f.vlanList, [
  ['0', same],
  ['10, 20-30 ,4093', '10,20-30,4093'],
  ['4094', wrong('vlans')],
  ['10,5-20', wrong('rangesOverlap')],
])
table('N19', f.metric, [
  [1, same],
  [255, same],
  [0, wrong('tooSmall')],
  [256, wrong('tooLarge')],
])
table('G20', f.dhcpOption, [
  ...[2, 49, 55, 57, 60, 62, 80, 81, 83, 254].map(number => [number, same] as const),
  ...[1, 50, 51, 52, 53, 54, 56, 58, 59, 61, 82, 255].map(number => [number, wrong('dhcpOption')] as const),
])
table('P14 domain', f.domain, [
  ...['lan', 'example.com', 'a-b.example', 'xn--caf-dma.example', `${'a'.repeat(63)}.de`, '1.example'].map(
    text => [text, same] as const,
  ),
  ...[
    '',
    '.',
    'a..b',
    '-a.de',
    'a-.de',
    'a_b.de',
    'é.de',
    `${'a'.repeat(64)}.de`,
    '1.2.3.4',
    `${'a.'.repeat(127)}de`,
    'a b',
  ].map(text => [text, wrong('domain')] as const),
])
table('A18', f.hostname, [
  ['a', same],
  ['a'.repeat(32), same],
  ['Printer-2', same],
  ['a'.repeat(33), wrong('hostname')],
  ['a.b', wrong('hostname')],
  ['-a', wrong('hostname')],
])
table('P14 host', f.host, [
  ...['pool.example.org', '10.0.0.1', '2001:db8::1'].map(text => [text, same] as const),
  ...['127.0.0.1', 'ff02::1', 'a b', '1.2.3'].map(text => [text, wrong('addressFormat')] as const),
])
table('P15', f.hexString, [
  ['abcd', same],
  ['AB12', same],
  ['a'.repeat(256), same],
  ['ab', wrong('hexString')],
  ['abcde', wrong('hexString')],
  ['a'.repeat(258), wrong('hexString')],
  ['abcg', wrong('hexString')],
])
table('G2', f.url, [
  ['http://a', same],
  ['https://example.com:8443/x?y=1', same],
  [`http://a/${'x'.repeat(503)}`, same],
  [`http://a/${'x'.repeat(504)}`, wrong('urlFormat')],
  ...['ftp://a', 'example.com', 'http://', 'http://a b', 'javascript:alert(1)', 'http://a:99999'].map(
    text => [text, wrong('urlFormat')] as const,
  ),
])
table('G17', f.rate, [
  ['1 Kbps', same],
  ['999 Mbps', same],
  ...['0 Mbps', '1000 Mbps', '1.5 Mbps', '5', '5 Gbps', '5Mbps', '-1 Mbps'].map(text => [text, wrong('rate')] as const),
])
table('G16 name', () => f.plainName(10), [
  ['Office 1-2', same],
  ['Büro_1.a', same],
  ['a/b', wrong('plainName')],
  ['“a”', wrong('plainName')],
  ['  ', wrong('required')],
  ['a'.repeat(11), wrong('tooLong')],
])
table('a name', () => f.name(3), [
  ['a b', same],
  [' a ', 'a'],
  [' ', wrong('required')],
  ['abcd', wrong('tooLong')],
  ['a\nb', wrong('controlCharacters')],
])
table('a time zone', placeFields.timeZone, [
  ['UTC', same],
  ['Europe/Lisbon', same],
  ['Europe/Nowhere', wrong('notAllowed')],
])
table('an interface', () => f.choiceOf('interfaces'), [
  ...['eth0', 'enp0s31f6', 'br-lan', 'wan@eth1', 'lan1.20'].map(text => [text, same] as const),
  ...['', '.', '..', 'a/b', 'a b', '$(id)', 'x'.repeat(16), 'é'].map(text => [text, wrong('interfaceName')] as const),
])

const one = '00:1a:2b:3c:4d:5e'
table('N23 lines', () => f.lines(f.mac(), { max: 2 }), [
  [[], same],
  [
    [one, '00-1A-2B-3C-4D-5F'],
    [one, '00:1a:2b:3c:4d:5f'],
  ],
  [[one, '001A2B3C4D5E'], { 'field.1': 'duplicate' }],
  [[one, 'x'], { 'field.1': 'mac' }],
  [[one, one, one], { field: 'tooMany' }],
])
const leases = () =>
  f.rows({ mac: f.mac(), ip: f.hostIpv4(), name: f.hostname().optional() }, { max: 2, unique: ['mac', 'ip'] })
table('N23 rows', leases, [
  [[], same],
  [[{ mac: one, ip: '10.0.0.5' }], same],
  [
    [
      { mac: one, ip: '10.0.0.5' },
      { mac: one, ip: '10.0.0.5' },
    ],
    { 'field.1.mac': 'duplicate', 'field.1.ip': 'duplicate' },
  ],
  [
    [{ mac: one, ip: '127.0.0.1' }, { mac: 'x' }],
    { 'field.0.ip': 'hostAddress', 'field.1.mac': 'mac', 'field.1.ip': 'required' },
  ],
  [[{ mac: one, ip: '10.0.0.5', more: 1 }], { 'field.0.more': 'unknownField' }],
  [['x'], { 'field.0': 'wrongType' }],
])
const id = '0b0e3a52-8f8f-4d43-9a44-0d7a3f2a1c11'
table('references', () => f.refs('ssid', 2), [
  [[id], same],
  [[id, id], { 'field.1': 'duplicate' }],
  [['x'], { 'field.0': 'notFound' }],
])
